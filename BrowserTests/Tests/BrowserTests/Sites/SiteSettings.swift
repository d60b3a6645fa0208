import BrowserDriving
import Foundation
import Testing

/// What is chosen for single sites, on a page that shows the effect of each choice.
struct SiteSettings {
  let session: Session
  var browser: any Browser { session.browser }

  static let page = "http://www.choice.test/"

  init(_ browser: TestBrowser) throws {
    session = try Session.with(browser)
    try session.use(
      json: """
        [{"trigger": {"url-filter": "listed"}, "action": {"type": "block"}},
         {"trigger": {"url-filter": ".*"},
          "action": {"type": "css-display-none", "selector": ".ad"}}]
        """
    )
    try forget()
    session.server.answer(Self.answer)
  }

  @Sendable static func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Response {
    let url = request.url
    if url.hasSuffix(".js") {
      return .init(
        "text/javascript",
        "document.documentElement.dataset.\(url.contains("other") ? "other" : "own") = 'yes'"
      )
    }
    if url.contains(".woff2") { return .init("font/woff2", "no font") }
    if url.contains("/track") {
      return .init("text/plain", "", headers: ["Set-Cookie": "id=1; Path=/"])
    }
    if url.hasSuffix("/frame") {
      return .page("<p>Frame<script>parent.postMessage(1, '*')</script>")
    }
    if url.hasSuffix("/around") {
      return .page("<p>Around<iframe src=http://www.choice.test/></iframe>")
    }
    return .page(
      """
      <title>Choice</title>
      <style>@font-face { font-family: F; src: url(/own.woff2) } body { font-family: F, serif }</style>
      <h1>Choice</h1><p class=ad>Advertisement</p>
      <script>document.documentElement.dataset.inline = 'yes'</script>
      <script src=/own.js></script><script src=http://cdn.other.test/other.js></script>
      <iframe src=http://frame.other.test/frame></iframe>
      <img src=/own-listed.png><img src=http://cdn.other.test/other-listed.png>
      """
    )
  }

  /// Takes all choices back.
  func forget() throws {
    _ = try browser.evaluateInBackground(
      """
      (async () => {
        const { entries } = await tickbird.answer({ type: "choices" });
        await tickbird.answer({
          type: "take-choices", entries: entries.map(({ site }) => ({ site, choices: [] })),
        });
        for (const site of tickbird.state.settings.allowedSites) {
          await tickbird.answer({ type: "allow", site, isAllowed: false });
        }
        return true;
      })()
      """
    )
  }

  func choose(_ choice: String, site: String = "choice.test") throws {
    _ = try browser.evaluateInBackground(
      "tickbird.answer({ type: 'choose', site: '\(site)', choice: '\(choice)', isOn: true })"
    )
    let fault = try browser.evaluateInBackground("tickbird.state.siteRules?.fault ?? null")
    #expect(fault as? String == nil)
  }

  /// What has come of the page that a tab shows anew.
  struct Effect: Equatable {
    var inline = true, own = true, other = true, frame = true, font = true
    var isHidden = true, ownListed = false, otherListed = false
  }

  /// Loads the page in a tab, and looks at it.
  func effect(_ tab: BrowserTab, page: String = page) throws -> Effect {
    session.server.answer(Self.answer)
    try browser.load(page, in: tab)
    let urls = { session.server.urls }
    // What is blocked does not come later either.
    Thread.sleep(forTimeInterval: 0.7)
    func ran(_ name: String) throws -> Bool {
      try browser.evaluate("document.documentElement.dataset.\(name) === 'yes'", in: tab) as? Bool
        == true
    }
    return Effect(
      inline: try ran("inline"),
      own: try ran("own"),
      other: try ran("other"),
      frame: urls().contains("http://frame.other.test/frame"),
      font: urls().contains("http://www.choice.test/own.woff2"),
      isHidden: try session.isShown(".ad", in: tab) == false,
      ownListed: urls().contains("http://www.choice.test/own-listed.png"),
      otherListed: urls().contains("http://cdn.other.test/other-listed.png")
    )
  }

  // MARK: Switches

  /// Each choice alone, by the pop-up's controls; and then none.
  func actAsTheySay() throws {
    try session.visit(Self.page) { tab throws in
      try expect(Effect(), tab)
      let number = try #require(try session.number(ofTabAt: Self.page))
      try session.visit(browser.extensionURL + "popup/popup.html?tab=\(number)") { popUp throws in
        _ = try eventually("the part is there") { () -> Bool? in
          try browser.evaluate("document.documentElement.dataset.shown === 'true'", in: popUp)
            as? Bool == true ? true : nil
        }
        _ = try browser.evaluate("document.getElementById('on-site').open = true", in: popUp)
        try expectReadable(popUp, browser)
        var wanted = Effect()
        wanted.font = false
        try expect(wanted, tab, after: "fonts", popUp)
        wanted = Effect()
        wanted.isHidden = false
        try expect(wanted, tab, after: "shown", popUp)
        wanted = Effect()
        (wanted.inline, wanted.own, wanted.other) = (false, false, false)
        try expect(wanted, tab, after: "scripts", popUp)
        wanted = Effect()
        (wanted.other, wanted.frame) = (false, false)
        try select("strict", popUp)
        try expect(wanted, tab)
        let shown = try browser.evaluate("document.body.innerText", in: popUp) as? String ?? ""
        #expect(shown.contains("Scripts and frames from other sites are blocked too."))
        #expect(shown.contains("one setting") && shown.contains("Reload page"))
        wanted = Effect()
        (wanted.isHidden, wanted.ownListed) = (false, true)
        try select("relaxed", popUp)
        try expect(wanted, tab)
        try select("normal", popUp)
        try expect(Effect(), tab)
      }
      // A final dot leads to the same server, and is the same site.
      try choose("scripts")
      let dotted = try effect(tab, page: "http://www.choice.test./")
      if session.mayBlock { #expect(!dotted.inline) }
      // Exempted, nothing of it acts.
      _ = try browser.evaluateInBackground(
        "tickbird.answer({ type: 'allow', site: 'choice.test', isAllowed: true })"
      )
      var wanted = Effect()
      (wanted.isHidden, wanted.ownListed, wanted.otherListed) = (false, true, true)
      try expect(wanted, tab)
    }
    try forget()
  }

  private func expect(
    _ wanted: Effect,
    _ tab: BrowserTab,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try effect(tab) == wanted, sourceLocation: location)
  }

  /// Turns a switch on, looks, and turns it off again.
  private func expect(
    _ wanted: Effect,
    _ tab: BrowserTab,
    after choice: String,
    _ popUp: BrowserTab,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    try turn(choice, isOn: true, popUp)
    try expect(wanted, tab, location)
    try turn(choice, isOn: false, popUp)
  }

  private func turn(_ choice: String, isOn: Bool, _ popUp: BrowserTab) throws {
    _ = try browser.evaluate(
      "document.querySelector('[data-choice=\(choice)]').click()",
      in: popUp
    )
    try awaitValue(choice, isOn)
  }

  private func select(_ mode: String, _ popUp: BrowserTab) throws {
    _ = try browser.evaluate(
      """
      (() => {
        const field = document.getElementById("site-mode");
        field.value = "\(mode)";
        field.dispatchEvent(new Event("change"));
      })()
      """,
      in: popUp
    )
    for each in ["strict", "relaxed"] { try awaitValue(each, each == mode) }
  }

  private func awaitValue(_ choice: String, _ isOn: Bool) throws {
    _ = try eventually("\(choice) is \(isOn)") { () -> Bool? in
      try browser.evaluateInBackground(
        """
        (async () => {
          await tickbird.state.siteRules?.apply();
          return tickbird.state.settings.choices.of("choice.test").has("\(choice)");
        })()
        """
      ) as? Bool == isOn ? true : nil
    }
  }

  // MARK: Cookies

  /// Firefox sends cookies of other sites, and Chromium none over http: there the browser's own answer
  /// about its rules, and what is written of the page, are looked at.
  func stripCookies() throws {
    func ask(_ path: String, _ tab: BrowserTab) throws {
      _ = try browser.evaluate(
        "fetch('http://tracker.other.test/track\(path)', { mode: 'no-cors', credentials: 'include' }).then(() => true)",
        in: tab
      )
    }
    func sent(_ path: String) -> String?? {
      session.server.received.first { $0.url.hasSuffix("/track\(path)") }.map {
        $0.headers["cookie"]
      }
    }
    try session.visit(Self.page) { tab throws in
      try ask("first", tab)
      try ask("second", tab)
      if browser.kind == .firefox { #expect(sent("second") == "id=1") }
      try choose("cookies")
      try ask("third", tab)
      #expect(sent("third") == .some(nil))
      let rows = try session.page(Self.page)["rows"] as? [[String: Any]] ?? []
      let stripped = rows.filter { $0["kind"] as? String == "block-cookies" }
      #expect(stripped.map { $0["url"] as? String } == ["http://tracker.other.test/trackthird"])
      // The site's own stay.
      _ = try browser.evaluate("document.cookie = 'own=1'", in: tab)
      _ = try browser.evaluate("fetch('/trackown').then(() => true)", in: tab)
      let own = session.server.received.first { $0.url.hasSuffix("/trackown") }?.headers["cookie"]
      #expect(own?.contains("own=1") == true)
    }
    // On other sites' pages it is sent as ever.
    if browser.kind == .firefox {
      try session.visit("http://www.elsewhere.test/") { tab throws in
        try ask("fourth", tab)
        try ask("fifth", tab)
        #expect(sent("fifth") == "id=1")
      }
    }
    try forget()
  }

  // MARK: Tabs and frames

  func endWithTheTab() throws {
    try session.visit(Self.page) { tab throws in
      let number = try #require(try session.number(ofTabAt: Self.page))
      _ = try browser.evaluateInBackground(
        "tickbird.answer({ type: 'tab-off', tabId: \(number), site: 'choice.test', isOff: true })"
      )
      var off = Effect()
      (off.isHidden, off.ownListed, off.otherListed) = (false, true, true)
      try expect(off, tab)
      // Kept in the browser's memory for a background that starts again, and not on the disk.
      let kept = try browser.evaluateInBackground(
        """
        (async () => {
          const again = new tickbird.state.settings.constructor();
          await again.load();
          return [again.isAllowed("choice.test", \(number)), again.isAllowed("choice.test"),
            "tabsOff" in await api.storage.local.get(["tabsOff"])];
        })()
        """
      )
      #expect(kept as? [Bool] == [true, false, false])
      try session.visit("http://www.elsewhere.test/") { _ in }
      let other = try browser.openTab()
      try expect(Effect(), other)
      try browser.closeTab(other)
      try expect(off, tab)
      try browser.load("http://www.elsewhere.test/", in: tab)
      _ = try eventually("it has ended") { () -> Bool? in
        try browser.evaluateInBackground("tickbird.state.settings.tabsOff.all.length") as? Int == 0
          ? true : nil
      }
      try expect(Effect(), tab)
    }
  }

  /// A frame of the site on another page has that page's settings, and that page's reach its frames.
  func followThePage() throws {
    let around = "http://www.around.test/around"
    func frameRan(_ tab: BrowserTab) throws -> Bool {
      session.server.answer(Self.answer)
      try browser.load(around, in: tab)
      Thread.sleep(forTimeInterval: 0.7)
      // The frame's script has asked for this, or not.
      return session.server.urls.contains("http://www.choice.test/own.js")
    }
    try session.visit("http://www.elsewhere.test/") { tab throws in
      try choose("scripts")
      #expect(try frameRan(tab))
      try choose("scripts", site: "around.test")
      #expect(try !frameRan(tab))
    }
    try forget()
  }

  // MARK: A new start

  /// The browser's own rules act as soon as it answers, before the extension could set them again.
  static func areThereAtTheStart() throws {
    Session.closeAll()
    let session = try Session(.ordinaryChromium)
    defer { session.close() }
    session.server.answer(answer)
    _ = try session.browser.evaluateInBackground(
      "tickbird.answer({ type: 'choose', site: 'choice.test', choice: 'fonts', isOn: true })"
    )
    let tab = "(await api.tabs.query({}))[0].id"
    _ = try session.browser.evaluateInBackground(
      "tickbird.answer({ type: 'tab-off', tabId: \(tab), site: 'elsewhere.test', isOff: true })"
    )
    // Chromium may never begin to load a page that it starts with (`restart(loading:)`).
    try session.restart()
    try session.visit(page) { _ in Thread.sleep(forTimeInterval: 1) }
    #expect(session.server.urls.contains(page))
    #expect(!session.server.urls.contains { $0.contains("woff2") })
    let off = try session.browser.evaluateInBackground("tickbird.state.settings.tabsOff.all.length")
    #expect(off as? Int == 0)
    try session.visit("http://www.elsewhere.test/") { _ in }
    #expect(session.server.urls.contains { $0.contains("woff2") })
  }
}
