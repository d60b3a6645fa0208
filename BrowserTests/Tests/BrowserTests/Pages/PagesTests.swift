import BrowserDriving
import Foundation
import Testing

extension BrowserTests.Pages {
  @Test(
    "every page speaks its language, whole and within 360 pixels",
    arguments: languageBrowsers,
    Languages.all
  )
  func languages(_ browser: TestBrowser, _ language: String) throws {
    try Languages(browser, language).areSpokenEverywhere()
  }

  @Test("a note in place of a page speaks its language", arguments: languageBrowsers, Languages.all)
  func noteLanguages(_ browser: TestBrowser, _ language: String) throws {
    try Languages(browser, language).isSpokenByNotes()
  }

  @Test(
    "every page is accessible in both lights and forced colours",
    .withAxe,
    arguments: accessibilityBrowsers
  )
  func accessibility(_ browser: TestBrowser) throws {
    try Accessibility(browser, language: "en").isGivenEverywhere()
  }

  @Test(
    "every page is accessible from right to left",
    .withAxe,
    arguments: accessibilityBrowsers
  )
  func accessibilityFromRightToLeft(_ browser: TestBrowser) throws {
    try Accessibility(browser, language: "ar").isGivenIn("light")
  }

  @Test("every control is reached by the keyboard, and seen", arguments: browsers)
  func keyboard(_ browser: TestBrowser) throws { try Keyboard(browser).reachesEverything() }

  // Those in Japanese need a font for it.
  @Test("other languages are pictured", .withPictures, arguments: browsers, ["ar", "ja"])
  func languagePictures(_ browser: TestBrowser, _ language: String) throws {
    try Languages(browser, language).arePictured(in: #require(pictures))
  }
}
