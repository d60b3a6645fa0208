import BrowserDriving
import ContentBlocking
import Foundation
import Testing

/// The extension's life: hiding in time, switches, changes, a host that goes, pages that pry.
struct Life {
  let session: Session

  init(_ kind: BrowserKind, mayBlock: Bool = true) throws {
    session = try Session.with(kind, mayBlock: mayBlock)
  }

  private static let blockAll = """
    [{"trigger": {"url-filter": "pixel"}, "action": {"type": "block"}}]
    """

  /// In every frame the element is never visible, at whatever moment its document looks.
  func hidesBeforePaint() throws {
    try session.use([
      "global": Array(
        """
        [{"trigger": {"url-filter": ".*"},
          "action": {"type": "css-display-none", "selector": ".ad"}}]
        """.utf8
      ),
      "single": Array(
        """
        [{"trigger": {"url-filter": "photo"},
          "action": {"type": "css-display-none", "selector": "#late"}}]
        """.utf8
      ),
    ])
    // Looks again and again for a while, for a frame may be painted at any moment.
    @Sendable func watched(_ frame: String) -> String {
      """
      <body><div class=ad style="display:block !important">Ad of \(frame)</div><p id=late>Late</p>
      <script>
      let seen = 0, looks = 0;
      const look = () => {
        const style = getComputedStyle(document.querySelector(".ad"));
        if (style.display !== "none" && style.visibility === "visible") seen += 1;
        if (++looks < 80) setTimeout(look, 5);
        else new Image().src = `http://top.test/report?\(frame)&${seen}`;
      };
      requestAnimationFrame(look);
      setTimeout(look, 0);
      </script>
      """
    }
    let inner = watched("srcdoc").replacing("\"", with: "&quot;")
    session.server.answer { request in
      switch request.url {
      case "http://top.test/":
        .page(
          watched("top")
            + """
            <iframe src="/same"></iframe><iframe src="http://cross.test/"></iframe>
            <iframe srcdoc="\(inner)"></iframe>
            """
        )
      case "http://top.test/same": .page(watched("same"))
      case "http://cross.test/": .page(watched("cross"))
      default: .init("image/png", "")
      }
    }
    try session.visit("http://top.test/") { tab in
      let reports = try eventually("all frames report") { () -> [String]? in
        let reports = session.server.urls.filter { $0.contains("/report?") }
          .compactMap { $0.split(separator: "?").last.map(String.init) }
        return Set(reports.map { $0.prefix { $0 != "&" } }).count == 4 ? reports : nil
      }
      #expect(Set(reports) == ["top&0", "same&0", "cross&0", "srcdoc&0"])
      // By a load that comes later, in its own document alone.
      #expect(try display("#late", tab) != "none")
      _ = try session.browser.evaluate("new Image().src = '/photo.png'", in: tab)
      _ = try eventually("the load hides") { try display("#late", tab) == "none" ? true : nil }
    }
  }

  private func display(_ selector: String, _ tab: BrowserTab) throws -> String? {
    try session.browser.evaluate(
      "getComputedStyle(document.querySelector(\(quoted(selector)))).display",
      in: tab
    ) as? String
  }

  /// Asks for a URL from an open page, and checks whether an answer comes.
  private func expect(_ url: String, reaches isWanted: Bool, _ tab: BrowserTab) throws {
    let result = try session.browser.evaluate(
      "fetch(\(quoted(url)), { mode: 'no-cors' }).then(() => true, () => false)",
      in: tab
    )
    #expect(result as? Bool == isWanted, "\(url)")
  }

  /// Switching a list, exempting a site and changing a list act on an open page's next load.
  func actsAtOnce() throws {
    try session.use(["first": Array(Self.blockAll.utf8)])
    session.server.answer { _ in .page("<p>News") }
    let pixel = "http://third.test/pixel"
    func say(_ message: String) throws {
      _ = try session.browser.evaluateInBackground("tickbird.answer(\(message))")
    }
    try session.visit("http://www.open.com/") { tab in
      try expect(pixel, reaches: false, tab)
      try say("{ type: 'switch', identifier: 'first', isOn: false }")
      try expect(pixel, reaches: true, tab)
      try say("{ type: 'switch', identifier: 'first', isOn: true }")
      try expect(pixel, reaches: false, tab)
      #expect(try session.page("http://www.open.com/")["site"] as? String == "open.com")
      try say("{ type: 'allow', site: 'open.com', isAllowed: true }")
      try expect(pixel, reaches: true, tab)
      #expect(try session.page("http://www.open.com/")["isAllowed"] as? Bool == true)
      try say("{ type: 'allow', site: 'open.com', isAllowed: false }")
      try expect(pixel, reaches: false, tab)
      let other = Self.blockAll.replacing("pixel", with: "beacon")
      try session.use(["first": Array(other.utf8)])
      try expect(pixel, reaches: true, tab)
      try expect("http://third.test/beacon", reaches: false, tab)
    }
    // The host never learns what is visited.
    #expect(session.hostQuestions.contains { $0.contains(#""type":"lists""#) })
    for page in ["open.com", "third.test"] {
      #expect(!session.hostQuestions.contains { $0.contains(page) })
    }
  }

  /// Lists that cannot be had or opened leave the old ones active, and are told of.
  func keepsTheOldList() throws {
    let list = try session.use(["kept": Array(Self.blockAll.utf8)])[0]
    session.server.answer { _ in .page("<p>News") }
    var damaged = try ContentRuleList.compile(list.source).file
    damaged[40] ^= 0xFF
    try session.offer([session.entry("kept", damaged)])
    let fault = try eventually("the fault is reported") {
      try session.browser.evaluateInBackground("tickbird.state.lists.fault") as? String
    }
    #expect(fault.contains("damaged or of another version"))
    var wrong = try session.entry("kept", damaged)
    wrong["digest"] = String(repeating: "0", count: 64)
    try session.offer([wrong])
    _ = try eventually("the fault is reported") {
      (try session.browser.evaluateInBackground("tickbird.state.lists.fault") as? String)?
        .contains("not the list's") == true ? true : nil
    }
    try session.visit("http://open.com/") { tab in
      try expect("http://third.test/pixel", reaches: false, tab)
    }
  }

  /// Without its host the extension goes on with what it has, and comes back to it.
  func outlivesTheHost() throws {
    try session.use(["kept": Array(Self.blockAll.utf8)])
    session.server.answer { _ in .page("<p>News") }
    try session.setHostStopped(true)
    _ = try eventually("the host's end is noticed") {
      try session.browser.evaluateInBackground("tickbird.state.host.state") as? String == "stopped"
        ? true : nil
    }
    try session.visit("http://open.com/") { tab in
      try expect("http://third.test/pixel", reaches: false, tab)
    }
    try session.setHostStopped(false)
    try session.use(["kept": Array(Self.blockAll.replacing("pixel", with: "dot").utf8)])
    try session.visit("http://open.com/") { tab in
      try expect("http://third.test/pixel", reaches: true, tab)
      try expect("http://third.test/dot", reaches: false, tab)
    }
  }

  /// A page finds neither the extension's files nor a way to speak to it.
  func tellsPagesNothing() throws {
    try session.use(["rules": Array(Self.blockAll.utf8)])
    session.server.answer { _ in .page("<p>Hostile") }
    let base = session.browser.extensionURL
    try session.visit("http://hostile.test/") { tab in
      let found = try session.browser.evaluate(
        """
        Promise.all(["manifest.json", "popup/popup.html", "matcher.wasm", "icons/icon.svg",
          "deciding/engine.js"]
          .flatMap((path) => [
            fetch("\(base)" + path).then(() => path, () => null),
            new Promise((resolve) => {
              const image = new Image();
              image.onload = () => resolve(path);
              image.onerror = () => resolve(null);
              image.src = "\(base)" + path;
            }),
            import("\(base)" + path).then(() => path, () => null),
          ])).then((paths) => paths.filter((path) => path))
        """,
        in: tab
      )
      #expect(found as? [String] == [])
      let ways = try session.browser.evaluate(
        """
        [typeof globalThis.browser, typeof globalThis.chrome?.runtime?.sendMessage,
         typeof globalThis.chrome?.runtime?.connectNative, typeof globalThis.tickbird]
        """,
        in: tab
      )
      #expect(ways as? [String] == ["undefined", "undefined", "undefined", "undefined"])
    }
    // What scripts in documents may say is one word, whoever has taken them over.
    let refused = try session.browser.evaluateInBackground(
      "tickbird.answerFromPage({ type: 'page', tabId: 1 }).then(() => 'told', (e) => e.message)"
    )
    #expect(refused as? String == "not allowed")
  }

  /// The pop-up shows what was done, by which rule of which list.
  func showsThePage(_ folder: URL?) throws {
    try session.use([
      "advertisements": Array(
        """
        [{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
         {"trigger": {"url-filter": "^http://[^/]*metrics\\\\.test/"}, "action": {"type": "block"}},
         {"trigger": {"url-filter": ".*"},
          "action": {"type": "css-display-none", "selector": ".sponsored, #banner"}}]
        """.utf8
      ),
      "privacy": Array(
        """
        [{"trigger": {"url-filter": "secure"}, "action": {"type": "make-https"}},
         {"trigger": {"url-filter": "widget"}, "action": {"type": "block-cookies"}}]
        """.utf8
      ),
    ])
    session.server.answer { request in
      request.url == "http://www.daily.example/"
        ? .page(
          """
          <body><h1>Daily</h1><div id=banner>Banner</div><p class=sponsored>One
          <p class=sponsored>Two<img src=http://cdn.example/ads/top.png>
          <img src=http://cdn.example/ads/side.png><script src=http://a.metrics.test/t.js></script>
          <img src=http://secure.example/logo.png><img src=http://widget.example/like.png>
          """
        ) : .init("text/plain", "")
    }
    for isDark in folder == nil ? [false] : [false, true] {
      try session.browser.setDark(isDark)
      try session.visit("http://www.daily.example/") { _ in
        let tabID = try #require(
          try session.browser.evaluateInBackground(
            "(await api.tabs.query({})).find((tab) => tab.url.includes('daily.example')).id"
          ) as? Int
        )
        let popUp = try session.browser.openTab()
        defer { try? session.browser.closeTab(popUp) }
        try session.browser.setSize(width: 380, height: 780, of: popUp)
        try session.browser.load(
          session.browser.extensionURL + "popup/popup.html?tab=\(tabID)",
          in: popUp
        )
        let text = try eventually("the pop-up shows what is hidden") { () -> String? in
          let text =
            try session.browser.evaluate("document.body.innerText", in: popUp) as? String ?? ""
          return text.contains("hidden") && text.contains("#banner") ? text : nil
        }
        #expect(text.contains("daily.example"))
        try expectReadable(popUp, session.browser)
        #expect(text.contains("3 blocked, 3 hidden, 1 upgraded, "))
        #expect(text.contains("Advertisements, rule 1") && text.contains("2×"))
        #expect(text.contains("Advertisements, rule 2") && text.contains("Privacy, rule 1"))
        #expect(text.contains(".sponsored, #banner") && text.contains("Advertisements, rule 3"))
        if let folder {
          let name = "popup-\(session.browser.kind.rawValue)-\(isDark ? "dark" : "light").png"
          try session.browser.screenshot(of: popUp).write(to: folder.appending(path: name))
          _ = try session.browser.evaluate(
            "document.querySelector('details summary').click()",
            in: popUp
          )
          Thread.sleep(forTimeInterval: 0.5)
          try session.browser.screenshot(of: popUp)
            .write(to: folder.appending(path: "open-\(name)"))
        }
        try expectPassed(tabID, popUp)
      }
    }
  }

  /// The pop-up tells of what came through before there was anything to decide by.
  private func expectPassed(_ tabID: Int, _ popUp: BrowserTab) throws {
    _ = try session.browser.evaluateInBackground(
      """
      tickbird.state.tabs.shown(\(tabID)).journal.add("passed",
        [{ identifier: "advertisements", rules: [1] }], { url: "http://a.metrics.test/early", type: "ping" })
      """
    )
    try session.browser.load(
      session.browser.extensionURL + "popup/popup.html?tab=\(tabID)",
      in: popUp
    )
    _ = try eventually("the pop-up shows what came through") {
      let text = try session.browser.evaluate("document.body.textContent", in: popUp) as? String
      return text?.contains("3 blocked, 1 came through, 3 hidden") == true
        && text?.contains("Came through while the browser started1") == true
        && text?.contains("a.metrics.test/early") == true ? true : nil
    }
  }
}
