import BlockingWork
import Foundation
import Glibc
import NIOCore
import Synchronization
import Testing

@testable import LocalApp
@testable import LoopbackServing

/// Connections of others that want nothing, or never come to an end.
struct ConnectionTests {
  private static func bounds(total: Int = 256) -> ConnectionLimits.Bounds {
    var bounds = ConnectionLimits.Bounds()
    bounds.total = total
    return bounds
  }

  private static func connect(_ app: ServedApp, sending text: String = "") throws -> Int32 {
    let descriptor = try RawClient.connected(to: "127.0.0.1", app.port)
    _ = unsafe Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    return descriptor
  }

  /// Waits for the server's end of a connection, past whatever it sends before.
  private static func isClosed(_ descriptor: Int32) async -> Bool {
    await blocking {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        if count <= 0 { return true }
      }
    }
  }

  @Test(
    "as many connections as there may be, and more, keep nobody out",
    arguments: [
      "", "G", "GET / HTTP/1.1\r\nHost: 127", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
      "POST /x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\nslow",
      "POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nslow",
    ]
  )
  func flood(_ text: String) async throws {
    try await ServedApp.run(bounds: Self.bounds(total: 64)) { app in
      let visitor = try await app.visitor()
      let descriptors = try (0..<100).map { _ in try Self.connect(app, sending: text) }
      defer { for descriptor in descriptors { close(descriptor) } }
      for _ in 0..<3 { #expect(try await visitor.get("/extensions").status == 200) }
      // Those that came first made room.
      #expect(await Self.isClosed(descriptors[0]))
    }
  }

  @Test("a flood of connections that come again is served between")
  func reconnecting() async throws {
    try await ServedApp.run(bounds: Self.bounds(total: 32)) { app in
      let visitor = try await app.visitor()
      for _ in 0..<5 {
        let descriptors = try (0..<40).map { _ in try Self.connect(app) }
        #expect(try await visitor.get("/extensions").status == 200)
        for descriptor in descriptors { close(descriptor) }
      }
    }
  }

  @Test(
    "who sends requests without end does not keep others from their answers",
    .timeLimit(.minutes(2))
  )
  func endless() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let descriptors = try (0..<24).map { _ in try Self.connect(app) }
      let end = End()
      let port = app.port
      async let sending: Void = blocking { Self.sendWithoutEnd(descriptors, port, until: end) }
      for _ in 0..<3 { #expect((try? await visitor.get("/extensions").status) == 200) }
      end.hasCome.store(true, ordering: .relaxed)
      await sending
      for descriptor in descriptors { close(descriptor) }
    }
  }

  private final class End: Sendable {
    let hasCome = Atomic(false)
  }

  /// Sends requests on each connection as fast as it takes them, and reads the answers, until it is told to end.
  private static func sendWithoutEnd(_ descriptors: [Int32], _ port: Int, until end: End) {
    let request = "GET /x HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
    let bytes = Array(String(repeating: request, count: 500).utf8)
    var offsets = descriptors.map { _ in 0 }
    var answers = [UInt8](repeating: 0, count: 1 << 16)
    while !end.hasCome.load(ordering: .relaxed) {
      for (index, descriptor) in descriptors.enumerated() {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        let rest = bytes[offsets[index]...]
        let count = unsafe rest.withUnsafeBytes {
          unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
        }
        if count > 0 { offsets[index] = (offsets[index] + count) % bytes.count }
        _ = unsafe recv(descriptor, &answers, answers.count, Int32(MSG_DONTWAIT))
      }
    }
  }

  @Test("a server that is ended while connections come ends in order", arguments: 0..<20)
  func ending(_ number: Int) async throws {
    let descriptors = Mutex<[Int32]>([])
    try await ServedApp.run { app in
      // More than are accepted at once, so that some wait while the server ends.
      for _ in 0..<60 + number {
        let descriptor = try Self.connect(app, sending: "GET / HTTP/1.1\r\nHost: 127")
        descriptors.withLock { $0.append(descriptor) }
      }
    }
    for descriptor in descriptors.withLock({ $0 }) {
      #expect(await Self.isClosed(descriptor))
      close(descriptor)
    }
  }

  @Test(
    "who takes too long is disconnected",
    arguments: [
      "", "GET / HTTP/1.1\r\nHost: 127", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
      "POST /x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nslow",
    ]
  )
  func deadlines(_ text: String) async throws {
    var bounds = ConnectionLimits.Bounds()
    (bounds.header, bounds.request, bounds.idle) = (.milliseconds(200), .milliseconds(200), .zero)
    bounds.idle = .milliseconds(200)
    try await ServedApp.run(bounds: bounds) { app in
      let descriptor = try Self.connect(app, sending: text)
      defer { close(descriptor) }
      #expect(await Self.isClosed(descriptor))
    }
  }

  @Test("a client that ends its half after the header ends the connection")
  func halfOpen() async throws {
    try await ServedApp.run(bounds: Self.bounds()) { app in
      let text = "POST /x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nslow"
      let descriptor = try Self.connect(app, sending: text)
      defer { close(descriptor) }
      shutdown(descriptor, Int32(SHUT_WR))
      #expect(await Self.isClosed(descriptor))
    }
  }
}
