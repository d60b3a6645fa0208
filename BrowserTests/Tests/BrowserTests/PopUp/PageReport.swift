import BrowserDriving
import Foundation
import Testing

/// What the pop-up says of the page that is open.
struct PageReport {
  let session: Session

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

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
          let isWhole = ["hidden", "#banner", "Notes", "Shared Links"].allSatisfy {
            text.contains($0)
          }
          return isWhole ? text : nil
        }
        #expect(text.contains("daily.example"))
        try expectReadable(popUp, session.browser)
        #expect(text.contains("3 blocked, 3 hidden, 1 upgraded, "))
        #expect(text.contains("cdn.example\n2") && text.contains("a.metrics.test\n1"))
        #expect(text.contains(".sponsored, #banner") && text.contains("Advertisements, rule 3"))
        // Switches come before all that a page may make long.
        let places = ["Allow on this site", "Lists", "Shared Links", "Notes", "Blocked"]
          .map { text.range(of: $0)?.lowerBound }
        #expect(
          places.allSatisfy { $0 != nil }
            && places.compactMap { $0 } == places.compactMap { $0 }.sorted()
        )
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
        try expectRequests(popUp)
        try expectPassed(tabID, popUp)
      }
    }
  }

  /// A host shows its requests, and these their rules.
  private func expectRequests(_ popUp: BrowserTab) throws {
    _ = try session.browser.evaluate(
      "document.querySelectorAll('.rows > details').forEach((each) => { each.open = true; })",
      in: popUp
    )
    let parts = [
      "/ads/top.png image", "/ads/side.png image", "/t.js script", "Advertisements, rule 1",
      "Advertisements, rule 2", "Privacy, rule 1", "Privacy, rule 2",
    ]
    _ = try eventually("the requests are shown") {
      let text = try session.browser.evaluate("document.body.innerText", in: popUp) as? String ?? ""
      return parts.allSatisfy { text.contains($0) } ? true : nil
    }
    // Where a switch is pressed, the focus stays.
    let focus = try session.browser.evaluate(
      """
      (async () => {
        const press = async () => {
          document.querySelector("#list-switches input").click();
          await new Promise((resolve) => setTimeout(resolve, 300));
        };
        document.querySelector("#list-switches input").focus();
        await press();
        const words = document.querySelector("#reload-line").innerText;
        await press();
        return [document.activeElement.matches("#list-switches input"), words.includes("Reload page"),
          document.querySelectorAll(".rows > details[open]").length > 3];
      })()
      """,
      in: popUp
    )
    #expect(focus as? [Bool] == [true, true, true])
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
        ? true : nil
    }
  }
}
