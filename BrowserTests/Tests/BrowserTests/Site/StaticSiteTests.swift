import Testing

extension BrowserTests.Site {
  @Test("site: from a server and from files, a search finds, by keyboard", arguments: browsers)
  func siteSearch(_ browser: TestBrowser) throws { try SiteLife(browser).searches() }

  @Test("site: pages are whole, and within 360 pixels", arguments: browsers)
  func sitePages(_ browser: TestBrowser) throws { try SiteLife(browser).pagesAreWhole() }

  @Test("site: every control is reached by the keyboard, and seen", arguments: browsers)
  func siteKeyboard(_ browser: TestBrowser) throws { try SiteLife(browser).reachedByKeyboard() }

  @Test(
    "site: accessible in both lights and forced colours",
    .withAxe,
    .withModule,
    arguments: accessibilityBrowsers
  )
  func siteAccessibility(_ browser: TestBrowser) throws { try SiteLife(browser).areAccessible() }

  @Test(
    "playground: a list is diagnosed and mended, a load explained, from a server and from files",
    .withModule,
    arguments: browsers
  )
  func playground(_ browser: TestBrowser) throws { try PlaygroundLife(browser).diagnoses() }

  @Test("playground: every example shows what it is for", .withModule, arguments: browsers)
  func playgroundExamples(_ browser: TestBrowser) throws { try PlaygroundLife(browser).examples() }

  @Test("playground: what takes too long is stopped, and goes on", .withModule, arguments: browsers)
  func playgroundLimits(_ browser: TestBrowser) throws { try PlaygroundLife(browser).limits() }

  @Test("playground: a link carries list and load", .withModule, arguments: browsers)
  func playgroundLinks(_ browser: TestBrowser) throws { try PlaygroundLife(browser).links() }

  @Test("playground: links of others run nothing", .withModule, arguments: browsers)
  func playgroundHostileLinks(_ browser: TestBrowser) throws {
    try PlaygroundLife(browser).hostileLinks()
  }

  @Test("site: pictures", .withPictures, .withModule, arguments: browsers, [false, true])
  func sitePictures(_ browser: TestBrowser, isDark: Bool) throws {
    try PlaygroundLife(browser).arePictured(in: #require(pictures), isDark: isDark)
  }
}
