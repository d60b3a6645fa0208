internal import CLibrary
internal import Foundation

/// Sockets of this machine for tests that are servers or clients themselves.
///
/// In a module of its own: beside NIO's, in a module that is compiled as a whole, the C library's addresses are
/// taken for declarations of NIO's.
public enum LoopbackSocket {
  /// Waits for connections on a free port of 127.0.0.1.
  ///
  /// - Returns: The descriptor, which the caller closes, and the port.
  /// - Throws: `POSIXError` if there is no such port.
  public static func listening() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = try made()
    do {
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      var place = try address("127.0.0.1", port: 0)
      try check(unsafe withAddress(&place) { unsafe bind(descriptor, $0, length) })
      try check(listen(descriptor, 16))
      return (descriptor, try port(of: descriptor))
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Connects to a port.
  ///
  /// - Returns: The descriptor, which the caller closes.
  /// - Throws: `POSIXError` if nobody listens there.
  public static func connected(to host: String = "127.0.0.1", port: UInt16) throws -> Int32 {
    let descriptor = try made()
    do {
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      var place = try address(host, port: port)
      try check(unsafe withAddress(&place) { unsafe connect(descriptor, $0, length) })
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// The port of a socket's own end.
  ///
  /// - Throws: `POSIXError` if the descriptor is no socket.
  public static func port(of descriptor: Int32) throws -> UInt16 {
    var place = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try check(unsafe withAddress(&place) { unsafe getsockname(descriptor, $0, &length) })
    return UInt16(bigEndian: place.sin_port)
  }

  private static func made() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try check(descriptor)
    return descriptor
  }

  private static func address(_ host: String, port: UInt16) throws -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    guard unsafe inet_pton(AF_INET, host, &place.sin_addr) == 1 else { throw POSIXError(.EINVAL) }
    return place
  }

  private static func withAddress(
    _ place: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>) -> Int32
  ) -> Int32 {
    unsafe withUnsafeMutablePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }

  private static func check(_ result: Int32) throws {
    guard result < 0 else { return }
    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}
