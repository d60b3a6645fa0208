import Foundation
import LoopbackSockets
import NIOCore
import Testing

@testable import LoopbackServing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Whose a connection on this machine is.
struct PeerOwnerTests {
  @Test("the kernel's table says whose a connection is")
  func owners() throws {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:12AC 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 1 1 0
         1: 0100007F:D431 0100007F:12AC 01 00000000:00000000 00:00000000 00000000 65534        0 2 1 0

      """
    let user = PeerOwner.user(in: Data(table.utf8), remote: "0100007F:D431", local: "0100007F:12AC")
    #expect(user == 65_534)
    #expect(PeerOwner.user(in: Data(), remote: "x", local: "y") == nil)
    // And the real one, of a connection of this process.
    let (listener, port) = try LoopbackSocket.listening()
    defer { close(listener) }
    let client = try LoopbackSocket.connected(port: port)
    defer { close(client) }
    let own = try LoopbackSocket.port(of: client)
    let found = PeerOwner.user(
      remote: try SocketAddress(ipAddress: "127.0.0.1", port: Int(own)),
      local: try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
    )
    #expect(found == getuid())
    // Asked about alone, so that others cannot make it slow with sockets of theirs.
    func end(_ port: UInt16) -> SocketQuestion.End {
      SocketQuestion.End(address: [127, 0, 0, 1], port: port)
    }
    let answer = SocketQuestion.user(own: end(own), other: end(port))
    // Kernels without sock_diag have the table alone.
    guard answer != .unavailable else { return }
    #expect(answer == .user(getuid()))
    #expect(SocketQuestion.user(own: end(own), other: end(1)) == .nobody)
    #expect(SocketQuestion.user(own: end(port), other: end(own)) == .nobody)
  }
}
