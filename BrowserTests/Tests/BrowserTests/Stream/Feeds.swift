import BrowserDriving
import Foundation
import Synchronization

/// Sites with feeds, on the server of a session.
struct Feeds {
  let server: LoopbackServer
  private let documents = Documents()

  /// The feeds' texts; the server asks from threads of its own.
  final class Documents: Sendable {
    let texts = Mutex<[String: String]>([:])
    let images = Mutex<[String: Data]>([:])
  }

  init(server: LoopbackServer) {
    self.server = server
    let documents = documents
    server.answer { request in
      let path = URL(string: request.url)?.path() ?? ""
      if path.hasSuffix(".png") {
        var icon = LoopbackServer.Response("image/png", "")
        icon.body =
          documents.images.withLock { $0[path] } ?? Data(base64Encoded: Self.icon) ?? Data()
        return icon
      }
      if let text = documents.texts.withLock({ $0[path] }) {
        return .init(path.hasSuffix(".xml") ? "application/rss+xml" : "text/html", text)
      }
      return .page("<title>Page</title><p>\(path)")
    }
    documents.texts.withLock {
      $0["/news"] = """
        <!doctype html><title>News</title>
        <link rel="alternate" type="application/rss+xml" title="The Daily" href="feed.xml">
        <link rel="icon" href="icon.png"><h1>News</h1>
        """
    }
  }

  /// A page that offers `/feed.xml`.
  var page: String { "http://127.0.0.1:\(server.port)/news" }

  /// Puts a feed in place, of titles and days in November of 2026.
  func set(_ path: String, title: String = "Daily", _ items: [(title: String, day: Int)]) {
    let entries = items.map { item in
      """
      <item><title>\(Self.escaped(item.title))</title>
      <link>/articles/\(item.day)</link><guid>\(item.day)</guid>
      <pubDate>\(item.day) Nov 2026 08:00:00 GMT</pubDate>
      <description>What it says.</description></item>
      """
    }
    set(
      path,
      text: """
        <rss version="2.0"><channel><title>\(title)</title><link>/news</link>
        <image><url>/icon.png</url></image>\(entries.joined())</channel></rss>
        """
    )
  }

  func set(_ path: String, text: String) { documents.texts.withLock { $0[path] = text } }

  func set(_ path: String, image: Data) { documents.images.withLock { $0[path] = image } }

  /// Text as XML has it.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }

  /// A PNG of one pixel.
  private static let icon =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
}
