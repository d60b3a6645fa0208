import Testing

extension BrowserTests.OtherExtensions {
  @Test(
    "scenario 4.4: an extension as Safari's articles have it works unchanged",
    arguments: browsers
  )
  func noteArticle(_ browser: TestBrowser) throws { try NoteArticle(browser.kind).isServed() }

  @Test(
    "scenario 4: a Safari web extension runs whole, from its Xcode project",
    .enabled(if: RecordedLog.command != nil, "tickbird is not built"),
    arguments: browsers
  )
  func wholeNotes(_ browser: TestBrowser) throws { try WholeNotes(browser.kind).live() }

  @Test(
    "extensions that name one application reach their own handlers, and hear their own apps",
    .enabled(if: RecordedLog.command != nil, "tickbird is not built"),
    arguments: browsers
  )
  func twins(_ browser: TestBrowser) throws { try TwinExtensions(browser.kind).areApart() }

  @Test(
    "a Safari app extension runs whole, from its Xcode project",
    .enabled(if: RecordedLog.command != nil, "tickbird is not built"),
    arguments: browsers
  )
  func readingTime(_ browser: TestBrowser) throws { try ReadingTime(browser.kind).isShown() }

  @Test(
    "a folder .safariextension runs whole, from its import",
    .enabled(if: RecordedLog.command != nil, "tickbird is not built"),
    arguments: browsers
  )
  func olderFolder(_ browser: TestBrowser) throws { try OlderFolder(browser.kind).live() }

  @Test("scenario 1.5: a script of another extension sets a list", arguments: browsers)
  func scriptedList(_ browser: TestBrowser) throws { try ScriptedList(browser.kind).isSet() }
}
