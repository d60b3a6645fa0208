import BrowserDriving
import Foundation

/// Takes pictures of pages, for the documents and the critical eye.
struct Pictures {
  let browser: any Browser
  /// Where they are written, as WHAT-BROWSER-LIGHT.png.
  let folder: URL
  /// Whether the browser was told to be dark, which this does not do.
  let isDark: Bool

  /// Writes a picture of a page of this size in CSS pixels; nil leaves the size as it is.
  func take(_ what: String, _ width: Int? = nil, _ height: Int? = nil, of tab: BrowserTab) throws {
    if let width, let height { try browser.setSize(width: width, height: height, of: tab) }
    // What moves comes to rest, and icons and letters are there.
    Thread.sleep(forTimeInterval: 0.7)
    let name = "\(what)-\(browser.kind.rawValue)-\(isDark ? "dark" : "light").png"
    try browser.screenshot(of: tab).write(to: folder.appending(path: name))
  }
}
