import Foundation

@testable import ExtensionHost

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Answers one HTTP request on a free port of this machine.
final class OneAnswerServer: Sendable {
  let port: UInt16

  init(json: String) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(listener, pointer, length) == 0 && listen(listener, 1) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard isBound else { throw HostError(.system, "cannot listen") }
    port = UInt16(bigEndian: address.sin_port)
    let answer =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(json.utf8.count)\r\nConnection: close\r\n\r\n" + json
    Thread.detachNewThread {
      defer { close(listener) }
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      defer { close(connection) }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      _ = unsafe read(connection, &buffer, buffer.count)
      let bytes = Array(answer.utf8)
      _ = unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }
}
