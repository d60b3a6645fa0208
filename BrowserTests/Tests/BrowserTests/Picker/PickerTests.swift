import Testing

extension BrowserTests.Picker {
  @Test(
    "an element is picked by mouse, shown, saved as a rule that acts, and taken back",
    arguments: everyBrowser
  )
  func mouse(_ browser: TestBrowser) throws { try PickerLife(browser).picksByMouse() }

  @Test(
    "an element is picked by keyboard alone, in frames of another site too",
    arguments: everyBrowser
  )
  func keyboard(_ browser: TestBrowser) throws { try PickerLife(browser).picksByKeyboard() }

  // Firefox's driver sends clicks to the page and not to its frames.
  @Test("an element in a frame of another site is picked by mouse", arguments: prerenderingBrowsers)
  func frames(_ browser: TestBrowser) throws { try PickerLife(browser).picksInFrames() }

  @Test("the menu over an element chooses it", arguments: everyBrowser)
  func menu(_ browser: TestBrowser) throws { try PickerLife(browser).picksFromTheMenu() }

  @Test("a hostile page saves nothing, and gets nothing else picked", arguments: everyBrowser)
  func hostile(_ browser: TestBrowser) throws { try PickerLife(browser).withstandsPages() }

  @Test("a request is blocked from the pop-up and from the logger", arguments: everyBrowser)
  func requests(_ browser: TestBrowser) throws { try PickerLife(browser).blocksRequests() }

  @Test("the picker is pictured", .withPictures, arguments: browsers)
  func pickerPictures(_ browser: TestBrowser) throws {
    try PickerLife(browser).isPictured(in: #require(pictures))
  }
}
