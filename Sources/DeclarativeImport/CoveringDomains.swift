/// Domains, each of which covers itself and all that is below it.
///
/// Whether any of them covers a host is found by the host's own ends, so that rules with tens of thousands of
/// domains, of which there are real ones, can exclude as many.
struct CoveringDomains {
  private let names: Set<String>
  /// The lengths of the names in bytes; of real names there are some dozens.
  private let lengths: Set<Int>

  init(_ names: [String]) {
    self.names = Set(names)
    lengths = Set(names.map(\.utf8.count))
  }

  /// Whether one of the domains is a host or above it; there is nothing above an address.
  func cover(_ host: String) -> Bool {
    if names.contains(host) { return true }
    if URLPatterns.isAddress(host) { return false }
    let bytes = host.utf8
    return lengths.contains { length in
      guard length < bytes.count else { return false }
      let start = bytes.index(bytes.endIndex, offsetBy: -length)
      return bytes[bytes.index(before: start)] == UInt8(ascii: ".")
        && names.contains(String(Substring(bytes[start...])))
    }
  }
}
