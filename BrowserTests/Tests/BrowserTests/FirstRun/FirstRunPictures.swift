import BrowserDriving
import Foundation
import Testing

/// Pictures of the first page, and of the page about what is done by hand.
extension FirstRunJourney {
  func isPictured(in folder: URL) throws {
    // The page about what is done by hand is for those without root's help.
    try tickbird("setup", "--yes", "--only-me", "--no-open", wanted.kind.rawValue)
    try setUp()
    try startBrowser()
    let browser = try #require(open)
    let page = try firstPage(browser)
    let url = browser.extensionURL + "first-run/first-run.html"
    func visit(_ url: String, _ isDark: Bool, _ body: (BrowserTab) throws -> Void) throws {
      try browser.setDark(isDark)
      let tab = try browser.openTab()
      defer { try? browser.closeTab(tab) }
      try browser.load(url, in: tab)
      try body(tab)
    }
    func isReady(_ tab: BrowserTab) throws {
      _ = try eventually("the page is shown") {
        try browser.evaluate("document.documentElement.dataset.shown", in: tab) as? String
      }
    }
    for isDark in [false, true] {
      let pictures = Pictures(browser: browser, folder: folder, isDark: isDark)
      try visit(url, isDark) { tab in
        try isReady(tab)
        try pictures.take("first-run", 760, 640, of: tab)
      }
    }
    try browser.setDark(false)
    try browser.click("#turn-on", in: page)
    try expectBlock(on: page, of: browser)
    for isDark in [false, true] {
      let pictures = Pictures(browser: browser, folder: folder, isDark: isDark)
      try visit(url, isDark) { tab in
        try isReady(tab)
        try browser.click("#again", in: tab)
        try expectBlock(on: tab, of: browser)
        try pictures.take("first-run-blocked", 760, 980, of: tab)
      }
      let guide = folder.appending(path: ".local/share/tickbird/browser/by-hand.html")
      try visit("file://\(guide.path)", isDark) { tab in
        try pictures.take("by-hand", 760, browser.kind == .chromium ? 1010 : 820, of: tab)
      }
    }
    try browser.setDark(false)
  }
}
