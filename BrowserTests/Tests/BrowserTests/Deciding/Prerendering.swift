import BrowserDriving
import Foundation
import Testing

/// Pages that Chromium loads and runs before anybody goes to them.
///
/// Chromium does that in no tab that it is driven in; so the tab is the extension's until then.
struct Prerendering {
  let session: Session
  var browser: any Browser { session.browser }
  private static let start = "http://first.test/"
  static let next = "http://first.test/next"
  private static let pixel = "http://pixel.test/"

  init(in session: Session) { self.session = session }

  /// Serves a page with which the next one is loaded ahead.
  func serve() {
    let rules = #"{"prerender": [{"source": "list", "urls": ["/next"], "eagerness": "immediate"}]}"#
    session.server.answer { request in
      switch request.url {
      case Self.start:
        .page(
          """
          <script type=speculationrules>\(rules)</script>
          <body><p id=ad>Ad<p>First <a href=/next>Next</a><img src='\(Self.pixel)first'>
          """
        )
      case Self.next:
        .page(
          """
          <body><p id=ad>Ad<p>Next<img src='\(Self.pixel)early'>
          <iframe src='/frame'></iframe><script>fetch('/ran')</script>
          """
        )
      case "http://first.test/frame": .page("<body><img src='\(Self.pixel)frame'>")
      default: .page("Else")
      }
    }
  }

  /// Opens the first page, waits until the next one is loaded ahead, and calls a function with the tab.
  func open(_ body: (Int) throws -> Void) throws {
    let opened = try browser.evaluateInBackground(
      "(await api.tabs.create({ url: \(quoted(Self.start)) })).id"
    )
    let tab = try #require(opened as? Int)
    defer { _ = try? browser.evaluateInBackground("api.tabs.remove(\(tab))") }
    _ = try eventually("the next page is loaded ahead") {
      session.server.received.contains {
        $0.url == Self.next && $0.headers["sec-purpose"]?.contains("prerender") == true
      } ? true : nil
    }
    try body(tab)
  }

  /// Goes to the next page by its link.
  func go(_ tab: Int) throws {
    _ = try evaluate("document.querySelector('a').click()", tab)
    _ = try eventually("the next page is shown") {
      try browser.evaluateInBackground("(await api.tabs.get(\(tab))).url") as? String == Self.next
        ? true : nil
    }
  }

  private func evaluate(_ expression: String, _ tab: Int) throws -> JSONValue? {
    try browser.evaluateInBackground(
      """
      (await api.scripting.executeScript({
        target: { tabId: \(tab) }, func: async () => (\(expression)),
      }))[0].result
      """
    )
  }

  private func blocked(_ url: String) throws -> [String] {
    let rows = try session.page(url)["rows"] as? [[String: Any]] ?? []
    return rows.compactMap { $0["url"] as? String }.sorted()
  }

  /// Its loads are judged by the page that it is, and told of there; so is what it hides.
  func judgesByThePageItself() throws {
    // Ordinary Chromium has no rule by a page's whole address, so there it is a page's host.
    let isExact = session.mayBlock
    let address = #""if-top-url": ["^http://first\\.test/next"]"#
    let condition = isExact ? address : #""if-domain": ["first.test"]"#
    let rules = """
      [{"trigger": {"url-filter": "^http://pixel", \(condition)}, "action": {"type": "block"}},
       {"trigger": {"url-filter": ".*", \(condition)},
        "action": {"type": "css-display-none", "selector": "#ad"}}]
      """
    try session.use(["rules": Array(rules.utf8)])
    serve()
    let ofFirst = [Self.pixel + "first"]
    try open { tab in
      _ = try eventually("the script of the next page has run") {
        session.server.urls.contains("http://first.test/ran") ? true : nil
      }
      #expect(try blocked(Self.start) == (isExact ? [] : ofFirst))
      let isShown = "getComputedStyle(document.querySelector('#ad')).display !== 'none'"
      #expect(try evaluate(isShown, tab) as? Bool == isExact)
      try go(tab)
      let activation = "performance.getEntriesByType('navigation')[0].activationStart"
      #expect(try #require(try evaluate(activation, tab) as? Double) > 0)
      #expect(try evaluate(isShown, tab) as? Bool == false)
      let later = "fetch('\(Self.pixel)late', { mode: 'no-cors' }).then(() => true, () => false)"
      #expect(try evaluate(later, tab) as? Bool == false)
      let expected = ["early", "frame", "late"].map { Self.pixel + $0 }
      _ = try eventually("all that was blocked is reported") {
        try blocked(Self.next) == expected ? true : nil
      }
      let reached = session.server.urls.filter { $0.hasPrefix(Self.pixel) }
      #expect(reached == (isExact ? Set(ofFirst) : []))
    }
  }
}
