import BrowserDriving
import Foundation
import Testing

/// A page that is blocked as a whole: what is in its place, and the ways on.
struct BlockedPage {
  let session: Session
  var browser: any Browser { session.browser }

  init(_ browser: TestBrowser) throws {
    session = try Session.with(browser)
    try session.use(
      json:
        #"[{"trigger": {"url-filter": "^http://[^/]*blocked\\.test/"}, "action": {"type": "block"}}]"#
    )
    session.server.answer { request in
      switch request.url {
      case let url where url.hasSuffix("/go"): Self.redirection
      case let url where url.hasSuffix(".js"):
        .init("text/javascript", "document.documentElement.dataset.ran = 'yes'")
      case let url where url.hasPrefix("http://blocked.test/"):
        .page("<title>Itself</title><body><p>The page itself</p><script src=/own.js></script>")
      default: .page("<title>Start</title><body><p>Start</p>")
      }
    }
  }

  private static let redirection: LoopbackServer.Response = {
    var response = LoopbackServer.Response("text/plain", "")
    response.status = 302
    response.headers["Location"] = "http://blocked.test/gone"
    return response
  }()

  /// Goes where a script of the page in a tab sends it.
  func go(_ url: String, _ tab: BrowserTab) throws {
    _ = try browser.evaluate(
      "void setTimeout(() => { location.href = \(quoted(url)) }, 0)",
      in: tab
    )
  }

  /// Waits until a tab shows that a page is blocked, and returns what it says.
  @discardableResult
  func expectBlocked(_ url: String, _ tab: BrowserTab) throws -> String {
    try eventually("the page in the place of \(url) is there") { () -> String? in
      let shown = try? browser.evaluate(
        "[location.href, document.documentElement.dataset.shown ?? '', document.body.innerText]",
        in: tab
      )
      guard let words = shown as? [String], words.count == 3, words[1] == "true",
        words[0].hasPrefix(browser.extensionURL + "blocked/"), words[2].contains(url)
      else { return nil }
      return words[2]
    }
  }

  func expectText(_ text: String, _ tab: BrowserTab) throws {
    _ = try eventually("the tab shows “\(text)”") { () -> Bool? in
      let shown = try? browser.evaluate("document.body?.innerText ?? ''", in: tab) as? String
      return shown?.contains(text) == true ? true : nil
    }
  }

  /// Presses a button as a person does, when it acts.
  func press(_ button: String, _ tab: BrowserTab) throws {
    _ = try eventually("the button acts") { () -> Bool? in
      let isIdle = try browser.evaluate("document.querySelector('\(button)').disabled", in: tab)
      return isIdle as? Bool == false ? true : nil
    }
    let element = try #require(try browser.element(button, in: tab))
    try browser.click(element, in: tab)
  }

  /// Says which rule of which list; goes back; opens once; allows for good.
  func isOpenedOnceOrAlways() throws {
    let page = "http://blocked.test/page?a=1&b=%20c"
    try session.visit("http://start.test/") { tab in
      try go(page, tab)
      let text = try expectBlocked(page, tab)
      #expect(text.contains("This page is blocked"))
      #expect(text.contains("Rule 1, line 1, of the list “Rules” blocks it."))
      try expectReadable(tab, browser)
      // Back leads to the page before, and not here again.
      try press("#back", tab)
      try expectText("Start", tab)
      try go(page, tab)
      try expectBlocked(page, tab)
      try press("#once", tab)
      try expectText("The page itself", tab)
      // What it loads is decided as ever.
      #expect(!session.server.urls.contains("http://blocked.test/own.js"))
      _ = try browser.evaluate("void setTimeout(() => location.reload(), 0)", in: tab)
      try go("http://blocked.test/next", tab)
      try expectText("The page itself", tab)
      try session.visit("http://start.test/") { other in
        try go(page, other)
        try expectBlocked(page, other)
      }
      try go("http://start.test/", tab)
      try expectText("Start", tab)
      // Where it came by a redirection, too.
      try go("http://start.test/go", tab)
      try expectBlocked("http://blocked.test/gone", tab)
      try press("#always", tab)
      try expectText("The page itself", tab)
      _ = try eventually("the page's script runs") { () -> Bool? in
        try browser.evaluate("document.documentElement.dataset.ran", in: tab) as? String == "yes"
          ? true : nil
      }
    }
    try session.visit("http://start.test/") { tab in
      try go("http://www.blocked.test/later", tab)
      try expectText("Start", tab)
      _ = try eventually("the site is allowed") { () -> Bool? in
        session.server.urls.contains("http://www.blocked.test/later") ? true : nil
      }
    }
    let allowed = try browser.evaluateInBackground("tickbird.state.settings.allowedSites")
    #expect(allowed as? [String] == ["blocked.test"])
    try forget()
  }

  /// The pop-up offers the same, and says what was done.
  func isOpenedFromThePopUp() throws {
    let page = "http://blocked.test/pop"
    try session.visit("http://start.test/") { tab in
      try go(page, tab)
      try expectBlocked(page, tab)
      let number = try #require(
        try browser.evaluateInBackground(
          "(await api.tabs.query({})).find((tab) => tab.url.includes('/blocked/blocked.html'))?.id"
        ) as? Int
      )
      try session.visit(browser.extensionURL + "popup/popup.html?tab=\(number)") { popUp in
        try expectText("This page is blocked", popUp)
        let text = try browser.evaluate("document.body.innerText", in: popUp) as? String ?? ""
        #expect(text.contains("blocked.test") && !text.contains("nothing to do"))
        #expect(text.contains("Rule 1, line 1, of the list “Rules” blocks it."))
        _ = try browser.evaluate("document.querySelector('#blocked-once').click()", in: popUp)
        try expectText("The page itself", tab)
      }
    }
    try forget()
  }

  /// No site can show that page, let it act, or bring a tab to it without a navigation of the user's.
  func isOutOfReachOfSites() throws {
    let forged = browser.extensionURL + "blocked/blocked.html?url=http%3A%2F%2Fblocked.test%2F"
    try session.visit("http://evil.test/") { tab in
      _ = try browser.evaluate(
        """
        (async () => {
          const frame = document.createElement("iframe");
          frame.src = \(quoted(forged));
          document.body.append(frame);
          const link = document.createElement("link");
          Object.assign(link, { rel: "prefetch", as: "document", href: "http://blocked.test/ahead" });
          const rules = document.createElement("script");
          rules.type = "speculationrules";
          const urls = ["http://blocked.test/fetched", "http://evil.test/ahead"];
          rules.textContent = JSON.stringify({
            prefetch: [{ source: "list", urls }], prerender: [{ source: "list", urls }],
          });
          document.head.append(link, rules);
          await fetch(\(quoted(forged))).catch(() => {});
          try {
            window.open(\(quoted(forged)));
          } catch {
            // Firefox says so; in Chromium the window is empty.
          }
          const anchor = document.createElement("a");
          Object.assign(anchor, { href: \(quoted(forged)), target: "_blank" });
          document.body.append(anchor);
          anchor.click();
          await new Promise((resolve) => setTimeout(resolve, 1500));
        })()
        """,
        in: tab
      )
      #expect(try browser.evaluate("location.href", in: tab) as? String == "http://evil.test/")
      // Chromium names the address above a page of its own, which says that it is blocked.
      if let opened = try browser.tab(at: forged) {
        let isThere = "document.querySelector('#always') !== null"
        #expect(try browser.evaluate(isThere, in: opened) as? Bool == false)
        try browser.closeTab(opened)
      }
      let shown = try browser.evaluateInBackground(
        """
        (await api.tabs.query({})).map(({ url }) => url)
          .filter((url) => url.startsWith(api.runtime.getURL("blocked/")) && url !== \(quoted(forged)))
        """
      )
      #expect(shown as? [String] == [])
      let refused = try browser.evaluateInBackground(
        """
        tickbird.answerFromPage({ type: "open-blocked", tabId: 1, url: "", choice: "always" })
          .then(() => "done", ({ message }) => message)
        """
      )
      #expect(refused as? String == "not allowed")
      let allowed = try browser.evaluateInBackground("tickbird.state.settings.allowedSites")
      #expect((allowed as? [String])?.isEmpty == true)
    }
  }

  /// What the page looks like.
  func isPictured(in folder: URL) throws {
    let page = "http://blocked.test/news/2026/11/article.html?from=mail"
    for shade in ["light", "dark"] {
      try browser.setDark(shade == "dark")
      try session.visit("http://start.test/") { tab in
        try browser.setSize(width: 900, height: 620, of: tab)
        try go(page, tab)
        try expectBlocked(page, tab)
        Thread.sleep(forTimeInterval: 1)
        try browser.screenshot(of: tab)
          .write(to: folder.appending(path: "blocked-\(browser.kind.rawValue)-\(shade).png"))
      }
    }
    try browser.setDark(false)
  }

  /// Takes back what was allowed.
  private func forget() throws {
    _ = try browser.evaluateInBackground(
      "tickbird.answer({ type: 'allow', site: 'blocked.test', isAllowed: false })"
    )
  }
}
