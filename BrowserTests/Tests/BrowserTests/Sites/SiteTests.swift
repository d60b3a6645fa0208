import Testing

extension BrowserTests.Sites {
  @Test("each switch of a site does what it says, there alone", arguments: everyBrowser)
  func switches(_ browser: TestBrowser) throws { try SiteSettings(browser).actAsTheySay() }

  @Test(
    "other sites' cookies are neither sent nor set on a site without them",
    arguments: everyBrowser
  )
  func cookies(_ browser: TestBrowser) throws { try SiteSettings(browser).stripCookies() }

  @Test("what is large is loaded by a person's click, and by no page's", arguments: everyBrowser)
  func media(_ browser: TestBrowser) throws { try SiteMedia(browser).waitsForAClick() }

  @Test("off for a tab is so in that tab, until it leaves the site", arguments: everyBrowser)
  func tabOff(_ browser: TestBrowser) throws { try SiteSettings(browser).endWithTheTab() }

  @Test("frames of a site on other pages follow those pages", arguments: everyBrowser)
  func frames(_ browser: TestBrowser) throws { try SiteSettings(browser).followThePage() }

  @Test("menus and keys do what they say", arguments: everyBrowser)
  func menus(_ browser: TestBrowser) throws { try SiteMenus(browser).act() }

  @Test(
    "the button shows the site's state, and its number can be switched off",
    arguments: everyBrowser
  )
  func button(_ browser: TestBrowser) throws { try SiteMenus(browser).showTheState() }

  @Test(
    "the browser's own rules have a site's settings at its start",
    .only(in: .ordinaryChromium, because: "its rules are what blocks")
  )
  func restart() throws { try SiteSettings.areThereAtTheStart() }
}
