internal import Foundation
internal import NIOCore

/// Finds the user who owns the other end of a loopback connection.
enum PeerOwner {
  /// The limit on bytes read of the kernel's table.
  private static let tableLimit = 4 << 20

  /// Returns the user of the process at the other end.
  ///
  /// TCP sockets do not have `SO_PEERCRED`, but the other end is a socket of this machine too, so
  /// the kernel knows its owner. The fallback is the table of all sockets, which other users can
  /// make long and slow to read.
  ///
  /// - Parameters:
  ///   - remote: The other end's address.
  ///   - local: This end's address.
  /// - Returns: The user's number; nil if the kernel does not say.
  static func user(remote: SocketAddress?, local: SocketAddress?) -> UInt32? {
    guard let own = remote.flatMap(end), let other = local.flatMap(end) else { return nil }
    switch SocketQuestion.user(own: own, other: other) {
    case .user(let user): return user
    case .nobody: return nil
    case .unavailable: break
    }
    guard let remote = remote.flatMap(entry), let local = local.flatMap(entry),
      let handle = FileHandle(forReadingAtPath: "/proc/net/tcp"),
      let data = try? handle.read(upToCount: tableLimit)
    else { return nil }
    return user(in: data, remote: remote, local: local)
  }

  /// Finds the line of the other end's socket, whose local address is `remote`.
  static func user(in table: Data, remote: String, local: String) -> UInt32? {
    for line in table.split(separator: 0x0A).dropFirst() {
      // Number, local address, remote address, state, queues, timer, retransmissions, user.
      let fields = line.split(separator: 0x20, maxSplits: 8)
      guard fields.count > 7, fields[1].elementsEqual(remote.utf8),
        fields[2].elementsEqual(local.utf8)
      else { continue }
      return UInt32(String(decoding: fields[7], as: UTF8.self))
    }
    return nil
  }

  private static func end(_ address: SocketAddress) -> SocketQuestion.End? {
    let bytes = (address.ipAddress ?? "").split(separator: ".").compactMap { UInt8($0) }
    guard bytes.count == 4, let port = address.port else { return nil }
    return SocketQuestion.End(address: bytes, port: UInt16(truncatingIfNeeded: port))
  }

  /// Formats an address like the table: the host in the machine's byte order, the port in the
  /// network's, in hexadecimal.
  private static func entry(_ address: SocketAddress) -> String? {
    let bytes = (address.ipAddress ?? "").split(separator: ".").compactMap { UInt8($0) }
    guard bytes.count == 4, let port = address.port else { return nil }
    let host = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }.bigEndian
    return hexadecimal(UInt64(host), 8) + ":" + hexadecimal(UInt64(port), 4)
  }

  private static func hexadecimal(_ number: UInt64, _ count: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
