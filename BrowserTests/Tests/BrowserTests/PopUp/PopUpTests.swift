import Testing

extension BrowserTests.PopUp {
  @Test("the pop-up shows what was done by which rule", arguments: browsers)
  func popUp(_ browser: TestBrowser) throws { try PageReport(browser).showsThePage(pictures) }

  @Test("a source, a page that shows an alert and private windows are named", arguments: browsers)
  func oddPages(_ browser: TestBrowser) throws { try OddPages(browser).areCalledWhatTheyAre() }

  @Test("a rule is named with its line, and shown as it stands there", arguments: browsers)
  func ruleLines(_ browser: TestBrowser) throws { try RuleLines(browser).showsLines() }

  @Test("rules are found in every form of text that the engine takes", arguments: browsers)
  func rulePlaces(_ browser: TestBrowser) throws { try RuleLines(browser).findsElements() }

  @Test("five hundred blocked requests cost the pop-up what fifty do", arguments: everyBrowser)
  func manyBlocked(_ browser: TestBrowser) throws { try ManyItems(browser).areFewElements() }

  @Test("fifty lists are asked for at once", arguments: everyBrowser)
  func manyLists(_ browser: TestBrowser) throws { try ManyItems(browser).areFiftyLists() }
}
