import Testing

extension BrowserTests.Deciding {
  @Test("scenario 1.2: a tracker is stopped where it is third-party", arguments: everyBrowser)
  func tracker(_ browser: TestBrowser) throws { try Scenarios(browser).stopsATracker() }

  @Test(
    "scenario 1.3: the accident and the ways out",
    arguments: everyBrowser,
    WayOut.allCases
  )
  func wayOut(_ browser: TestBrowser, _ way: WayOut) throws { try way.check(Scenarios(browser)) }

  @Test("scenario 1.6: cookies are neither sent nor set", arguments: everyBrowser)
  func cookies(_ browser: TestBrowser) throws {
    try Scenarios(browser).stripsCookies()
    try Scenarios(browser).keepsAnswersFromSettingCookies()
  }

  @Test(
    "scenario 1.6: http without a port becomes https, and the extension does not match it again",
    arguments: everyBrowser
  )
  func upgrade(_ browser: TestBrowser) throws { try Scenarios(browser).upgrades() }

  @Test("a page that is blocked as a whole is opened once, or always", arguments: everyBrowser)
  func blockedPage(_ browser: TestBrowser) throws {
    try BlockedPage(browser).isOpenedOnceOrAlways()
  }

  @Test("a page that is blocked as a whole is opened from the pop-up", arguments: everyBrowser)
  func blockedPopUp(_ browser: TestBrowser) throws {
    try BlockedPage(browser).isOpenedFromThePopUp()
  }

  @Test("no site reaches the page in the place of a blocked one", arguments: everyBrowser)
  func blockedAttacks(_ browser: TestBrowser) throws {
    try BlockedPage(browser).isOutOfReachOfSites()
  }

  @Test("the page in the place of a blocked one is pictured", .withPictures, arguments: browsers)
  func blockedPictures(_ browser: TestBrowser) throws {
    try BlockedPage(browser).isPictured(in: #require(pictures))
  }

  @Test("a page that is loaded ahead is judged as itself", arguments: prerenderingBrowsers)
  func prerendering(_ browser: TestBrowser) throws {
    try Prerendering(in: .with(browser)).judgesByThePageItself()
  }

  @Test(
    "the log is decided as by the engine and by WebKit",
    .withLogs,
    arguments: browsers
  )
  func log(_ browser: TestBrowser) throws { try EngineAnswers(browser).decidesTheLog() }

  @Test(
    "what reaches the server is what the engine lets through",
    .withLogs,
    arguments: browsers
  )
  func outcome(_ browser: TestBrowser) throws { try EngineAnswers(browser).actsAsTheEngine() }

  @Test("all vectors are decided as WebKit decides them", arguments: browsers)
  func vectors(_ browser: TestBrowser) throws { try VectorAnswers(browser).hold() }
}
