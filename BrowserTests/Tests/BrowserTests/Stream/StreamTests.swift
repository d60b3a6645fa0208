import Testing

extension BrowserTests.Stream {
  @Test(
    "the stream: subscribed from the pop-up, read, searched, opened, kept up to date",
    arguments: browsers
  )
  func stream(_ browser: TestBrowser) throws { try StreamLife(browser).lives() }

  @Test("the stream: feeds chosen and taken away, many links, keys, faults", arguments: browsers)
  func streamUse(_ browser: TestBrowser) throws { try StreamLife(browser).choosesAndPages() }

  @Test("the stream: hostile feeds and pages", arguments: browsers)
  func hostileStream(_ browser: TestBrowser) throws { try StreamLife(browser).isNotTakenOver() }

  @Test("the stream: pictures", .withPictures, arguments: browsers)
  func streamPictures(_ browser: TestBrowser) throws {
    try StreamPictures(browser, #require(pictures)).take()
  }
}
