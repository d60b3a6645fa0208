internal import CLibrary

/// An address of the Internet Protocol.
public struct NetworkAddress: Hashable, Sendable {
  /// Four bytes, or sixteen, the first one of the network first.
  public let bytes: [UInt8]

  /// Takes the bytes of an address.
  ///
  /// - Returns: nil unless there are four or sixteen.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads an address as it is usually written: `192.0.2.1`, `2001:db8::1`, not in brackets.
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

  /// What the address is for, where it is not one of the public internet; nil where it is.
  public var specialUse: String? {
    if bytes.starts(with: SpecialAddresses.translated.bytes.prefix(12)), bytes.count == 16 {
      // What a network without IPv4 gives for every host that has nothing else.
      return NetworkAddress(bytes: Array(bytes[12...]))?.specialUse
    }
    let table = bytes.count == 4 ? SpecialAddresses.version4 : SpecialAddresses.version6
    if let range = table.first(where: { $0.contains(self) }) { return range.use }
    return bytes.count == 16 && bytes[0] & 0xE0 != 0x20 ? "not assigned" : nil
  }

  /// How it is written.
  public var text: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2)
      .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
      .joined(separator: ":")
  }
}

/// The addresses that are not of the public internet, from the IANA registries of special-purpose
/// addresses for IPv4 and IPv6 (RFC 6890 and later), and of multicast addresses.
enum SpecialAddresses {
  /// Addresses that begin with the same bits.
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

  /// Behind this prefix a translator of the network finds an IPv4 address (RFC 6052).
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

  /// Those in the part of the address space that is given to hosts, 2000::/3; nothing outside of it
  /// is, and what is there is named for the message alone.
  static let version6 = table([
    ("::1", 128, "this machine"), ("::", 128, "unspecified"),
    ("::ffff:0:0", 96, "an IPv4 address in another form"),
    ("::", 96, "an IPv4 address in another form"),
    ("64:ff9b:1::", 48, "a translator of the own network"), ("100::", 64, "discarded"),
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
    preconditionFailure("an address of the table is written wrongly")
  }
}
