import BrowserDriving
import Foundation
import Testing

/// Pictures of the first page, and of the page about what is done by hand.
extension FirstRunJourney {
  func isPictured(in pictures: URL) throws {
    // The page about what is done by hand is for those without root's help.
    try tickbird("setup", "--yes", "--only-me", "--no-open", wanted.kind.rawValue)
    try setUp()
    try startBrowser()
    let browser = try #require(open)
    let page = try firstPage(browser)
    let url = browser.extensionURL + "first-run/first-run.html"
    func picture(
      _ what: String,
      _ isDark: Bool,
      _ width: Int,
      _ height: Int,
      _ tab: BrowserTab
    ) throws {
      try browser.setSize(width: width, height: height, of: tab)
      Thread.sleep(forTimeInterval: 0.7)
      let name = "\(what)-\(browser.kind.rawValue)-\(isDark ? "dark" : "light").png"
      try browser.screenshot(of: tab).write(to: pictures.appending(path: name))
    }
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
      try visit(url, isDark) { tab in
        try isReady(tab)
        try picture("first-run", isDark, 760, 640, tab)
      }
    }
    try browser.setDark(false)
    try browser.click("#turn-on", in: page)
    try expectBlock(on: page, of: browser)
    for isDark in [false, true] {
      try visit(url, isDark) { tab in
        try isReady(tab)
        try browser.click("#again", in: tab)
        try expectBlock(on: tab, of: browser)
        try picture("first-run-blocked", isDark, 760, 980, tab)
      }
      let guide = folder.appending(path: ".local/share/tickbird/browser/by-hand.html")
      try visit("file://\(guide.path)", isDark) { tab in
        try picture("by-hand", isDark, 760, browser.kind == .chromium ? 1010 : 820, tab)
      }
    }
    try browser.setDark(false)
  }
}
