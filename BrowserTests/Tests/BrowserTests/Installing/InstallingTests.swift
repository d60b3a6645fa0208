import BrowserDriving
import Testing

extension BrowserTests.InChromium {
  @Test("installed by a policy: scenarios 1.2 and 1.6", .permanently(.chromium))
  func policyBlocks() throws { try Permanent(Self.kind).blocks() }

  @Test("installed by a policy: a restart keeps the lists, without a host", .permanently(.chromium))
  func policyRestart() throws { try Permanent(Self.kind).keepsListsOverARestart() }

  @Test(
    "installed by a policy: from the page that the browser starts with",
    .permanently(.chromium)
  )
  func policyFirstPage() throws { try Permanent(Self.kind).actsFromTheFirstPage() }

  @Test(
    "installed by a policy: the log is decided as by the engine and by WebKit",
    .permanently(.chromium),
    .enabled(if: Logs.folder != nil, "there is no folder of data")
  )
  func policyLog() throws {
    try EngineAnswers(in: Permanent(Self.kind).session).decidesTheLog()
  }

  @Test(
    "installed by a policy: what reaches the server is what the engine lets through",
    .permanently(.chromium),
    .enabled(if: Logs.folder != nil, "there is no folder of data")
  )
  func policyOutcome() throws {
    try EngineAnswers(in: Permanent(Self.kind).session).actsAsTheEngine()
  }
}

extension BrowserTests.InFirefox {
  @Test("installed for all users: scenarios 1.2 and 1.6", .permanently(.firefox))
  func systemBlocks() throws { try Permanent(Self.kind).blocks() }

  @Test(
    "installed for all users: a restart keeps the lists, without a host",
    .permanently(.firefox)
  )
  func systemRestart() throws { try Permanent(Self.kind).keepsListsOverARestart() }

  @Test(
    "installed for all users: from the page that the browser starts with",
    .permanently(.firefox)
  )
  func systemFirstPage() throws { try Permanent(Self.kind).actsFromTheFirstPage() }
}
