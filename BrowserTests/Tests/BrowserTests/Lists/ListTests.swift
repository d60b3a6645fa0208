import Testing

extension BrowserTests.Lists {
  @Test("switches, exempted sites and changed lists act at once", arguments: everyBrowser)
  func switches(_ browser: TestBrowser) throws { try ListLife(browser).actsAtOnce() }

  @Test("a list that cannot be opened or had leaves the old one active", arguments: browsers)
  func damage(_ browser: TestBrowser) throws { try ListLife(browser).keepsTheOldList() }

  @Test("the extension outlives its host and comes back to it", arguments: browsers)
  func host(_ browser: TestBrowser) throws { try ListLife(browser).outlivesTheHost() }

  @Test(
    "with the service: lists are turned on and off, changed and removed",
    .withService,
    arguments: everyBrowser
  )
  func service(_ browser: TestBrowser) throws { try ServiceLife(browser).followsTheService() }

  @Test(
    "with the service: a list's text comes when it is asked for",
    .withService,
    arguments: everyBrowser
  )
  func texts(_ browser: TestBrowser) throws { try ServiceLife(browser).fetchesTextsOnDemand() }

  @Test(
    "with the service: a host that is killed is started again",
    .withService,
    arguments: browsers
  )
  func killedHost(_ browser: TestBrowser) throws { try ServiceLife(browser).outlivesItsHost() }
}
