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

  @Test(
    "local app: every page speaks its language, whole and within 360 pixels",
    arguments: languageBrowsers,
    Languages.all
  )
  func localAppLanguages(_ browser: TestBrowser, _ language: String) throws {
    try LocalAppLooks(browser).speakOneLanguage(language)
  }

  @Test(
    "local app: every page is accessible in both lights and forced colours",
    .withAxe,
    arguments: accessibilityBrowsers
  )
  func localAppAccessibility(_ browser: TestBrowser) throws {
    try LocalAppLooks(browser).areAccessible()
  }

  @Test("local app: every control is reached by the keyboard, and seen", arguments: browsers)
  func localAppKeyboard(_ browser: TestBrowser) throws {
    try LocalAppLooks(browser).areReachedByKeyboard()
  }

  @Test("local app: pictures in other languages", .withPictures, arguments: browsers)
  func localAppLanguagePictures(_ browser: TestBrowser) throws {
    try LocalAppLooks(browser).arePictured(in: #require(pictures))
  }

  @Test("local app: pictures", .withPictures, arguments: browsers, [false, true])
  func localAppPictures(_ browser: TestBrowser, isDark: Bool) throws {
    try LocalAppLife(browser).showsPages(#require(pictures), isDark: isDark)
  }
}
