// Hot: every test of a load type needs the registrable domain of the page. One pass over the host
// from its end and one probe of the table for each of its last labels, without allocating or
// decoding. Works on bytes only, so that it builds for Embedded Swift.

/// The Public Suffix List: the suffixes under which anybody may register domains.
///
/// Uses both sections of the list, ICANN domains and private ones, and its implied rule `*`: the
/// last label of a host that no rule knows is a public suffix. The results equal WebKitGTK's.
///
/// > Source: https://publicsuffix.org/list/, "Formal Algorithm"; WebKit's
/// > `PublicSuffixStore::topPrivatelyControlledDomain`.
/// > Deviation: By the list's algorithm a wildcard rule says nothing of the name behind its `*.`;
/// > here, as in libpsl, that name is a public suffix too.
public enum PublicSuffixList {
  /// Returns the bytes of a host that are its registrable domain: its public suffix and one more
  /// label.
  ///
  ///     registrableDomain(ofHost: Array("www.example.co.uk".utf8).span)  // 4..<17
  ///     registrableDomain(ofHost: Array("nas.home.lan".utf8).span)       // 4..<12
  ///
  /// The list does not apply to a host with a final dot: its domain is the last two labels.
  ///
  /// - Parameter host: A host in the form that a serialised URL has: lower-case ASCII, labels in
  ///   punycode, an IPv6 address in brackets.
  /// - Returns: The range; `nil` if the host is itself a public suffix, as every single label is,
  ///   or an IP address.
  /// - Complexity: O(*n*), where *n* is the number of bytes in the last seven labels.
  public static func registrableDomain(ofHost host: Span<UInt8>) -> Range<Int>? {
    guard host.count >= 2 else { return nil }
    let hasFinalDot = host[host.count - 1] == ASCII.dot
    let lastLabel = labelStart(of: host, endingAt: hasFinalDot ? host.count - 1 : host.count)
    guard !isAddress(host, lastLabel: lastLabel) else { return nil }
    // WebKit ignores leading dots before a single label.
    var first = 0
    while first < lastLabel, host[first] == ASCII.dot { first += 1 }
    guard first < lastLabel else { return nil }
    if hasFinalDot {
      // After two dots WebKit uses only the last one as the domain.
      guard lastLabel < host.count - 1 else { return (host.count - 1)..<host.count }
      return domainStart(of: host, suffix: lastLabel).map { $0..<host.count }
    }
    if let suffix = listedSuffixStart(ofHost: host) {
      return domainStart(of: host, suffix: suffix).map { $0..<host.count }
    }
    // The label before may be empty: `a..test` has `.test`, as in WebKit.
    return labelStart(of: host, endingAt: lastLabel - 1)..<host.count
  }

  /// Returns the start of the label before a suffix; an empty label does not count by itself.
  private static func domainStart(of host: Span<UInt8>, suffix: Int) -> Int? {
    guard suffix >= 2 else { return nil }
    var start = labelStart(of: host, endingAt: suffix - 1)
    if start == suffix - 1, start > 0 { start = labelStart(of: host, endingAt: start - 1) }
    return host[start] == ASCII.dot ? nil : start
  }

  /// Whether a host is an IP address: only those end in a number or a bracket.
  private static func isAddress(_ host: Span<UInt8>, lastLabel: Int) -> Bool {
    if host[host.count - 1] == UInt8(ascii: "]") { return true }
    guard lastLabel < host.count else { return false }
    for index in lastLabel..<host.count where !(ASCII.zero...UInt8(ascii: "9") ~= host[index]) {
      return false
    }
    return true
  }

  private static func labelStart(of host: Span<UInt8>, endingAt end: Int) -> Int {
    var start = end
    while start > 0, host[start - 1] != ASCII.dot {
      start -= 1
    }
    return start
  }

  /// Returns the bytes of a host that are its public suffix.
  ///
  /// - Parameter host: A host as for ``registrableDomain(ofHost:)``, without a final dot.
  /// - Returns: The last label if no rule of the list knows the host's end; `nil` for an IP address
  ///   and for a host that is empty or ends in a dot.
  /// - Complexity: O(*n*), where *n* is the number of bytes in the last six labels.
  public static func publicSuffix(ofHost host: Span<UInt8>) -> Range<Int>? {
    guard !host.isEmpty else { return nil }
    let lastLabel = labelStart(of: host, endingAt: host.count)
    guard !isAddress(host, lastLabel: lastLabel) else { return nil }
    let start = listedSuffixStart(ofHost: host) ?? lastLabel
    return start < host.count ? start..<host.count : nil
  }

  /// Whether a host is itself a public suffix by a rule of the list, as `com` and `github.io` are.
  ///
  /// A single label that no rule knows is none: so are hosts of an own network called.
  ///
  /// - Parameter host: A host as for ``registrableDomain(ofHost:)``, without a final dot.
  /// - Returns: `false` for an IP address too, and for a host that is empty or ends in a dot.
  /// - Complexity: O(*n*), where *n* is the number of bytes in the last six labels.
  public static func isListed(_ host: Span<UInt8>) -> Bool {
    guard !host.isEmpty else { return false }
    let lastLabel = labelStart(of: host, endingAt: host.count)
    return !isAddress(host, lastLabel: lastLabel) && listedSuffixStart(ofHost: host) == 0
  }

  /// Returns the start of the suffix by a rule of the list; `nil` if no rule matches.
  private static func listedSuffixStart(ofHost host: Span<UInt8>) -> Int? {
    var suffix: Int?
    var hash = NameHash()
    var labelEnd = host.count
    var labels = 0
    // Whether a wildcard rule makes every name with one more label than the last one a suffix.
    var isWildcard = false
    // The start of the name with one label less than the current one.
    var shorterStart = host.count
    var index = host.count
    while index >= 0 {
      if index > 0, host[index - 1] != ASCII.dot {
        index -= 1
        hash.combine(host[index])
        continue
      }
      // `index` is where a label starts.
      guard index < labelEnd else { break }
      let rules = PublicSuffixTable.rules(forNameAt: index, of: host, hash: hash)
      if rules.contains(.exception) { return shorterStart }
      if isWildcard || !rules.isEmpty { suffix = index }
      isWildcard = rules.contains(.wildcard)
      labels += 1
      // A name longer than any rule can match only by the wildcard before it.
      guard index > 0, labels <= PublicSuffixData.maximumLabelCount else { break }
      shorterStart = index
      hash.combine(ASCII.dot)
      index -= 1
      labelEnd = index
    }
    return suffix
  }
}

/// The hash of a name, computed from its last byte to its first.
private struct NameHash {
  private var value: UInt32 = 0x811C_9DC5

  mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt32(byte)) &* 0x0100_0193
  }

  var slot: Int {
    // Masked before it becomes an `Int`, which has 32 bits in WebAssembly.
    Int((value ^ value >> 15) & UInt32(PublicSuffixTable.slotMask))
  }
}

/// The hash table that the generated data describes.
private enum PublicSuffixTable {
  static let slotMask = 1 << PublicSuffixData.slotBits - 1

  struct Rules: OptionSet {
    var rawValue: UInt8
    static let name = Rules(rawValue: 1)
    static let wildcard = Rules(rawValue: 2)
    static let exception = Rules(rawValue: 4)
  }

  /// Returns the rules for the name from an index to the end of the host.
  static func rules(forNameAt start: Int, of host: Span<UInt8>, hash: NameHash) -> Rules {
    let names = StaticBytes(PublicSuffixData.names)
    let slots = StaticBytes(PublicSuffixData.slots)
    var slot = hash.slot
    // At least a quarter of the slots is free, so the search ends; the bound makes that obvious.
    for _ in 0...slotMask {
      let offset = offset(slot, slots)
      if offset == 0 { break }
      if matches(names, at: offset + 1, host, from: start) {
        return Rules(rawValue: names[offset] &- ASCII.zero)
      }
      slot = (slot + 1) & slotMask
    }
    return []
  }

  private static func offset(_ slot: Int, _ slots: StaticBytes) -> Int {
    digit(slots[3 * slot]) | digit(slots[3 * slot + 1]) << 6 | digit(slots[3 * slot + 2]) << 12
  }

  private static func digit(_ byte: UInt8) -> Int {
    if byte >= UInt8(ascii: "a") { return Int(byte) - 71 }
    if byte >= UInt8(ascii: "A") { return Int(byte) - 65 }
    if byte >= UInt8(ascii: "0") { return Int(byte) + 4 }
    return byte == UInt8(ascii: "+") ? 62 : 63
  }

  private static func matches(
    _ names: StaticBytes,
    at offset: Int,
    _ host: Span<UInt8>,
    from start: Int
  ) -> Bool {
    var place = offset
    for index in start..<host.count {
      guard names[place] == host[index] else { return false }
      place += 1
    }
    return names[place] == UInt8(ascii: ",")
  }
}

/// The bytes of a static string, read in place: the table needs no memory of its own.
@safe private struct StaticBytes {
  private let start: UnsafePointer<UInt8>
  private let count: Int

  init(_ text: StaticString) {
    unsafe start = text.utf8Start
    count = text.utf8CodeUnitCount
  }

  /// The byte at an index, or 0 beyond the end; a static string lives as long as the program.
  subscript(index: Int) -> UInt8 {
    index >= 0 && index < count ? unsafe start[index] : 0
  }
}
