internal import Foundation
internal import NIOCore

/// Whose process a connection on loopback comes from.
enum PeerOwner {
  /// The most bytes of the kernel's table that are read.
  private static let tableLimit = 4 << 20

  /// Finds the user of the process at the other end.
  ///
  /// A TCP socket does not tell its peer's user (`SO_PEERCRED` is of Unix sockets), but the other end
  /// is a socket of this machine as well, about which the kernel can be asked. Where it cannot, the
  /// table of all sockets names the user of each: others can make that long, and reading it slow.
  ///
  /// - Parameters:
  ///   - remote: The other end's address.
  ///   - local: This end's.
  /// - Returns: The user's number; nil where the kernel does not say.
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

  /// Finds the line of the other end's socket, whose own address is `remote`.
  static func user(in table: Data, remote: String, local: String) -> UInt32? {
    for line in table.split(separator: 0x0A).dropFirst() {
      // Number, own address, other address, state, queues, timer, retransmissions, user.
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

  /// An address as the table has it: the machine's order of bytes for the host, the network's for the
  /// port, in hexadecimal digits.
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
