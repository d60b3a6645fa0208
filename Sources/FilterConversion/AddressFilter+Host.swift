internal import FilterLists

/// The host that a pattern names, and those below it.
extension AddressFilter {
  /// A host that a pattern names.
  struct NamedHost {
    var name: [UInt8]
    /// What follows it in the pattern, if those below it are meant, too.
    var rest: ArraySlice<UInt8>?
  }

  /// Finds the host in a text that begins a URL.
  ///
  /// - Parameters:
  ///   - text: The list's bytes.
  ///   - range: What stands behind the anchor.
  /// - Returns: Where scheme and host end, as far as they are there; the host, if all of it is.
  static func hostBehindScheme(
    _ text: [UInt8],
    _ range: Range<Int>
  ) -> (end: Int, name: [UInt8]?) {
    var start = range.lowerBound
    while start < range.upperBound, (0x61...0x7A).contains(text[start] | 0x20) { start += 1 }
    guard FilterText.starts(text, start..<range.upperBound, "://") else { return (start, nil) }
    start += 3
    var end = start
    while end < range.upperBound, isHostPart(text[end]) { end += 1 }
    guard end < range.upperBound, text[end] == UInt8(ascii: "/") || text[end] == UInt8(ascii: "^"),
      let name = asciiHost(text[start..<end]), isWholeHost(name)
    else { return (end, nil) }
    return (end, name)
  }

  /// Returns the patterns for those of the URLs that have one of some hosts, if the pattern tells them.
  ///
  /// - Parameters:
  ///   - hosts: The hosts, each with all below it.
  ///   - reasons: Takes what is not exact.
  /// - Returns: The patterns; `nil` if URLs may have one of the hosts or not.
  /// - Throws: The reason if none has.
  func patterns(
    among hosts: [PageScope.Domain],
    _ reasons: inout [ConversionReason]
  ) throws(ConversionReason) -> [[UInt8]]? {
    guard let namedHost else { return nil }
    let own = PageScope.Domain(name: namedHost.name)
    if let host = hosts.first(where: { $0 == own || PageScope.isBelow(own, $0) }) {
      if host.hasWildcard { reasons.append(ConversionReason(.wildcardDomain)) }
      return [pattern]
    }
    guard hosts.allSatisfy({ !$0.hasWildcard }) else { return nil }
    guard let rest = namedHost.rest else { throw ConversionReason(.neverApplies) }
    let below = PageScope.distinct(hosts).filter { PageScope.isBelow($0, own) }
    guard !below.isEmpty else { throw ConversionReason(.neverApplies) }
    return below.map { domain in
      var pattern = Self.hostAnchor
      Self.appendLiteral(domain.name[...], to: &pattern)
      return pattern + rest
    }
  }
}
