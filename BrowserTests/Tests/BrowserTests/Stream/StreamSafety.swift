import BrowserDriving
import Foundation
import Testing

/// What feeds and pages must not be able to do to the stream.
extension StreamLife {
  /// Scripts, addresses of other schemes, and texts that are long or turn the line around do nothing.
  func isNotTakenOver() throws {
    try forgetFeeds()
    let long = String(repeating: "VeryLongWordWithoutAnEnd", count: 400)
    let marks = String(repeating: "e" + String(repeating: "\u{0301}", count: 60), count: 100)
    func item(_ title: String, _ link: String, _ text: String) -> String {
      """
      <item><title>\(title)</title><link>\(link)</link><guid>\(link)\(title.count)</guid>
      <description>\(text)</description></item>
      """
    }
    feeds.set(
      "/feed.xml",
      text: """
        <rss version="2.0"><channel><title>\(long)</title><link>/news</link><image>
        <url>data:image/svg+xml,%3Csvg/onload=alert(1)%3E</url></image>
        \(item(
          "&lt;img src=x onerror='parent.taken = window.taken = 1'&gt;Fish &amp;lt;b&amp;gt;chips",
          "javascript:window.taken=1",
          "&lt;script&gt;window.taken = 1&lt;/script&gt;&lt;a href='javascript:1'&gt;Click&lt;/a&gt;"
        ))
        \(item("Turned \u{202E}gnp.exe\u{202C} \u{2066}around", "data:text/html,taken", marks))
        \(item(long, "/long", long))
        \(item("مقال عن الجسور", "javascript:0", "Text"))
        \(item("File", "file:///etc/passwd", "")) \(item("About", "about:config", ""))
        </channel></rss>
        """
    )
    try service.run("links", "add", "http://127.0.0.1:\(session.server.port)/feed.xml")
    try session.visit(feeds.page) { tab in
      let panel = try openPanel(beside: tab)
      _ = try eventually("the links are shown") {
        try browser.evaluate("document.querySelectorAll('#days li').length", in: panel) as? Int == 6
          ? true : nil
      }
      let shown = try browser.evaluate(
        """
        JSON.stringify({
          taken: window.taken ?? null,
          elements: document.querySelectorAll("#days script, #days [onerror], #days .title .words *").length,
          otherLinks: [...document.querySelectorAll("a")]
            .filter((a) => !/^https?:$/.test(a.protocol)).length,
          turns: /[\\u202A-\\u202E\\u2066-\\u2069]/.test(document.body.textContent),
          isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
          fromRight: [...document.querySelectorAll("#days .title .words")]
            .filter((title) => getComputedStyle(title).direction === "rtl").length,
          tooHigh: [...document.querySelectorAll("#days li")]
            .filter((li) => li.offsetHeight > 250).length,
        })
        """,
        in: panel
      )
      let wanted = """
        {"taken":null,"elements":0,"otherLinks":0,"turns":false,"isTooWide":false,\
        "fromRight":1,"tooHigh":0}
        """
      #expect(shown as? String == wanted)
      #expect(try text("#days", panel).contains("Fish <b>chips"))
      // Pressing all of them leaves the tab on the web.
      _ = try browser.evaluate(
        "[...document.querySelectorAll('#days a')].forEach((link) => link.click())",
        in: panel
      )
      try expectUnread([], panel)
      let place = try browser.evaluate("location.protocol", in: tab) as? String
      #expect(place == "http:")
      #expect(try browser.evaluate("window.taken ?? null", in: panel) == nil)
    }
    try pagesReachNothing()
    try forgetFeeds()
  }

  /// Pages neither open the stream nor ask for it, and offer no feeds of the local network.
  private func pagesReachNothing() throws {
    let server = session.server.port
    feeds.set(
      "/hostile",
      text: """
        <!doctype html><title>Hostile</title>
        <link rel=alternate type=application/rss+xml title=Router href=http://127.0.0.1:\(server)/x.xml>
        <link rel=alternate type=application/rss+xml title=Script href="javascript:alert(1)">
        <link rel=alternate type=application/rss+xml title=File href="file:///etc/passwd">
        <link rel=alternate type=text/html title=Page href="/other">
        """
    )
    try session.visit("http://hostile.example/hostile") { tab in
      let base = browser.extensionURL
      let found = try browser.evaluate(
        """
        Promise.all(["stream/stream.html", "stream/stream.js", "links/links.js", "shared/theme.css"].map((path) =>
          fetch("\(base)" + path).then(() => path, () => null))).then((paths) =>
            [...paths.filter((path) => path), typeof globalThis.chrome?.runtime?.sendMessage,
             typeof globalThis.browser])
        """,
        in: tab
      )
      #expect(found as? [String] == ["undefined", "undefined"])
      for type in ["links", "linkSources", "linkIcons", "markLinks", "subscribe", "refreshLinks"] {
        let refused = try browser.evaluateInBackground(
          "tickbird.answerFromPage({ type: '\(type)' }).then(() => 'told', (e) => e.message)"
        )
        #expect(refused as? String == "not allowed")
      }
      let tabID = try #require(try session.number(ofTabAt: "http://hostile.example/hostile"))
      try session.visit(base + "popup/popup.html?tab=\(tabID)") { popUp in
        try expectText("one feed is offered", "Subscribe", "#feeds button", popUp)
        let count = try browser.evaluate(
          "document.querySelectorAll('#feeds li').length",
          in: popUp
        )
        #expect(count as? Int == 1)
        try browser.click("#feeds button", in: popUp)
        _ = try eventually("the feed is refused") {
          try text("#feeds-fault", popUp).contains("local network") ? true : nil
        }
        #expect(!session.server.urls.contains { $0.hasSuffix("/x.xml") })
      }
    }
  }
}
