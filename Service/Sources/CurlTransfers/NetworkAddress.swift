internal import CLibrary

/// An IP address.
public struct NetworkAddress: Hashable, Sendable {
  /// Four or sixteen bytes, in network order.
  public let bytes: [UInt8]

  /// Creates an address from its bytes.
  ///
  /// - Returns: nil unless there are four or sixteen.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Parses the usual notation: `192.0.2.1`, `2001:db8::1`, without brackets.
  public init?(_ text: String) {
    var four = [UInt8](repeating: 0, count: 4)
    var sixteen = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, text, &four) == 1 {
      bytes = four
    } else if unsafe inet_pton(AF_INET6, text, &sixteen) == 1 {
      bytes = sixteen
    } else {
      return nil
    }
  }

  /// The purpose of an address outside the public internet; nil for a public address.
  public var specialUse: String? {
    if bytes.starts(with: SpecialAddresses.translated.bytes.prefix(12)), bytes.count == 16 {
      // What DNS64 synthesizes in a network without IPv4.
      return NetworkAddress(bytes: Array(bytes[12...]))?.specialUse
    }
    let table = bytes.count == 4 ? SpecialAddresses.version4 : SpecialAddresses.version6
    if let range = table.first(where: { $0.contains(self) }) { return range.use }
    return bytes.count == 16 && bytes[0] & 0xE0 != 0x20 ? "not assigned" : nil
  }

  /// The usual notation.
  public var text: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2)
      .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
      .joined(separator: ":")
  }
}

/// The addresses outside the public internet: the IANA registries of special-purpose addresses for
/// IPv4 and IPv6 (RFC 6890 and later), and multicast addresses.
enum SpecialAddresses {
  /// A range of addresses with a common prefix.
  struct Range {
    let start: NetworkAddress
    let length: Int
    let use: String

    func contains(_ address: NetworkAddress) -> Bool {
      guard address.bytes.count == start.bytes.count else { return false }
      for index in 0..<(length + 7) / 8 {
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, length - index * 8))
        if (address.bytes[index] ^ start.bytes[index]) & mask != 0 { return false }
      }
      return true
    }
  }

  /// The prefix of addresses that a NAT64 translator maps to IPv4 (RFC 6052).
  static let translated = NetworkAddress("64:ff9b::") ?? unwritable

  static let version4 = table([
    ("0.0.0.0", 8, "this network"), ("10.0.0.0", 8, "private"),
    ("100.64.0.0", 10, "shared by a carrier's customers"), ("127.0.0.0", 8, "this machine"),
    ("169.254.0.0", 16, "link-local"), ("172.16.0.0", 12, "private"),
    ("192.0.0.0", 24, "protocol assignments"), ("192.0.2.0", 24, "documentation"),
    ("192.88.99.0", 24, "relays of 6to4"), ("192.168.0.0", 16, "private"),
    ("198.18.0.0", 15, "benchmarking"), ("198.51.100.0", 24, "documentation"),
    ("203.0.113.0", 24, "documentation"), ("224.0.0.0", 4, "multicast"),
    ("240.0.0.0", 4, "reserved, or broadcast"),
  ])

  /// Exceptions within 2000::/3, the only part of the address space that is assigned to hosts;
  /// entries outside it exist only for the message.
  static let version6 = table([
    ("::1", 128, "this machine"), ("::", 128, "unspecified"),
    ("::ffff:0:0", 96, "an IPv4 address in another form"),
    ("::", 96, "an IPv4 address in another form"),
    ("64:ff9b:1::", 48, "an address of the local network's translator"), ("100::", 64, "discarded"),
    ("2001::", 23, "protocol assignments, Teredo and benchmarking"),
    ("2001:db8::", 32, "documentation"), ("2002::", 16, "6to4, with an IPv4 address in it"),
    ("3fff::", 20, "documentation"), ("5f00::", 16, "segment routing"),
    ("fc00::", 7, "private"), ("fe80::", 10, "link-local"), ("fec0::", 10, "site-local"),
    ("ff00::", 8, "multicast"),
  ])

  private static func table(_ rows: [(String, Int, String)]) -> [Range] {
    rows.map { Range(start: NetworkAddress($0) ?? unwritable, length: $1, use: $2) }
  }

  private static var unwritable: NetworkAddress {
    preconditionFailure("an address in the table is invalid")
  }
}
