import BrowserDriving
import Foundation
import Testing

/// Scenario 4.4: an extension that was written for Safari, with messages of its own kind.
struct NoteArticle {
  private static let identifiers: [BrowserKind: String] = [
    .chromium: "bpbbbijmbfpnpjmajfchpmoaellhaabk", .firefox: "article@notes.example",
  ]
  let kind: BrowserKind

  init(_ kind: BrowserKind) { self.kind = kind }

  /// check, add, update, snooze and delete, as the extension sends them.
  func isServed() throws {
    Session.closeAll()
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-article-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let identifier = try #require(Self.identifiers[kind])
    let service = Service(home: folder)
    try service.run("browser", "install", kind.rawValue, "--application-id", "--allow", identifier)
    let server = try LoopbackServer()
    server.answer { _ in .page("<p>Words") }
    let browser = try kind.start(
      BrowserOptions(
        extensionFolder: Session.packageRoot.appending(path: "BrowserTests/Fixtures/ArticleNotes"),
        proxyPort: server.port,
        folder: folder,
        nativeHost: nil,
        nativeHostName: "application.id",
        extensionID: identifier
      )
    )
    defer { browser.close() }
    let popUp = try browser.openTab()
    try browser.load(browser.extensionURL + "popup.html", in: popUp)
    func ask(_ request: String) throws -> [String: Any] {
      let answer = try browser.evaluate(
        "(globalThis.browser ?? chrome).runtime.sendMessage(\(request))",
        in: popUp
      )
      return answer as? [String: Any] ?? [:]
    }
    let url = "https://article.example/reading?a=b"
    _ = try eventually("the extension's background listens") { () -> Bool? in
      try? ask("{ request: 'check', url: \(quoted(url)) }")["type"] as? String == "ignore"
        ? true : nil
    }
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
