import Testing

extension BrowserTests.Shared {
  @Test("private windows are as others, and leave nothing", .withService, arguments: browsers)
  func privateWindows(_ browser: TestBrowser) throws {
    defer { Session.closeAll() }
    try PrivateWindows(browser).areAsOthersAndLeaveNothing()
  }

  @Test("the stream: a missing host is reported", arguments: browsers)
  func streamWithoutHost(_ browser: TestBrowser) throws {
    try MissingHost(browser).isReportedByTheStream()
  }

  @Test(
    "the pop-up: a browser that does not let the extension block, and a missing host, are reported",
    .only(in: .ordinaryChromium, because: "every other browser lets the extension block")
  )
  func popUpWithoutHost() throws { try MissingHost(.ordinaryChromium).isReportedByThePopUp() }
}
