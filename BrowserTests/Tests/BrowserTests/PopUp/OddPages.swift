import BrowserDriving
import Foundation
import Testing

/// What the pop-up says of pages that are not as others.
struct OddPages {
  let session: Session
  var browser: any Browser { session.browser }
  private static let page = "http://odd.example/"

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  /// A page's source, a page that does not answer, and private windows.
  func areCalledWhatTheyAre() throws {
    try session.use([
      "advertisements": Array(
        """
        [{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
         {"trigger": {"url-filter": ".*"},
          "action": {"type": "css-display-none", "selector": ".sponsored"}}]
        """.utf8
      )
    ])
    session.server.answer { _ in
      .page("<title>Odd</title><p class=sponsored>One<img src=/ads/a.png>")
    }
    try session.visit(Self.page) { tab in
      try expect("1 blocked, 1 hidden", ofTabAt: Self.page)
      _ = try browser.evaluate("void setTimeout(() => alert('Wait'))", in: tab)
      // In Firefox such a page still answers extensions.
      let late =
        browser.kind == .firefox
        ? "1 blocked, 1 hidden" : "1 blocked. What is hidden is counted when the page answers."
      let popUp = try expect(late, ofTabAt: Self.page, isKept: true)
      try browser.answerAlert(in: tab)
      try expect("1 blocked, 1 hidden", in: popUp)
      try browser.closeTab(popUp)
      try browser.load("view-source:" + Self.page, in: tab)
      try expect("The source of a page is shown as it is.", ofTabAt: "view-source:" + Self.page)
    }
  }

  @discardableResult
  private func expect(
    _ words: String,
    ofTabAt url: String,
    isKept: Bool = false
  ) throws -> BrowserTab {
    let number = try #require(try session.number(ofTabAt: url))
    let popUp = try browser.openTab()
    try browser.load(browser.extensionURL + "popup/popup.html?tab=\(number)", in: popUp)
    try expect(words, in: popUp)
    try expect("Not in private windows", in: popUp)
    if !isKept { try browser.closeTab(popUp) }
    return popUp
  }

  private func expect(_ words: String, in popUp: BrowserTab) throws {
    _ = try eventually("the pop-up says: \(words)") {
      let text = try browser.evaluate("document.body.innerText", in: popUp) as? String ?? ""
      return text.contains(words) ? true : nil
    }
  }
}
