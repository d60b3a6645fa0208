import BrowserDriving
import Foundation
import Testing

/// Scenario 4.4: an extension that was written for Safari, with messages of its own kind.
struct NoteArticle {
  let kind: BrowserKind

  init(_ kind: BrowserKind) { self.kind = kind }

  /// check, add, update, snooze and delete, as the extension sends them.
  func isServed() throws {
    let article = try ArticleExtension(kind)
    defer { article.close() }
    let browser = article.browser
    func ask(_ request: String) throws -> [String: Any] { try article.ask(request) }
    let url = "https://article.example/reading?a=b"
    try article.waitForBackground()
    let added = try ask(
      "{ request: 'add', url: \(quoted(url)), text: 'Read it?\\n<i>Now?</i>', emoji: '📚' }"
    )
    #expect(added as NSDictionary == ["type": "reload"])
    let tab = try browser.openTab()
    try browser.load("http://article.example/", in: tab)
    func words() throws -> String? { try browser.element("#note .words", in: tab)?.text }
    _ = try eventually("the note is shown") { try words() }
    #expect(try words() == "Read it?\n<i>Now?</i>")
    #expect(try browser.element("#note .emoji", in: tab)?.text == "📚")
    let note = try ask("{ request: 'check', url: \(quoted(url)) }")
    #expect(note["type"] as? String == "message" && note["isSnoozed"] as? Bool == false)
    let id = try #require(note["id"] as? String)
    #expect(
      try ask("{ request: 'update', id: \(quoted(id)), text: 'Then not.' }") as NSDictionary
        == ["type": "reload"]
    )
    try browser.load("http://article.example/again", in: tab)
    _ = try eventually("the new text is shown") { () -> Bool? in
      try words() == "Then not." ? true : nil
    }
    let view = try browser.element("#note .view", in: tab)
    try browser.click(try #require(view), in: tab)
    _ = try eventually("the page comes") { () -> Bool? in
      let text = try? browser.evaluate("document.body?.innerText", in: tab) as? String
      return try text == "Words" && words() == nil ? true : nil
    }
    #expect(
      try ask("{ request: 'check', url: \(quoted(url)) }")["isSnoozed"] as? Bool == true
    )
    #expect(
      try ask("{ request: 'delete', id: \(quoted(id)) }") as NSDictionary == ["type": "reload"]
    )
    #expect(
      try ask("{ request: 'check', url: \(quoted(url)) }") as NSDictionary == ["type": "ignore"]
    )
  }
}
