import BlockingWork
import Foundation
import Glibc
import NIOCore
import NIOEmbedded
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

  @Test("another user has few connections, and never those of this one")
  func otherUsers() throws {
    let users = Mutex<[UInt32?]>([])
    var bounds = ConnectionLimits.Bounds()
    (bounds.total, bounds.perOtherUser, bounds.otherUsers) = (20, 3, 5)
    let limits = ConnectionLimits(bounds, ownUser: 1_000) { _ in
      users.withLock { $0.isEmpty ? 1_000 : $0.removeFirst() }
    }
    func connect(_ user: UInt32?) throws -> EmbeddedChannel {
      users.withLock { $0 = [user] }
      let channel = EmbeddedChannel(handler: HandlerBox(limits.handler()).handler)
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      channel.embeddedEventLoop.run()
      return channel
    }
    let own = try (0..<4).map { _ in try connect(1_000) }
    let first = try (0..<10).map { _ in try connect(7) }
    #expect(first.count(where: \.isActive) == 3)
    #expect(first.suffix(3).allSatisfy { $0.isActive })
    let second = try (0..<10).map { _ in try connect(8) }
    #expect((first + second).count(where: \.isActive) == 5)
    let unknown = try (0..<30).map { _ in try connect(nil) }
    #expect(limits.count == 20)
    // Others' go first, then the oldest that never asked.
    #expect((first + second).allSatisfy { !$0.isActive })
    #expect(unknown.suffix(16).allSatisfy { $0.isActive })
    _ = own
  }

  @Test("the kernel's table says whose a connection is")
  func owners() async throws {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:12AC 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 1 1 0
         1: 0100007F:D431 0100007F:12AC 01 00000000:00000000 00:00000000 00000000 65534        0 2 1 0

      """
    let user = PeerOwner.user(in: Data(table.utf8), remote: "0100007F:D431", local: "0100007F:12AC")
    #expect(user == 65_534)
    #expect(PeerOwner.user(in: Data(), remote: "x", local: "y") == nil)
    // And the real one, of a connection of this process.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    #expect(listen(listener, 1) == 0)
    var place = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafeMutablePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(listener, $0, &length)
      }
    }
    let port = Int(UInt16(bigEndian: place.sin_port))
    let client = try RawClient.connected(to: "127.0.0.1", port)
    defer { close(client) }
    _ = unsafe withUnsafeMutablePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(client, $0, &length)
      }
    }
    let found = PeerOwner.user(
      remote: try SocketAddress(
        ipAddress: "127.0.0.1",
        port: Int(UInt16(bigEndian: place.sin_port))
      ),
      local: try SocketAddress(ipAddress: "127.0.0.1", port: port)
    )
    #expect(found == getuid())
    // Asked about alone, so that others cannot make it slow with sockets of theirs.
    func end(_ port: Int) -> SocketQuestion.End {
      SocketQuestion.End(address: [127, 0, 0, 1], port: UInt16(port))
    }
    let own = Int(UInt16(bigEndian: place.sin_port))
    let answer = SocketQuestion.user(own: end(own), other: end(port))
    // Kernels without sock_diag have the table alone.
    guard answer != .unavailable else { return }
    #expect(answer == .user(getuid()))
    #expect(SocketQuestion.user(own: end(own), other: end(1)) == .nobody)
    #expect(SocketQuestion.user(own: end(port), other: end(own)) == .nobody)
  }
}

/// `any RemovableChannelHandler` as what an embedded channel takes.
private struct HandlerBox {
  let handler: any ChannelHandler

  init(_ handler: any RemovableChannelHandler) { self.handler = handler }
}
