import Testing

extension BrowserTests.Hiding {
  @Test(
    "scenario 1.1: hidden on one site, or on all others",
    arguments: everyBrowser,
    [false, true]
  )
  func hiding(_ browser: TestBrowser, negated: Bool) throws {
    try HiddenElements(browser).areHiddenOnOneSite(negated: negated)
  }

  @Test("elements are hidden before they are painted, in all frames", arguments: browsers)
  func paint(_ browser: TestBrowser) throws { try HiddenElements(browser).areHiddenBeforePaint() }

  @Test("what is hidden everywhere is hidden where no exception is made", arguments: browsers)
  func everywhere(_ browser: TestBrowser) throws {
    try HiddenEverywhere(browser).isRightInEachDocument()
  }

  @Test("what has one of many names is hidden while a page loads", arguments: everyBrowser)
  func names(_ browser: TestBrowser) throws { try HiddenByName(browser).isHiddenInTime() }

  @Test("what requests hide is hidden when they are made", arguments: everyBrowser)
  func requests(_ browser: TestBrowser) throws {
    let hidden = try HiddenByRequests(browser)
    try hidden.areHiddenByHosts()
    try hidden.areHiddenBesideDocuments()
    try hidden.areHiddenByListsThatCome()
  }

  @Test("a hostile page finds no file and no way to speak", arguments: browsers)
  func hostile(_ browser: TestBrowser) throws { try PryingPage(browser).isToldNothing() }
}
