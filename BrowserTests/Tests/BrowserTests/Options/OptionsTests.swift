import Testing

extension BrowserTests.Options {
  @Test(
    "lists are offered, added by address, updated, switched and removed without a terminal",
    arguments: everyBrowser
  )
  func lists(_ browser: TestBrowser) throws { try OptionsLife(browser).keepsLists() }

  @Test("sites are exempted and notes are changed on the options page", arguments: browsers)
  func sitesAndNotes(_ browser: TestBrowser) throws {
    try OptionsLife(browser).keepsSitesAndNotes()
  }

  @Test("own rules act when they are saved, and none with a fault", arguments: everyBrowser)
  func ownRules(_ browser: TestBrowser) throws { try OptionsLife(browser).keepsOwnRules() }

  @Test("options and the pop-up without a list are pictured", .withPictures, arguments: browsers)
  func optionsPictures(_ browser: TestBrowser) throws {
    try OptionsLife(browser).isPictured(in: #require(pictures))
  }

  @Test("what is blocked is counted by site, list and day, and can be deleted", arguments: everyBrowser)
  func statistics(_ browser: TestBrowser) throws { try OptionsLife(browser).keepsStatistics() }

  @Test("statistics are pictured", .withPictures, arguments: browsers)
  func statisticsPictures(_ browser: TestBrowser) throws {
    try OptionsLife(browser).statisticsArePictured(in: #require(pictures))
  }
}
