import BrowserDriving
import Testing

/// What is hidden in a page because of its requests, and not because of the page.
struct HiddenByRequests {
  let session: Session

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  // With an icon of its own, so that the browser asks for none.
  private static let page =
    "<link rel=icon href='data:,'><body><p id=far class=far>A</p><p id=any class=any>B</p>"
    + "<p id=own class=own>C</p>"

  private static let far =
    #"{"trigger": {"url-filter": "^https?://([^/]+\\.)?far\\.test[/:]"},"#
    + #" "action": {"type": "css-display-none", "selector": ".far"}}"#
  private static let farSocket =
    #"{"trigger": {"url-filter": "^[^:]+://+([^:/]+\\.)?far\\.test[/:]"},"#
    + #" "action": {"type": "css-display-none", "selector": ".own"}}"#
  private static let any =
    #"{"trigger": {"url-filter": ".*"}, "action": {"type": "css-display-none", "selector": ".any"}}"#

  /// A rule for a host hides when something is asked of the host, by whatever request.
  func areHiddenByHosts() throws {
    try session.use(json: "[\(Self.far), \(Self.farSocket), \(Self.any)]")
    answer()
    try session.visit("http://plain.test/") { tab in
      try awaitHidden("any", in: tab)
      _ = try session.reaches("http://nofar.test/", from: tab)
      #expect(try isShown("far", in: tab) && isShown("own", in: tab))
      try connect("ws://sub.far.test/", from: tab)
      try awaitHidden("own", in: tab)
      #expect(try isShown("far", in: tab))
      _ = try session.reaches("http://far.test/", from: tab)
      try awaitHidden("far", in: tab)
    }
    // In the next page nothing of it is left.
    try session.visit("http://plain.test/next") { tab in
      try awaitHidden("any", in: tab)
      #expect(try isShown("far", in: tab))
    }
  }

  /// What a rule keeps from being hidden by a document's request, other requests hide that the rule does not
  /// match, as in WebKit.
  func areHiddenBesideDocuments() throws {
    let ignore =
      #"{"trigger": {"url-filter": "^http://cut\\.test/$", "resource-type": ["document"]},"#
      + #" "action": {"type": "ignore-previous-rules"}}"#
    let own =
      #"{"trigger": {"url-filter": ".*", "if-domain": ["cut.test"]},"#
      + #" "action": {"type": "css-display-none", "selector": ".own"}}"#
    try session.use(json: "[\(Self.any), \(own), \(ignore)]")
    answer()
    try session.visit("http://cut.test/") { tab in
      #expect(try isShown("any", in: tab) && isShown("own", in: tab))
      _ = try session.reaches("http://cut.test/next", from: tab)
      try awaitHidden("any", in: tab)
      try awaitHidden("own", in: tab)
    }
    try session.visit("http://plain.test/") { tab in
      try awaitHidden("any", in: tab)
      #expect(try isShown("own", in: tab))
    }
  }

  /// In a page that is open when a list comes, its next request hides what the list says.
  func areHiddenByListsThatCome() throws {
    try session.use(json: "[\(Self.any)]")
    answer()
    try session.visit("http://plain.test/") { tab in
      try awaitHidden("any", in: tab)
      let own = Self.any.replacing(".any", with: ".own")
      try session.use(json: "[\(Self.any), \(own)]")
      #expect(try isShown("own", in: tab))
      _ = try session.reaches("http://plain.test/next", from: tab)
      try awaitHidden("own", in: tab)
    }
  }

  private func answer() { session.server.answer { _ in .page(Self.page) } }

  /// Tries to open a connection, which the server does not take.
  private func connect(_ url: String, from tab: BrowserTab) throws {
    _ = try session.browser.evaluate(
      """
      new Promise((resolve) => {
        const socket = new WebSocket(\(quoted(url)));
        socket.onerror = socket.onclose = socket.onopen = () => resolve(true);
      })
      """,
      in: tab
    )
  }

  private func isShown(_ name: String, in tab: BrowserTab) throws -> Bool {
    try session.isShown("#\(name)", in: tab) == true
  }

  private func awaitHidden(_ name: String, in tab: BrowserTab) throws {
    _ = try eventually("#\(name) is hidden") {
      try session.isShown("#\(name)", in: tab) == false ? true : nil
    }
  }
}
