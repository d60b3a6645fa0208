import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import LoopbackServing

/// Who may have how many connections.
struct ConnectionLimitsTests {
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
}

/// `any RemovableChannelHandler` as what an embedded channel takes.
private struct HandlerBox {
  let handler: any ChannelHandler

  init(_ handler: any RemovableChannelHandler) { self.handler = handler }
}
