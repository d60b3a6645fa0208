internal import Foundation
internal import Glibc

/// What went wrong while a browser was driven.
public struct DrivingError: Error, CustomStringConvertible {
  /// One sentence.
  public var description: String
  /// Whether the document that was asked has gone away, or is not all there yet.
  var isOfLostDocument = false

  /// Creates an error.
  public init(_ description: String) { self.description = description }
}

/// An open file, pipe or connection, closed with its last reference.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// Reads some bytes; none at the end.
  ///
  /// - Throws: ``DrivingError`` when nothing comes until the deadline.
  func read(until deadline: Date) throws -> [UInt8] {
    var event = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while true {
      let left = deadline.timeIntervalSinceNow
      guard left > 0 else { throw DrivingError("no answer in time") }
      let ready = unsafe poll(&event, 1, Int32(min(left, 60) * 1000) + 1)
      if ready > 0 { break }
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe Glibc.read(number, &bytes, bytes.count)
    return count > 0 ? Array(bytes[..<count]) : []
  }

  /// Writes all bytes; `false` if the other side is gone.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var place = 0
    while place < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe buffer.baseAddress.map { base in
          unsafe Glibc.write(number, base + place, bytes.count - place)
        } ?? 0
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      place += count
    }
    return true
  }

  /// Waits for connections on a free port of 127.0.0.1.
  static func listening() throws -> (descriptor: Descriptor, port: Int) {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
    guard number >= 0 else { throw DrivingError("no socket: \(errno)") }
    let descriptor = Descriptor(number)
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(number, generic, size) == 0 && listen(number, 256) == 0
          && getsockname(number, generic, &size) == 0
      }
    }
    guard isBound else { throw DrivingError("no port: \(errno)") }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// The next connection; `nil` when the socket was shut down.
  func accepted() -> Descriptor? {
    while true {
      let connection = accept(number, nil, nil)
      if connection >= 0 {
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return Descriptor(connection)
      }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  /// Ends all waiting on the socket.
  func shutDown() { _ = shutdown(number, Int32(SHUT_RDWR)) }

  /// Connects to a port of 127.0.0.1; `nil` if nobody listens.
  static func connected(port: Int) -> Descriptor? {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
    guard number >= 0 else { return nil }
    let descriptor = Descriptor(number)
    var address = loopback(port: port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(number, $0, size) == 0
      }
    }
    return isConnected ? descriptor : nil
  }

  private static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
