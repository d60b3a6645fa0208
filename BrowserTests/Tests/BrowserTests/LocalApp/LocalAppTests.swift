import Testing

extension BrowserTests.LocalApp {
  @Test("local app: opened by its address, every page works by hand", arguments: browsers)
  func localApp(_ browser: TestBrowser) throws { try LocalAppLife(browser).worksByHand() }

  @Test(
    "local app: other sites, and other ports of this host, read and change nothing",
    arguments: browsers
  )
  func localAppForeigners(_ browser: TestBrowser) throws {
    try LocalAppLife(browser).keepsOthersOut()
  }

  @Test("local app: a name that was made to lead here is refused", arguments: browsers)
  func localAppRebinding(_ browser: TestBrowser) throws {
    try LocalAppLife(browser).refusesReboundNames()
  }

  @Test("local app: pictures", .withPictures, arguments: browsers, [false, true])
  func localAppPictures(_ browser: TestBrowser, isDark: Bool) throws {
    try LocalAppLife(browser).showsPages(#require(pictures), isDark: isDark)
  }
}
