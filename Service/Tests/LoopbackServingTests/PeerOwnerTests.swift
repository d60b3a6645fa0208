import Foundation
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
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(client) }
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let isConnected = unsafe withUnsafePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(client, $0, length) == 0
      }
    }
    #expect(isConnected)
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
