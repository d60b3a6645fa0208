import BrowserDriving
import Foundation
import Testing

extension BrowserTests.Logger {
  @Test("a tab's requests are shown as they come, with their rules", arguments: everyBrowser)
  func logger(_ browser: TestBrowser) throws { try LoggerLife(browser).showsRequests() }

  @Test("a logger without a tab offers those that are there", arguments: everyBrowser)
  func loggerOfNone(_ browser: TestBrowser) throws { try LoggerLife(browser).offersTabs() }

  @Test("a row is selected by a press that it does not stay under", arguments: browsers)
  func presses(_ browser: TestBrowser) throws { try LoggerLife(browser).selectsByPresses() }

  @Test("ten thousand requests are no more elements than can be seen", arguments: browsers)
  func manyRequests(_ browser: TestBrowser) throws { try LoggerLife(browser).showsMany() }
}

/// The logger of a tab, in a tab of its own.
struct LoggerLife {
  let session: Session
  var browser: any Browser { session.browser }

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  /// Without a tab, or with one that is gone, the tabs of the web are offered, and one is chosen by keyboard.
  func offersTabs() throws {
    session.server.answer { _ in .page("<title>To log</title><p>News") }
    try session.visit("http://www.logged.com/") { _ throws in
      for (query, words) in [
        ("", "Choose the tab whose requests are shown."), ("?tab=x", "This tab is closed"),
        ("?tab=999999", "This tab is closed"),
      ] {
        try session.visit(browser.extensionURL + "logger/logger.html\(query)") { page throws in
          try expectText(words, page)
          try expectText("To log", page)
          let text = try browser.evaluate("document.body?.innerText", in: page) as? String ?? ""
          #expect(!text.contains("NaN") && !text.contains("Nothing yet."))
          try expectReadable(page, browser)
          guard query.isEmpty else { return }
          for _ in 0..<9 {
            try browser.press("Tab", in: page)
            let name = try browser.evaluate("document.activeElement.textContent", in: page)
            if name as? String == "To log" { break }
          }
          try browser.press("Enter", in: page)
          try expectText("Requests of www.logged.com", page)
        }
      }
    }
  }

  /// Blocked and loaded requests come, are found, and have their rule; other tabs' do not come.
  func showsRequests() throws {
    try session.use([
      "Pixels": Array(
        #"[{"trigger": {"url-filter": "pixel"}, "action": {"type": "block"}}]"#.utf8
      )
    ])
    session.server.answer { _ in .page("<p>News") }
    try session.visit("http://www.logged.com/") { tab throws in
      let number = try #require(try session.number(ofTabAt: "http://www.logged.com/"))
      let logger = browser.extensionURL + "logger/logger.html?tab=\(number)"
      try session.visit(logger) { page throws in
        try expectText("Nothing yet.", page)
        try expectText("Requests of www.logged.com", page)
        // Whether the browser has heard of the logger is not told, so it is tried until one comes.
        _ = try eventually("a request comes") { () -> Bool? in
          _ = try session.reaches("http://third.test/first", from: tab)
          return try rows(page).contains { $0.contains("/first") } ? true : nil
        }
        #expect(try session.reaches("http://third.test/pixel", from: tab) == false)
        #expect(try session.reaches("http://third.test/picture", from: tab) == true)
        try session.visit("http://www.other.com/unseen") { _ in }
        let blocked = try eventually("both are there") { () -> String? in
          let rows = try rows(page)
          guard rows.contains(where: { $0.contains("/picture") && $0.contains("loaded") }) else {
            return nil
          }
          return rows.first { $0.contains("/pixel") && $0.contains("blocked") }
        }
        #expect(blocked.contains("Pixels, rule 1"))
        #expect(try !rows(page).contains { $0.contains("unseen") })
        try search("fate:blocked -other", page)
        _ = try eventually("it alone is found") { try rows(page).count == 1 ? true : nil }
        _ = try browser.evaluate("document.querySelector('.row').click()", in: page)
        try expectText(#""url-filter": "pixel""#, page)
        try expectText("Block this", page)
        try expectReadable(page, browser)
      }
    }
  }

  /// A row that moves away under a press is selected, and stays in view when its details make the view smaller; a
  /// row that the pointer leaves is not.
  func selectsByPresses() throws {
    let outcome = try withRows(
      """
      const selected = [];
      const rows = new LogRows(view, document.getElementById("rows"), ({ id }) => {
        selected.push(id);
        view.style.height = "150px";
      });
      const all = Array.from({ length: 40 }, (_, id) => request(id));
      const press = (id, away, whilePressed) => {
        const row = view.querySelector(`#row-${id}`);
        const mouse = (type, target, x, y) => target.dispatchEvent(
          new MouseEvent(type, { bubbles: true, button: 0, detail: 1, clientX: x, clientY: y }));
        mouse("mousedown", row.querySelector(".url"), 50, 300);
        whilePressed();
        mouse("mouseup", document.body, 50 + away, 300);
      };
      const isSeen = () => {
        const [row, frame] = [view.querySelector("[aria-selected=true]"), view]
          .map((each) => each.getBoundingClientRect());
        return row.top >= frame.top && row.bottom <= frame.bottom;
      };
      const settled = () => new Promise((resolve) => setTimeout(resolve, 100));
      rows.show(all);
      await settled();
      view.scrollTop = 0;
      await settled();
      // The last whole row in 400 pixels, which its details would hide; a row before it goes.
      press(14, 2, () => rows.show(all.slice(1)));
      await settled();
      const first = [selected.splice(0), isSeen()];
      press(12, 40, () => {});
      press(11, 0, () => rows.show(all.slice(20)));
      return [...first, selected];
      """
    )
    let values = try #require(outcome as? [Any])
    #expect(values.first as? [Int] == [14])
    #expect(values.dropFirst().first as? Bool == true, "the selected row is in view")
    #expect((values.last as? [Any])?.isEmpty == true, "what is left, or gone, is not selected")
  }

  /// What is made for ten thousand requests, for a scroll through all of them, and for one more.
  func showsMany() throws {
    let counts = try withRows(
      """
      let made = 0;
      const create = document.createElement;
      document.createElement = (...names) => { made += 1; return create.apply(document, names); };
      const rows = new LogRows(view, document.getElementById("rows"), () => {});
      const all = Array.from({ length: 10000 }, (_, id) => request(id));
      const cost = async (action) => {
        const before = made;
        action();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return made - before;
      };
      const first = await cost(() => rows.show(all));
      const middle = await cost(() => { view.scrollTop = 130000; });
      const kept = [...view.querySelectorAll(".row")];
      rows.show([...all, request(10000)]);
      const drawn = [...view.querySelectorAll(".row")];
      return [
        first, middle, drawn.length, drawn.some((each) => each.innerText.includes("/5000")),
        drawn.every((each, place) => each === kept[place]),
      ];
      """
    )
    let values = try #require(counts as? [Any])
    let numbers = values.prefix(3).compactMap { $0 as? Int }
    #expect(numbers.count == 3)
    // Six elements for each of the rows that 400 pixels show, with those beyond the edges; a scroll
    // may be told twice.
    #expect(numbers.prefix(2).allSatisfy { $0 > 15 && $0 < 500 }, "\(numbers)")
    #expect(numbers.last.map { $0 < 50 } == true)
    #expect(values.dropFirst(3).first as? Bool == true, "what is scrolled to is shown")
    #expect(values.last as? Bool == true, "rows keep their elements")
  }

  /// Runs statements in a logger, with the class of its rows, a view for them of 400 pixels, and what makes requests.
  ///
  /// - Returns: What they return.
  private func withRows(_ statements: String) throws -> Any? {
    session.server.answer { _ in .page("<p>News") }
    let tab = try browser.openTab()
    defer { try? browser.closeTab(tab) }
    try browser.load("http://www.many.com/", in: tab)
    let number = try #require(try session.number(ofTabAt: "http://www.many.com/"))
    var outcome: Any?
    try session.visit(browser.extensionURL + "logger/logger.html?tab=\(number)") { page throws in
      outcome = try browser.evaluate(
        """
        (async () => {
          const { LogRows } = await import(\(quoted(browser.extensionURL + "logger/log-rows.js")));
          // The page's own rows do not come in between.
          const shown = document.getElementById("view");
          const view = shown.cloneNode(true);
          shown.replaceWith(view);
          view.style.flex = "none";
          view.style.height = "400px";
          const request = (id) => ({
            id, time: 0, url: `http://a.test/${id}`, type: "image", method: "GET", frameId: 0,
            initiator: "", page: "", frame: "", resourceType: "image", fate: "loaded", rules: [],
            status: 200, error: "",
          });
          \(statements)
        })()
        """,
        in: page
      )
    }
    return outcome
  }

  /// The rows that can be seen.
  private func rows(_ page: BrowserTab) throws -> [String] {
    let script = "[...document.querySelectorAll('.row')].map((each) => each.innerText)"
    return try browser.evaluate(script, in: page) as? [String] ?? []
  }

  private func search(_ words: String, _ page: BrowserTab) throws {
    _ = try browser.evaluate(
      """
      (() => {
        const field = document.getElementById("search");
        field.value = \(quoted(words));
        field.dispatchEvent(new Event("input", { bubbles: true }));
      })()
      """,
      in: page
    )
  }

  private func expectText(_ text: String, _ page: BrowserTab) throws {
    try browser.expectText(text, in: page)
  }
}
