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

  @Test(
    "what is blocked is counted by site, list and day, and can be deleted",
    arguments: everyBrowser
  )
  func statistics(_ browser: TestBrowser) throws { try OptionsLife(browser).keepsStatistics() }

  @Test("statistics are pictured", .withPictures, arguments: browsers)
  func statisticsPictures(_ browser: TestBrowser) throws {
    try OptionsLife(browser).statisticsArePictured(in: #require(pictures))
  }

  @Test(
    "new notes begin with what was chosen, and are added without a terminal",
    arguments: everyBrowser
  )
  func noteDefaults(_ browser: TestBrowser) throws {
    try OptionsLife(browser).keepsDefaultsOfNotes()
  }

  @Test("10,000 notes are shown a page at a time", arguments: everyBrowser)
  func manyNotes(_ browser: TestBrowser) throws {
    try OptionsLife(browser).keepsTenThousandNotes()
  }

  @Test("everything goes into one file, and comes back from it", arguments: everyBrowser)
  func everything(_ browser: TestBrowser) throws {
    try OptionsLife(browser).takesEverythingAlong()
  }

  @Test("the local app is one click away", arguments: everyBrowser)
  func localAppLink(_ browser: TestBrowser) throws {
    try OptionsLife(browser).leadsToTheLocalApp()
  }

  @Test("a site's settings are edited on the options page", arguments: everyBrowser)
  func siteSettings(_ browser: TestBrowser) throws { try OptionsLife(browser).editsSites() }

  @Test("the number on the button is switched on the options page", arguments: everyBrowser)
  func appearance(_ browser: TestBrowser) throws { try OptionsLife(browser).choosesAppearance() }

  @Test("fifty lists are shown by as few questions as one", arguments: everyBrowser)
  func manyLists(_ browser: TestBrowser) throws { try OptionsLife(browser).keepsFiftyLists() }

  @Test("settings of sites are pictured", .withPictures, arguments: browsers)
  func siteSettingsPictures(_ browser: TestBrowser) throws {
    try OptionsLife(browser).siteSettingsArePictured(in: #require(pictures))
  }
}
