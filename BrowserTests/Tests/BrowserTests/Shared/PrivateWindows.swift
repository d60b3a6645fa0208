import BrowserDriving
import Foundation
import Testing

/// Private windows, once the browser's user lets the extension in there.
struct PrivateWindows {
  let life: NoteLife
  var session: Session { life.session }
  var browser: any Browser { life.browser }
  private static let page = "http://secret.example/"

  init(_ browser: TestBrowser) throws {
    life = try NoteLife(browser)
    let identifier = try #require(Session.identifiers[browser.kind])
    try life.browser.allowPrivateWindows(to: identifier)
  }

  private func open(_ url: String) throws -> BrowserTab {
    _ = try browser.evaluateInBackground(
      "api.windows.create({ incognito: true, url: \(quoted(url)) })"
    )
    return try eventually("the private window is open") { try browser.tab(at: url) }
  }

  /// Lists and notes act there as elsewhere; of what happened there, nothing is kept.
  func areAsOthersAndLeaveNothing() throws {
    let rules = """
      [{"trigger": {"url-filter": "/pixel", "if-domain": ["secret.example"]},
        "action": {"type": "block"}},
       {"trigger": {"url-filter": ".*"},
        "action": {"type": "css-display-none", "selector": "#ad"}}]
      """
    try session.use(["rules": Array(rules.utf8)])
    session.server.answer { _ in .page("<body><p id=ad>Ad<p>Words<img src=/pixel>") }
    let tab = try open(Self.page)
    try life.expectPage(tab, "Words")
    _ = try eventually("the advertisement is hidden") {
      try session.isShown("#ad", in: tab) == false ? true : nil
    }
    _ = try eventually("the pop-up tells what was blocked") {
      (try session.page(Self.page)["counts"] as? [String: Int])?["block"] == 1 ? true : nil
    }
    #expect(!session.server.urls.contains(Self.page + "pixel"))
    // In Firefox the pop-up of a private window is private; Chromium has it outside.
    if browser.kind == .firefox {
      let number = try #require(try session.number(ofTabAt: Self.page))
      let popUp = try open(browser.extensionURL + "popup/popup.html?tab=\(number)")
      _ = try eventually("the pop-up in a private window is complete") {
        let text = try browser.evaluate("document.body.innerText", in: popUp) as? String
        return text?.contains("secret.example") == true && text?.contains("1 blocked") == true
          ? true : nil
      }
      try browser.closeTab(popUp)
    }
    try life.add("secret.example", "Not here either")
    try browser.load(Self.page, in: tab)
    #expect(try life.expectNote(tab) == "Not here either")
    try life.choose("view", tab)
    try life.expectPage(tab, "Words")
    try browser.closeTab(tab)
    try life.removeAll()
    let kept = try browser.evaluateInBackground(
      """
      JSON.stringify([await api.storage.local.get(), await api.storage.session?.get(),
        await tickbird.state.statistics.report(30, null)])
      """
    )
    #expect(try !#require(kept as? String).contains("secret"))
  }
}
