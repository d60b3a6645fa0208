internal import Foundation
internal import WebURL

/// Addresses that mean something else on each machine: the machine itself and those beside it.
enum LocalNetwork {
  /// Whether a URL names such an address, or one of the names that always stand for this machine.
  ///
  /// Other names may stand for such addresses, too; that only the browser knows.
  static func contains(_ url: WebURL) -> Bool {
    guard let host = url.host?.lowercased() else { return false }
    switch url.hostKind {
    case .ipv4: return contains(host.split(separator: ".").compactMap { UInt8($0) })
    case .ipv6: return containsIPv6(host)
    case .domain:
      let name = host.hasSuffix(".") ? String(host.dropLast()) : host
      return ["localhost", "local", "internal"].contains { name == $0 || name.hasSuffix("." + $0) }
    case .none, .empty, .opaque: return false
    }
  }

  /// > Source: the IANA registries of special-purpose addresses.
  private static func contains(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 4 else { return false }
    switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168): return true
    case (172, 16...31), (100, 64...127), (198, 18...19): return true
    default: return false
    }
  }

  private static func containsIPv6(_ host: String) -> Bool {
    var address = in6_addr()
    let text = host.filter { $0 != "[" && $0 != "]" }
    guard unsafe inet_pton(AF_INET6, text, &address) == 1 else { return false }
    let bytes = unsafe withUnsafeBytes(of: &address) { unsafe Array($0) }
    // Unspecified, this machine, and IPv4 in the last four bytes.
    if bytes[..<10].allSatisfy({ $0 == 0 }) {
      if bytes[10..<15].allSatisfy({ $0 == 0 }) { return bytes[15] <= 1 }
      return bytes[10] == 0xFF && bytes[11] == 0xFF && contains(Array(bytes[12...]))
    }
    // Unique local, and link-local.
    return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }
}
