/// The hosts of a domain without some below it, as patterns of the top URL.
///
/// A rule has one condition, and `if-domain` cannot except subdomains. Any of several patterns is
/// enough, so the complement is written as the ways in which a host differs from all that are
/// excluded, from the domain to the left:
///
///     a.example but not x.a.example:   a.example      (the domain itself)
///                                      …[^x.].a.example, …?.x.a.example with another letter …
struct HostExclusion {
  /// The most patterns of one condition.
  static let maximumPatterns = 400

  /// Nodes of a tree of the excluded names, read from their ends.
  private struct Node {
    var children: [(byte: UInt8, node: Int)] = []
    /// Whether an excluded name begins here.
    var isName = false
  }

  /// Returns the patterns for a domain and what is below it, without some names below it.
  ///
  /// - Parameters:
  ///   - domain: The domain.
  ///   - names: The excluded names, each of which ends in a dot and the domain; they and what is
  ///     below them is excluded.
  /// - Returns: The patterns; `nil` if there would be too many.
  static func patterns(domain: [UInt8], without names: [[UInt8]]) -> [[UInt8]]? {
    var nodes = [Node()]
    for name in names {
      var node = 0
      for byte in name.dropLast(domain.count).reversed() {
        if let child = nodes[node].children.first(where: { $0.byte == byte }) {
          node = child.node
        } else {
          nodes.append(Node())
          nodes[node].children.append((byte, nodes.count - 1))
          node = nodes.count - 1
          if nodes.count > maximumPatterns { return nil }
        }
      }
      nodes[node].isName = true
    }
    var patterns: [[UInt8]] = []
    // Each node with what stands behind it in the host.
    var open: [(node: Int, suffix: [UInt8])] = [(0, domain)]
    while let (number, suffix) = open.popLast() {
      let node = nodes[number]
      // The host begins here.
      if !node.isName, suffix.first != UInt8(ascii: ".") {
        patterns.append(pattern("^[^:]+://+", nil, suffix))
      }
      // Something else stands in front.
      var excluded = node.children.map(\.byte)
      if node.isName { excluded.append(UInt8(ascii: ".")) }
      if number == 0 {
        // Only a dot makes it a name below the domain.
        if !excluded.contains(UInt8(ascii: ".")) { patterns.append(below(suffix)) }
      } else {
        patterns.append(pattern("^[^:]+://+[^/:]*", excluded, suffix))
      }
      for child in node.children where !(node.isName && child.byte == UInt8(ascii: ".")) {
        open.append((child.node, [child.byte] + suffix))
      }
    }
    return patterns.count <= maximumPatterns ? patterns : nil
  }

  private static func below(_ domain: [UInt8]) -> [UInt8] {
    var pattern = Array(#"^[^:]+://+[^/:]*\."#.utf8)
    AddressFilter.appendLiteral(domain[...], to: &pattern)
    return pattern + AddressFilter.hostEnd
  }

  private static func pattern(
    _ start: String,
    _ excluded: [UInt8]?,
    _ suffix: [UInt8]
  ) -> [UInt8] {
    var pattern = Array(start.utf8)
    if let excluded {
      pattern += Array("[^/:".utf8)
      // A hyphen stands for itself at the end of a set.
      for byte in excluded.sorted() where byte != UInt8(ascii: "-") { pattern.append(byte) }
      if excluded.contains(UInt8(ascii: "-")) { pattern.append(UInt8(ascii: "-")) }
      pattern.append(UInt8(ascii: "]"))
    }
    AddressFilter.appendLiteral(suffix[...], to: &pattern)
    return pattern + AddressFilter.hostEnd
  }
}
