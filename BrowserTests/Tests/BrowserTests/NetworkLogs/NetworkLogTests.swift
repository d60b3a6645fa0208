import Testing

extension BrowserTests.NetworkLogs {
  @Test(
    "a network log that a browser records is explained as its protocol tells the loads",
    .enabled(if: RecordedLog.command != nil, "the command is not built"),
    arguments: browsers,
    ["test", "localhost"]
  )
  func networkLog(_ browser: TestBrowser, _ domain: String) throws {
    try RecordedLog(domain: domain, browser: browser).check()
  }
}
