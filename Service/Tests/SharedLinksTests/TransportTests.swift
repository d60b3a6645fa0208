import CurlTransfers
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import SharedLinks

private let zippedFeed =
  "H4sIAAAAAAACA7MpKi62s0nOSMzLS82xs8ksSc21synJLMlJtYvKLChITbHRh/Bs0kszU+wMbfTBtI0+RKU+XKc+yCAAhY50p04AAAA="
/// 400,000 zeros.
private let bomb =
  "H4sIAAAAAAACA+3BMQEAAADCoPVPbQo/oAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAOBvcT1ZXoAaBgA="

/// 256 MiB of zeros, compressed twice.
private let nestedBomb =
  "H4sIAAAAAAACA+3coW5TcRyG4ZZVNIiuCBQCxBRhaqamCRg0gmmyC+ASljVZUJjdxPTUFIa53cE2twsgCEJQZIVW7h"
  + "LO+zzq6J/658vJ+/LrdLTxZOfH1Xj8/2N19nDxc/p0BAAAAAzc6u50ZzMGjF6tb95/OAQAAACG7mh3NtmOAn8/vXjn"
  + "HAAAADB4X5aL+fYPgV8nnyfOAQAAAIP3/M/92+0WcL2+fPbRPQAAAGDwbgUDAAAAIEUwAAAAAFoEAwAAAKBFMAAAAA"
  + "BiBAMAAACgRTAAAAAAWgQDAAAAoEUwAAAAAGIEAwAAAKBFMAAAAABaBAMAAACgRTAAAAAAYgQDAAAAoEUwAAAAAFoE"
  + "AwAAAKBFMAAAAABiBAMAAACgRTAAAAAAWgQDAAAAoEUwAAAAAGIEAwAAAKBFMAAAAABaBAMAAACgRTAAAAAAYgQDAA"
  + "AAoEUwAAAAAFoEAwAAAKBFMAAAAABiBAMAAACgRTAAAAAAWgQDAAAAoEUwAAAAAGIEAwAAAKBFMAAAAABaBAMAAACg"
  + "RTAAAAAAYgQDAAAAoEUwAAAAAFoEAwAAAKBFMAAAAABiBAMAAACgRTAAAAAAWgQDAAAAoEUwAAAAAGIEAwAAAKBFMA"
  + "AAAABaBAMAAACgRTAAAAAAYgQDAAAAoEUwAAAAAFoEAwAAAKBFMAAAAABiBAMAAACgRTAAAAAAWgQDAAAAoEUwAAAA"
  + "AGIEAwAAAKBFMAAAAABazpeLvc0WMP+9vjx4MwIAeOT7/rfj2evNc+EfhMX0qkb7AwA="

struct TransportTests {
  private func request(_ address: String, limit: Int = 100_000, seconds: Double = 60) -> LinkRequest
  {
    LinkRequest(
      address: address,
      headers: ["x-test": "1"],
      bodyLimit: limit,
      seconds: seconds,
      localHost: NetworkHost.of(address)
    )
  }

  @Test("status, fields and body come over, and a redirect is the caller's")
  func answers() async throws {
    try await TestServer.serve { request in
      guard request.uri.path != "/moved" else {
        return Response(status: .movedPermanently, headers: [.location: "/there"])
      }
      guard request.uri.path != "/same" else { return Response(status: .notModified) }
      let header = request.headers[try #require(HTTPField.Name("x-test"))] ?? ""
      let cookie = request.headers[.cookie] ?? "none"
      return TestServer.text("\(header) \(cookie)", [.eTag: "\"v\"", .setCookie: "a=b"])
    } _: { base in
      let transport = CurlTransport()
      for _ in 0..<2 {
        let response = try await transport.send(request(base + "/x"))
        #expect(response.status == 200)
        #expect(response.headers["etag"] == "\"v\"")
        #expect(String(decoding: response.body, as: UTF8.self) == "1 none")
      }
      let moved = try await transport.send(request(base + "/moved"))
      #expect(moved.status == 301 && moved.headers["location"] == "/there")
      #expect(try await transport.send(request(base + "/same")).status == 304)
    }
  }

  @Test("a body is read to its limit and no further, with and without a length")
  func limits() async throws {
    try await TestServer.serve { request in
      let piece = ByteBuffer(repeating: 0x41, count: 10_000)
      if request.uri.path == "/endless" {
        return Response(
          status: .ok,
          body: .init { writer in
            while true { try await writer.write(piece) }
          }
        )
      }
      return Response(
        status: .ok,
        body: .init(byteBuffer: ByteBuffer(repeating: 0x41, count: 100_000))
      )
    } _: { base in
      let transport = CurlTransport()
      let whole = try await transport.send(request(base + "/x"))
      #expect(whole.body.count == 100_000)
      for (path, limit) in [("/x", 99_999), ("/endless", 100_000)] {
        let failure = await #expect(throws: FetchFailure.self) {
          try await transport.send(request(base + path, limit: limit))
        }
        #expect(failure?.message.contains("exceeds the limit of \(limit)") == true)
      }
    }
  }

  @Test("compressed bodies are opened, and the limit counts what they grow to")
  func compression() async throws {
    try await TestServer.serve { request in
      let texts = ["/bomb": (bomb, "gzip"), "/nested": (nestedBomb, "gzip, gzip")]
      let (text, encoding) = texts[request.uri.path] ?? (zippedFeed, "gzip")
      return Response(
        status: .ok,
        headers: [.contentEncoding: encoding],
        body: .init(byteBuffer: ByteBuffer(bytes: Data(base64Encoded: text) ?? Data()))
      )
    } _: { base in
      let transport = CurlTransport()
      let body = try await transport.send(request(base + "/feed")).body
      #expect(try FeedReader.read(body, address: base).entries.map(\.title) == ["Zipped"])
      for path in ["/bomb", "/nested"] {
        let failure = await #expect(throws: FetchFailure.self) {
          try await transport.send(request(base + path))
        }
        #expect(failure?.message.contains("exceeds") == true)
      }
    }
  }

  @Test("a server that never ends is left after the time limit")
  func deadline() async throws {
    try await TestServer.serve { _ in
      Response(
        status: .ok,
        body: .init { writer in
          while true {
            try await writer.write(ByteBuffer(string: "x"))
            try await Task.sleep(for: .milliseconds(20))
          }
        }
      )
    } _: { base in
      let failure = await #expect(throws: FetchFailure.self) {
        try await CurlTransport().send(request(base, seconds: 1))
      }
      #expect(
        failure?.message.contains("longer than 1 seconds") == true,
        "\(failure?.message ?? "")"
      )
    }
  }

  @Test("a host that takes no connections is a failure in words")
  func refused() async throws {
    let failure = await #expect(throws: FetchFailure.self) {
      // Port 1 of loopback is nobody's.
      try await CurlTransport().send(request("http://127.0.0.1:1/"))
    }
    #expect(failure?.message == "the host does not take connections")
  }

  @Test("a whole subscription works over a real connection")
  func endToEnd() async throws {
    let folder = try TestFolder()
    try await TestServer.serve { request in
      switch request.uri.path {
      case "/":
        TestServer.text(
          "<html><link rel=alternate type=application/rss+xml href=/feed></html>"
        )
      case "/feed":
        request.headers[.ifNoneMatch] == "\"v1\""
          ? Response(status: .notModified)
          : TestServer.text(rss([Written("A", link: "/a", guid: "1")]), [.eTag: "\"v1\""])
      case "/favicon.ico":
        Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: tinyPNG)))
      default: Response(status: .notFound)
      }
    } _: { base in
      let store = try folder.store()
      let refresher = LinkRefresher(store: store, transport: CurlTransport())
      guard case .added(let source) = try await refresher.add(base) else {
        Issue.record("it was not added")
        return
      }
      #expect(source.icon != nil && source.itemCount == 1)
      #expect(try await refresher.refresh(.all).map(\.outcome) == [.unchanged])
    }
  }
}
