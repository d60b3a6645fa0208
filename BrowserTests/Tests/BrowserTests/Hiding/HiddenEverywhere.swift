import BrowserDriving
import Foundation
import Testing

/// What lists hide everywhere, and the documents in which they do not.
struct HiddenEverywhere {
  let session: Session
  var browser: any Browser { session.browser }

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  /// A document that looks for a while whether its three elements are shown, and reports it.
  private static func watched(_ name: String) -> String {
    """
    <body><p class=ad>Ad</p><p class=more>More</p><p class=most>Most</p><script>
    const seen = { ad: new Set(), more: new Set(), most: new Set() };
    let looks = 0;
    const look = () => {
      for (const [name, states] of Object.entries(seen)) {
        const style = getComputedStyle(document.querySelector("." + name));
        if (style.visibility === "visible") states.add(style.display === "none" ? "hidden" : "shown");
      }
      const told = Object.values(seen).map((states) => [...states].join("+")).join(",");
      if (++looks < 60) setTimeout(look, 5);
      else new Image().src = "http://told.test/report?" + "\(name):" + told;
    };
    look();
    </script>
    """
  }

  /// Serves the pages, and forgets what was told before.
  private func serve() {
    session.server.answer { request in
      let host = URL(string: request.url)?.host() ?? ""
      let inner = Self.watched("srcdoc").replacing("\"", with: "&quot;")
      let frames =
        "<iframe src='http://kept.test/'></iframe><iframe src='http://other.test/'></iframe>"
        + "<iframe srcdoc=\"\(inner)\"></iframe>"
      if let range = request.url.range(of: "/to/") {
        return .redirect(to: "http://\(request.url[range.upperBound...])/")
      }
      return request.url.contains("/report?")
        ? .init("image/png", "") : .page(Self.watched(host) + (host == "top.test" ? frames : ""))
    }
  }

  /// What each document of a page has seen, by its name, as `ad,more,most`.
  private func seen(on url: String, _ names: Set<String>) throws -> [String: String] {
    serve()
    return try session.visit(url) { _ in
      try eventually("all documents of \(url) report") {
        let told = session.server.urls.compactMap { address -> (String, String)? in
          guard address.contains("/report?") else { return nil }
          let words = address.split(separator: "?")[1].split(separator: ":")
          return (String(words[0]), String(words[1]))
        }
        let all = Dictionary(told) { $1 }
        return Set(all.keys) == names ? all : nil
      }
    }
  }

  func isRightInEachDocument() throws {
    try session.use([
      "ads": Array(
        """
        [{"trigger": {"url-filter": ".*"}, "action": {"type": "css-display-none", "selector": ".ad"}},
         {"trigger": {"url-filter": "kept\\\\.test"}, "action": {"type": "ignore-previous-rules"}}]
        """.utf8
      ),
      "more": Array(
        """
        [{"trigger": {"url-filter": ".*"}, "action": {"type": "css-display-none", "selector": ".more"}},
         {"trigger": {"url-filter": ".*", "unless-domain": ["kept.test"]},
          "action": {"type": "css-display-none", "selector": ".most"}}]
        """.utf8
      ),
    ])
    let isFirefox = browser.kind == .firefox
    if isFirefox { try countInsertions() }
    let both = "hidden,hidden,hidden"
    let names: Set = ["top.test", "kept.test", "other.test", "srcdoc"]
    let ruled = [
      "top.test": both, "kept.test": "shown,hidden,hidden", "other.test": both, "srcdoc": both,
    ]
    for _ in 0..<2 { #expect(try seen(on: "http://top.test/", names) == ruled) }
    #expect(try seen(on: "http://kept.test/", ["kept.test"]) == ["kept.test": "shown,hidden,shown"])
    if isFirefox {
      // The browser itself hides in all others.
      let before = try insertions()
      #expect(try seen(on: "http://fresh.test/", ["fresh.test"]) == ["fresh.test": both])
      #expect(try insertions() == before)
    }
    // An exempted page, with its frames; their hosts elsewhere are not exempted.
    try set("tickbird.answer({ type: 'allow', site: 'top.test', isAllowed: true })")
    let bare = ["top.test", "kept.test", "other.test", "srcdoc"].map { ($0, "shown,shown,shown") }
    for _ in 0..<2 {
      #expect(try seen(on: "http://top.test/", names) == Dictionary(uniqueKeysWithValues: bare))
    }
    #expect(try seen(on: "http://other.test/", ["other.test"]) == ["other.test": both])
    // Also where another page redirects to it.
    #expect(
      try seen(on: "http://hop.test/to/top.test", names) == Dictionary(uniqueKeysWithValues: bare)
    )
    try set("tickbird.answer({ type: 'allow', site: 'top.test', isAllowed: false })")
    #expect(try seen(on: "http://top.test/", names) == ruled)
    // A list that is switched off hides nothing, also where the browser did it.
    try set("tickbird.state.lists.setOn('more', false)")
    #expect(
      try seen(on: "http://third.test/", ["third.test"]) == ["third.test": "hidden,shown,shown"]
    )
    try set("tickbird.state.lists.setOn('more', true)")
    #expect(try seen(on: "http://third.test/", ["third.test"]) == ["third.test": both])
  }

  private func set(_ script: String) throws {
    _ = try browser.evaluateInBackground("(async () => { await \(script); return true; })()")
  }

  /// Counts the style sheets that the extension inserts from now on, once the browser has those of all.
  private func countInsertions() throws {
    _ = try eventually("the browser has the sheets") { () -> Bool? in
      let count = try browser.evaluateInBackground(
        "tickbird.state.matcher.hiding.registeredAt('http://any.test/').size"
      )
      return count as? Int == 3 ? true : nil
    }
    _ = try browser.evaluateInBackground(
      """
      (() => {
        globalThis.insertions = 0;
        const { insertCSS } = browser.tabs;
        browser.tabs.insertCSS = (...details) => { insertions += 1; return insertCSS(...details); };
        return true;
      })()
      """
    )
  }

  private func insertions() throws -> Int {
    try #require(try browser.evaluateInBackground("insertions") as? Int)
  }
}
