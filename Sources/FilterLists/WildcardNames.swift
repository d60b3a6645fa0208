/// Lists of domains in the form `*.ads.example`, which means another thing to a blocker.
///
/// Resolvers read it as a domain with what is below it. As a filter it is a pattern: for every address that has
/// `.ads.example` somewhere, and not for the domain itself.
extension FilterCollection {
  /// Fewer lines of the form may as well be filters.
  private static let fewestWildcards = 3

  /// The numbers of the sources that are read as filters, and of which nearly all lines have the form.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  package var wildcardSources: [Int] {
    var counts = Array(repeating: (wildcards: 0, filters: 0), count: sources.count)
    for line in lines where line.standing == .ordinary && !line.range.isEmpty {
      let text = sources[Int(line.source)].text
      let range = line.range
      let first = text[range.lowerBound]
      if "![".utf8.contains(first) { continue }
      if first == UInt8(ascii: "#"), !FilterText.isHidingMark(text, range) { continue }
      counts[Int(line.source)].filters += 1
      let isWildcard =
        FilterText.starts(text, range, "*.") && HostsLine.isBareName(text, range.dropFirst(2))
      if isWildcard { counts[Int(line.source)].wildcards += 1 }
    }
    return sources.indices.filter { number in
      let count = counts[number]
      return sources[number].dialect != .hosts && count.wildcards >= Self.fewestWildcards
        && 10 * count.wildcards >= 9 * count.filters
    }
  }
}
