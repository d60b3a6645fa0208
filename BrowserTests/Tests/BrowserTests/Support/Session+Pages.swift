import BrowserDriving
import Foundation

/// Pages of a session's browser, and what is asked of them.
extension Session {
  /// Loads a page in a tab of its own, and calls a function with it.
  func visit<Result>(_ url: String, _ body: (BrowserTab) throws -> Result) throws -> Result {
    let tab = try browser.openTab()
    defer { try? browser.closeTab(tab) }
    try browser.load(url, in: tab)
    return try body(tab)
  }

  /// The extension's number for the tab that shows a URL.
  func number(ofTabAt url: String) throws -> Int? {
    try browser.evaluateInBackground(
      "(await api.tabs.query({})).find((tab) => tab.url === \(quoted(url)))?.id"
    ) as? Int
  }

  /// What the background would tell the pop-up of the tab that shows a URL.
  func page(_ url: String) throws -> [String: Any] {
    let message = "{ type: 'page', tabId: \(try number(ofTabAt: url) ?? -1) }"
    let answer = try browser.evaluateInBackground("tickbird.answer(\(message))")
    return answer as? [String: Any] ?? [:]
  }

  /// Whether an open page gets an answer from a URL.
  func reaches(_ url: String, from tab: BrowserTab) throws -> Bool? {
    try browser.evaluate(
      "fetch(\(quoted(url)), { mode: 'no-cors' }).then(() => true, () => false)",
      in: tab
    ) as? Bool
  }

  /// Whether the first element that a selector finds is displayed.
  func isShown(_ selector: String, in tab: BrowserTab) throws -> Bool? {
    try browser.evaluate(
      "getComputedStyle(document.querySelector(\(quoted(selector)))).display !== 'none'",
      in: tab
    ) as? Bool
  }
}

/// A text as a literal of JavaScript.
func quoted(_ text: String) -> String {
  let data = try? JSONSerialization.data(withJSONObject: text, options: .fragmentsAllowed)
  return String(decoding: data ?? Data("null".utf8), as: UTF8.self)
}
