import Testing

extension BrowserTests.Installing {
  @Test("installed for good: scenarios 1.2 and 1.6", arguments: Permanent.browsers)
  func blocks(_ browser: TestBrowser) throws { try Permanent(browser).blocks() }

  @Test(
    "installed for good: a restart keeps the lists, without a host",
    arguments: Permanent.browsers
  )
  func restart(_ browser: TestBrowser) throws { try Permanent(browser).keepsListsOverARestart() }

  @Test(
    "installed for good: from the page that the browser starts with",
    arguments: Permanent.browsers
  )
  func firstPage(_ browser: TestBrowser) throws { try Permanent(browser).actsFromTheFirstPage() }

  private static let reason =
    "a Chromium that loads the extension by hand blocks by a switch; Firefox needs none"

  @Test(
    "installed by a policy: the log is decided as by the engine and by WebKit",
    .only(in: .chromium, because: reason),
    .withLogs,
    arguments: Permanent.browsers
  )
  func policyLog(_ browser: TestBrowser) throws {
    try EngineAnswers(in: Permanent(browser).session).decidesTheLog()
  }

  @Test(
    "installed by a policy: what reaches the server is what the engine lets through",
    .only(in: .chromium, because: reason),
    .withLogs,
    arguments: Permanent.browsers
  )
  func policyOutcome(_ browser: TestBrowser) throws {
    try EngineAnswers(in: Permanent(browser).session).actsAsTheEngine()
  }
}
