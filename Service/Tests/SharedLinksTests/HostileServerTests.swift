import Foundation
import Testing

@testable import CurlTransfers
@testable import SharedLinks

@Suite("What servers do to the one who fetches", .timeLimit(.minutes(5)))
struct HostileServerTests {
  private static func redirect(_ location: [UInt8]) -> RawServer.Answer {
    .bytes(
      Array("HTTP/1.1 302 Found\r\nLocation: ".utf8) + location
        + Array("\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
    )
  }

  private static func ok(_ text: String, _ fields: String = "") -> RawServer.Answer {
    .text(
      "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(text.utf8.count)\r\n"
        + "Connection: close\r\n\r\n\(text)"
    )
  }

  private func send(
    _ address: String,
    _ headers: [String: String] = [:]
  ) async throws -> LinkResponse {
    try await CurlTransport().send(
      LinkRequest(
        address: address,
        headers: headers,
        bodyLimit: 100_000,
        seconds: 120,
        localHost: "127.0.0.1"
      )
    )
  }

  private func failure(_ body: () async throws -> Void) async throws -> String {
    try await #require(throws: FetchFailure.self) { try await body() }.message
  }

  @Test(
    "a redirect to no address is a failure, and the process lives",
    arguments: [
      "//:99999/", "http://", "http:///", "http:", "//", "///", "\\\\", "\\\\\\\\", "http://[::1",
      "//[", "", "http://a b/", "//@", "//%00/", "http://%zz/", "http://x:y@127.0.0.1/",
      "//example.com:80:80", "file:///etc/passwd", "javascript:x", "http://127.0.0.1:1/",
      "/" + String(repeating: "a", count: 102_400), "/" + String(repeating: "a", count: 90_000),
    ]
  )
  func oddLocations(location: String) async throws {
    let server = try RawServer { path in
      path == "/odd" ? Self.redirect(Array(location.utf8)) : Self.ok("followed")
    }
    let fetcher = LinkFetcher(transport: CurlTransport(), limits: LinkLimits())
    _ = try await failure {
      _ = try await fetcher.fetch(server.address + "/odd", localHost: "127.0.0.1", now: Date())
    }
    // `http:` leads to the same page again, which ends where redirects do.
    let expected = location == "http:" ? 1 + LinkLimits().redirects : 1
    #expect(server.requests.count == expected)
    #expect(try await send(server.address + "/x").status == 200)
  }

  @Test(
    "a redirect is resolved as browsers do",
    arguments: [
      (Array("/grün".utf8), "/gr%C3%BCn"), (Array("\\there".utf8), "/there"),
      (Array("?q#part".utf8), "/odd?q"), (Array("a b".utf8), "/a%20b"),
      // Bytes that are not UTF-8 are a character each.
      ([0x2F, 0xFC], "/%C3%BC"),
    ]
  )
  func resolvedLocations(location: [UInt8], path: String) async throws {
    let server = try RawServer { asked in
      asked == "/odd" ? Self.redirect(location) : Self.ok(asked)
    }
    let fetcher = LinkFetcher(transport: CurlTransport(), limits: LinkLimits())
    let answer = try await fetcher.fetch(
      server.address + "/odd",
      localHost: "127.0.0.1",
      now: Date()
    )
    guard case .document(let document) = answer else {
      Issue.record("there is no document")
      return
    }
    #expect(String(decoding: document.body, as: UTF8.self) == path)
  }

  @Test("interim answers, fields over two lines, repeated fields and trailers are distinguished")
  func headerBlocks() async throws {
    let server = try RawServer { _ in
      .text(
        "HTTP/1.1 100 Continue\r\nETag: \"interim\"\r\n\r\n"
          + "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
          + "HTTP/1.1 203 Sort of\r\nETag:   \"a:b\"  \r\nX-Folded: one\r\n  two\r\n"
          + "Cache-Control: public\r\nCache-Control: max-age=60\r\nETag: \"second\"\r\n"
          + "Transfer-Encoding: chunked\r\nTrailer: X-Late\r\n\r\n"
          + "2\r\nhi\r\n0\r\nX-Late: 1\r\nETag: \"late\"\r\n\r\n"
      )
    }
    let answer = try await send(server.address)
    #expect(answer.status == 203 && answer.body == Array("hi".utf8))
    #expect(answer.headers["etag"] == "\"a:b\"")
    #expect(answer.headers["x-folded"] == "one two")
    #expect(answer.headers["cache-control"] == "public, max-age=60")
    #expect(answer.headers["link"] == nil && answer.headers["x-late"] == nil)
  }

  @Test(
    "what is not HTTP, or breaks off, is a failure in words",
    arguments: [
      ("hello\n", "in HTTP"), ("", "without an answer"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "broke off"),
      ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", "decompressed"),
      (
        "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x: y\r\nX: ", count: 40_000))\r\n\r\n", "header"
      ),
    ]
  )
  func notHTTP(answer: String, words: String) async throws {
    let server = try RawServer { _ in .text(answer) }
    let message = try await failure { _ = try await send(server.address) }
    #expect(message.contains(words), "\(message)")
  }

  @Test("fields of the request arrive as they are, and none is added through them")
  func requestFields() async throws {
    let server = try RawServer { _ in Self.ok("") }
    let value = "\"a\\b\"\turl = \"http://127.0.0.1:1/\" @/etc/passwd"
    _ = try await send(server.address, ["if-none-match": value, "x-empty": "", "accept": "*/*"])
    let head = try #require(server.requests.first)
    #expect(head.contains("\r\nif-none-match: \(value)\r\n"), "\(head)")
    #expect(head.contains("\r\nx-empty:\r\n"), "\(head)")
    #expect(!head.contains("Cookie"))
    for (name, value) in [
      ("x", "a\r\nx-more: b"), ("x: y\r\nz", "a"), ("@/etc/passwd", ""), ("", ""),
    ] {
      let message = try await failure { _ = try await send(server.address, [name: value]) }
      #expect(message.contains("characters that are not allowed in a field"))
    }
    #expect(server.requests.count == 1)
  }

  @Test(
    "only http and https are asked for, and nothing that curl would read as something else",
    arguments: [
      "file:///etc/passwd", "ftp://127.0.0.1/", "", "-K/etc/passwd", "http://127.0.0.1/\nurl = x",
      "http://a b/", "gopher://127.0.0.1/",
    ]
  )
  func addresses(address: String) async throws {
    let message = try await failure { _ = try await send(address) }
    #expect(message.contains("not an address"), "\(message)")
  }

  @Test("cancelling ends the process and its connection")
  func cancellation() async throws {
    let server = try RawServer { _ in
      .stalled(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc".utf8))
    }
    let task = Task { try await send(server.address) }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
    // One that is cancelled before it begins is never made.
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await send(server.address)
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(server.requests.count == 1)
  }

  @Test("what every user can see of a process has neither the address nor the fields")
  func commandLine() throws {
    var request = CurlRequest(address: "https://example.org/secret", bodyLimit: 1, seconds: 1)
    request.headers = ["if-none-match": "secret"]
    #expect(request.arguments.first == "--disable")
    #expect(!request.arguments.joined().contains("secret"))
    let destination = try Destination(request, FixedResolver(["192.0.9.1"]))
    #expect(try request.configuration(destination).contains("https://example.org/secret"))
    #expect(request.arguments.dropFirst().starts(with: ["--noproxy", "*"]))
  }
}
