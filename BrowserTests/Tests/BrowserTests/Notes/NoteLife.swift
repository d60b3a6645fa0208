import BrowserDriving
import Foundation
import Testing

/// Notes in place of pages, with the product's own host: scenario 4.
struct NoteLife {
  let session: Session
  let service: Service
  var browser: any Browser { session.browser }

  init(_ browser: TestBrowser) throws { try self.init(Session.with(browser, hasService: true)) }

  init(_ session: Session) throws {
    self.session = session
    service = try #require(session.service)
    try removeAll()
  }

  // MARK: Means

  /// Deletes all notes, and waits until the browser knows.
  func removeAll() throws {
    let ids = try notes().compactMap { $0["id"] as? String }
    for id in ids { try service.run("notes", "delete", id) }
    try waitForIndex()
  }

  /// All notes, as `tickbird notes list --format json` has them.
  func notes() throws -> [[String: Any]] {
    let json = try service.run("notes", "list", "--format", "json")
    return try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]] ?? []
  }

  /// Adds a note by the command, and waits until the browser knows it.
  @discardableResult
  func add(_ address: String, _ text: String, _ options: String...) throws -> String {
    let words = ["notes", "add", "--format", "json"] + options
    let json = try service.run(words + ["--", address, text])
    try waitForIndex()
    let added = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let note = (added as? [[String: Any]])?.first ?? added as? [String: Any]
    return try #require(note?["id"] as? String)
  }

  /// Waits until the browser's index is what the database has.
  func waitForIndex() throws {
    let expected = Set(
      try notes().map { "\($0["id"] ?? "") \($0["displayText"] ?? "") \($0["isSnoozed"] ?? "")" }
    )
    _ = try eventually("the browser knows all notes") { () -> Bool? in
      let known = try browser.evaluateInBackground(
        "tickbird.state.notes.all.map((note) => "
          + "`${note.id} ${note.displayText} ${tickbird.state.notes.isResting(note) ? 1 : 0}`)"
      )
      return Set(known as? [String] ?? []) == expected ? true : nil
    }
  }

  /// The counts of a note, as shown, left, viewed.
  func counts(_ id: String) throws -> [Int] {
    let note = try #require(try notes().first { $0["id"] as? String == id })
    let counts = try #require(note["counts"] as? [String: Int])
    return ["shown", "left", "viewed"].map { counts[$0] ?? -1 }
  }

  /// Changes the database as the passing of time would.
  func endSnoozing() throws {
    let file = service.home.appending(path: ".local/share/tickbird/notes.sqlite")
    try Tool.run([
      "/usr/bin/sqlite3", "-cmd", ".timeout 5000", file.path,
      "UPDATE note SET snoozedUntil = snoozedUntil - 86400000 * 400 WHERE snoozedUntil IS NOT NULL",
    ])
    try waitForIndex()
  }

  /// Waits for a note in a tab, and returns its words.
  @discardableResult
  func expectNote(_ tab: BrowserTab) throws -> String {
    do {
      return try eventually("the note is there") { try browser.element(".words", in: tab) }.text
    } catch let error as DrivingError {
      throw DrivingError("\(error); \(state(of: tab))")
    }
  }

  /// Presses a button of a note, as soon as it acts.
  func choose(_ button: String, _ tab: BrowserTab) throws {
    if browser.kind == .firefox {
      // The document is there before the script that hears; that gives the focus at its end, above a
      // page to the note's text.
      _ = try eventually("the note hears") { () -> Bool? in
        if try browser.element("button.leave", in: tab)?.hasFocus == true { return true }
        return try browser.element(".reading", in: tab)?.hasFocus == true ? true : nil
      }
    }
    let element = try eventually("the button is there") {
      try browser.element("button.\(button)", in: tab)
    }
    try browser.click(element, in: tab)
  }

  /// Waits for the page itself.
  func expectPage(_ tab: BrowserTab, _ text: String) throws {
    do {
      _ = try eventually("the page comes: \(text)") { () -> Bool? in
        let shown = try? browser.evaluate("document.body?.innerText ?? ''", in: tab) as? String
        guard shown?.contains(text) == true else { return nil }
        return try browser.element(".words", in: tab) == nil ? true : nil
      }
    } catch let error as DrivingError {
      throw DrivingError("\(error); \(state(of: tab))")
    }
  }

  /// What a tab shows, for a message.
  private func state(of tab: BrowserTab) -> String {
    let page = try? browser.evaluate(
      """
      [document.URL, document.visibilityState, document.readyState,
        document.documentElement?.outerHTML.slice(0, 400)]
      """,
      in: tab
    )
    return "the page: \(page ?? "none")"
  }

  /// A page that asks the server for `/seen` at every moment at which its words can be seen.
  static func watching(_ words: String) -> String {
    """
    <body><h1>\(words)</h1><script>
    const look = () => {
      const title = document.querySelector("h1");
      if (title && getComputedStyle(title).visibility === "visible") fetch("/seen");
    };
    fetch("/ran");
    setInterval(look, 4);
    requestAnimationFrame(function again() { look(); requestAnimationFrame(again); });
    </script>
    """
  }

  /// Answers with ``watching(_:)``.
  func serve(_ words: String) {
    session.server.answer { request in
      request.url.hasSuffix("/ran") || request.url.hasSuffix("/seen")
        ? .init("text/plain", "") : .page(Self.watching(words))
    }
  }

  /// What pages have reported, as the last parts of URLs.
  var reports: Set<Substring> {
    Set(session.server.urls.compactMap { $0.split(separator: "/").last })
      .intersection(["ran", "seen"])
  }

  // MARK: Scenario 4

  /// 4.2, 4.5: in place of the page, at once; "View Website"; back after its time.
  func takesThePlaceOfThePage() throws {
    serve("Takeaway")
    let text = "Half a duck?\n<b>Really?</b> </script> 🦆\n\tYes & no"
    let id = try add("takeaway.example", text, "--emoji", "🥡")
    try session.visit("http://www.takeaway.example/menu?x=1#top") { tab throws in
      #expect(try expectNote(tab) == text)
      try expectReadable(tab, browser)
      #expect(try browser.element(".emoji", in: tab)?.text == "🥡")
      #expect(try browser.element("b", in: tab) == nil)
      #expect(try browser.element("button.leave", in: tab)?.hasFocus == true)
      #expect(
        try browser.evaluate("location.href", in: tab) as? String
          == "http://www.takeaway.example/menu?x=1#top"
      )
      #expect(try counts(id) == [1, 0, 0])
      try browser.press("Escape", in: tab)
      try session.visit("http://takeaway.example/") { other throws in
        try expectNote(other)
        // No script of the page has run, and nothing of it was to be seen.
        #expect(reports == [])
        try choose("view", tab)
        try expectPage(tab, "Takeaway")
        // The site's other tab comes back as well.
        try expectPage(other, "Takeaway")
      }
      #expect(try counts(id) == [2, 0, 1])
      try session.visit("http://order.takeaway.example/") { try expectPage($0, "Takeaway") }
      try endSnoozing()
      try session.visit("http://takeaway.example/") { tab in _ = try expectNote(tab) }
      #expect(try counts(id) == [3, 0, 1])
    }
  }

  /// "Leave" goes back, or away; it does not go to another page that has a note.
  func leaves() throws {
    serve("Words")
    let id = try add("noted.example", "Not now")
    try session.visit("http://start.example/") { tab throws in
      try browser.load("http://noted.example/", in: tab)
      try expectNote(tab)
      // By the keyboard: the button has the focus, which it gets when it is painted.
      _ = try eventually("the button has the focus") { () -> Bool? in
        try browser.element("button.leave", in: tab)?.hasFocus == true ? true : nil
      }
      try browser.press("Enter", in: tab)
      try expectPage(tab, "Words")
      #expect(
        try browser.evaluate("location.href", in: tab) as? String == "http://start.example/"
      )
      #expect(try counts(id) == [1, 1, 0])
    }
    // A page of the same site lies before it, seen while the note rested.
    try service.run("notes", "snooze", id)
    try waitForIndex()
    let tab = try browser.openTab()
    try browser.load("http://noted.example/first", in: tab)
    try expectPage(tab, "Words")
    try endSnoozing()
    try browser.load("http://noted.example/second", in: tab)
    try expectNote(tab)
    try choose("leave", tab)
    _ = try eventually("the tab is gone") { () -> Bool? in
      let urls = try browser.evaluateInBackground(
        "api.tabs.query({}).then((tabs) => tabs.map((tab) => tab.url))"
      )
      let noted = (urls as? [String] ?? []).filter { $0.contains("noted.example") }
      return noted.isEmpty ? true : nil
    }
    #expect(try counts(id) == [2, 2, 0])
  }
}
