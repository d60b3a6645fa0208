import BrowserDriving
import Foundation
import Testing

/// A Safari app extension of macOS, both halves of it.
struct ReadingTime {
  let kind: BrowserKind

  init(_ kind: BrowserKind) { self.kind = kind }

  /// The page's words become the badge, a click shows the minutes, and the menu looks a word up.
  func isShown() throws {
    let words = Array(repeating: "word", count: 500).joined(separator: " ")
    let whole = try WholeExtension(kind, .readingTime, text: words)
    defer { whole.close() }
    let browser = whole.browser
    let url = "http://article.example/long"
    let tab = try browser.openTab()
    func wait<Value>(_ what: String, _ body: () throws -> Value?) throws -> Value {
      do {
        return try eventually(what, body)
      } catch let error as DrivingError {
        throw DrivingError("\(error); the handler has logged: \(try whole.log())")
      }
    }
    try whole.visit(url, in: tab)
    _ = try wait("the handler knows the page") { () -> Bool? in
      try whole.log().contains("500 words") ? true : nil
    }
    _ = try wait("the badge says 3") { () -> Bool? in
      try browser.toolbarBadge(of: whole.extensionID) == "3" ? true : nil
    }
    try browser.clickToolbarItem(of: whole.extensionID)
    let shown = try wait("the page says how long it takes") { () -> String? in
      try browser.evaluate("document.getElementById('reading-time')?.textContent ?? null", in: tab)
        as? String
    }
    #expect(shown == "3 min")
    #expect(try whole.log().contains("clicked: 3 min"))

    // The page's script has none of it.
    #expect(try browser.evaluate("typeof safari", in: tab) as? String == "undefined")

    // A word is selected, and looked up in the menu, whose item names it.
    _ = try browser.evaluate(
      "getSelection().setBaseAndExtent(document.querySelector('p').firstChild, 0, "
        + "document.querySelector('p').firstChild, 4)",
      in: tab
    )
    let place = try #require(try browser.element("p", in: tab)?.frame)
    _ = try wait("the word is looked up") { () -> Bool? in
      if try whole.log().contains("looks up word") { return true }
      // A menu that opened before the item knew the word is opened again.
      try browser.click(x: place.minX + 10, y: place.minY + 8, in: tab, isSecondary: true)
      for _ in 0..<6 {
        if try browser.chooseMenuItem("Look Up “word”", id: "LookUp", of: whole.extensionID) {
          break
        }
        Thread.sleep(forTimeInterval: 0.3)
      }
      return nil
    }

    // Turned off, the handler ends, and the browser goes on.
    try whole.service.run("extensions", "off", WholeExtension.Example.readingTime.identifier)
    #expect(try whole.log().contains("is being turned off"))
    try whole.service.run("extensions", "on", WholeExtension.Example.readingTime.identifier)
    try whole.visit("http://article.example/other", in: tab)
    _ = try wait("the handler runs again") { () -> Bool? in
      try whole.log().components(separatedBy: "500 words").count > 2 ? true : nil
    }
  }
}
