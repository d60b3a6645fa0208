import Foundation
import Testing

@testable import ExtensionGallery

@Suite("Downloads")
struct DownloadTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A download that never ends is given up at its limit", arguments: [nil, 100])
  func endless(contentLength: Int?) async throws {
    let server = try LoopbackServer { _ in .endless(contentLength: contentLength) }
    let target = folder("x")
    if contentLength == nil {
      await expectRefusal(.tooLarge) {
        try await Downloader().download(server.url("a"), to: target, limit: 1 << 20)
      }
      #expect(!FileManager.default.fileExists(atPath: target.path))
    } else {
      // Bytes beyond HTTP's Content-Length are not part of the answer.
      try await Downloader().download(server.url("a"), to: target, limit: 1 << 20)
      #expect(try Data(contentsOf: target).count == 100)
    }
    // The connection has to be closed, or the server would write forever.
    for _ in 0..<600 where server.openConnections > 0 {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(server.openConnections == 0)
  }

  @Test("A download that promises more than its limit is given up at once")
  func oversized() async throws {
    let server = try LoopbackServer { _ in .endless(contentLength: 1 << 40) }
    await expectRefusal(.tooLarge) {
      try await Downloader().download(server.url("a"), to: folder("x"), limit: 1 << 20)
    }
    #expect(!FileManager.default.fileExists(atPath: folder("x").path))
  }

  @Test("A download of exactly the limit is taken, and one byte more is not")
  func exactly() async throws {
    let server = try LoopbackServer { _ in .data(Data(repeating: 1, count: 1000)) }
    try await Downloader().download(server.url("a"), to: folder("x"), limit: 1000)
    #expect(try Data(contentsOf: folder("x")).count == 1000)
    await expectRefusal(.tooLarge) {
      try await Downloader().download(server.url("a"), to: folder("y"), limit: 999)
    }
  }

  @Test("A download that stops coming is given up")
  func stalled() async throws {
    let server = try LoopbackServer { _ in .stalled }
    var downloader = Downloader()
    downloader.idleTimeout = 1
    await expectRefusal(.download) {
      try await downloader.download(server.url("a"), to: folder("x"), limit: 1000)
    }
    downloader.idleTimeout = 600
    downloader.deadline = .seconds(1)
    await expectRefusal(.download) {
      try await downloader.download(server.url("a"), to: folder("x"), limit: 1000)
    }
    #expect(!FileManager.default.fileExists(atPath: folder("x").path))
  }

  @Test("A download that was cut off, or refused, is an error")
  func cutOff() async throws {
    let server = try LoopbackServer { path in
      path == "short" ? .short(Data("abc".utf8), contentLength: 100) : .status(404)
    }
    await expectRefusal(.download) {
      try await Downloader().download(server.url("short"), to: folder("x"), limit: 1000)
    }
    let message = await expectRefusal(.download) {
      try await Downloader().download(server.url("none"), to: folder("x"), limit: 1000)
    }
    #expect(message.contains("404"))
    let closed = server.url("gone")
    server.stop()
    await expectRefusal(.download) {
      try await Downloader().download(closed, to: folder("x"), limit: 1000)
    }
  }

  @Test(
    "A redirection is followed only to where one may ask",
    arguments: [
      "http://example.com/x", "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/",
      "//",
      "///", "//[", "http:", "http://", "http://[::1", "//%00/", "http://a b/", "%", "//@",
      "//:99999/",
      "http://x:y@127.0.0.1/", "https:x", "http://%zz/", "//example.com:80:80",
    ]
  )
  func redirections(target: String) async throws {
    let server = try LoopbackServer { path in
      path == "good" ? .data(Data("yes".utf8)) : .redirect(path == "a" ? "/good" : target)
    }
    try await Downloader().download(server.url("a"), to: folder("x"), limit: 1000)
    #expect(try Data(contentsOf: folder("x")) == Data("yes".utf8))
    await expectRefusal(.download) {
      try await Downloader().download(server.url("b"), to: folder("y"), limit: 1000)
    }
  }

  @Test("A status that asks for a password is an error", arguments: ["Basic", "Digest", "Other"])
  func authentication(scheme: String) async throws {
    let server = try LoopbackServer { _ in
      .statusAndHeader(401, "WWW-Authenticate: \(scheme) realm=\"x\", nonce=\"y\"")
    }
    await expectRefusal(.download) {
      try await Downloader().download(server.url("a"), to: folder("x"), limit: 1000)
    }
  }

  @Test("A circle of redirections ends")
  func redirectionCircle() async throws {
    let server = try LoopbackServer { _ in .redirect("/again") }
    await expectRefusal(.download) {
      try await Downloader().download(server.url("a"), to: folder("x"), limit: 1000)
    }
    #expect(server.requests.count <= 7)
  }

  @Test(
    "Plain http is for this machine alone",
    arguments: [
      ("https://example.com/a", true), ("http://127.0.0.1:80/a", true),
      ("http://localhost/a", true),
      ("http://[::1]/a", true), ("file:///a", true), ("http://example.com/a", false),
      ("http://127.0.0.1.example.com/a", false), ("http://127.1/a", false), ("ftp://x/a", false),
      ("https:///a", false), ("file://server/a", false), ("data:,x", false),
      ("http://localhost.example.com/", false), ("https://a:b@example.com/", false),
      ("http://127.0.0.1@example.com/", false),
    ]
  )
  func addresses(entry: (text: String, isAllowed: Bool)) throws {
    let url = try #require(URL(string: entry.text))
    #expect(Downloader.allows(url) == entry.isAllowed)
  }
}
