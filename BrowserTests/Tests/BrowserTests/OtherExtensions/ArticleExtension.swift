import BrowserDriving
import Foundation

/// An extension that is not Tickbird's, and passes on to the native host whatever its page says, in a
/// browser of its own.
final class ArticleExtension {
  private static let identifiers: [BrowserKind: String] = [
    .chromium: "bpbbbijmbfpnpjmajfchpmoaellhaabk", .firefox: "article@notes.example",
  ]
  private let kind: BrowserKind
  let service: Service
  let browser: any Browser
  /// A page of the extension.
  let popUp: BrowserTab
  private let server: LoopbackServer
  private let folder: URL

  /// Starts the browser; all pages say "Words".
  init(_ kind: BrowserKind) throws {
    Session.closeAll()
    self.kind = kind
    folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-article-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    service = Service(home: folder)
    try Self.register(kind, service, "--with-page-notes")
    server = try LoopbackServer()
    server.answer { _ in .page("<p>Words") }
    var options = BrowserOptions(
      extensionFolder: Session.packageRoot.appending(path: "BrowserTests/Fixtures/ArticleNotes"),
      proxyPort: server.port,
      folder: folder,
      nativeHost: nil,
      nativeHostName: "application.id",
      extensionID: Self.identifiers[kind] ?? ""
    )
    options.extensionPage = "popup.html"
    browser = try kind.start(options)
    popUp = try browser.openTab()
    try browser.load(browser.extensionURL + "popup.html", in: popUp)
  }

  /// Registers the native host for the extension, with more options.
  private static func register(_ kind: BrowserKind, _ service: Service, _ more: String...) throws {
    let words = ["browser", "install", kind.rawValue, "--application-id", "--allow"]
    try service.run(words + [identifiers[kind] ?? ""] + more)
  }

  /// Lets the extension set the list of an installed web extension, and ask its handler.
  func grant(_ webExtension: String) throws {
    try Self.register(kind, service, "--for", webExtension)
  }

  func close() {
    browser.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The native host's answer to an object, in JavaScript.
  func ask(_ message: String) throws -> [String: Any] {
    let answer = try browser.evaluate(
      "(globalThis.browser ?? chrome).runtime.sendMessage(\(message))",
      in: popUp
    )
    return answer as? [String: Any] ?? [:]
  }

  /// Waits until the extension's background passes on what it is told.
  func waitForBackground() throws {
    _ = try eventually("the extension's background listens") { () -> Bool? in
      try? ask("{ request: 'check', url: 'https://nothing.example/' }")["type"] as? String
        == "ignore" ? true : nil
    }
  }
}
