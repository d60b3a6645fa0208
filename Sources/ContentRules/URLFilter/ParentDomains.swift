/// The domains above a host, the nearest first: of `a.b.test` they are `b.test` and `test`.
///
/// Of a host with more than 128 labels only the last 128 are looked at. No host in the domain name system
/// has as many, and all domains above a host of *n* labels would take O(*n*²) time.
package struct ParentDomains: Sequence, IteratorProtocol {
  private static let labelLimit = 128
  private static let dot = UInt8(ascii: ".")

  private var rest: Substring.UTF8View

  /// The domains above a host.
  ///
  /// - Complexity: O(*n*) for a host of *n* bytes.
  package init(of host: String) {
    rest = host[...].utf8
    var labels = 1
    for index in rest.indices.reversed() where rest[index] == Self.dot {
      labels += 1
      if labels > Self.labelLimit {
        // What stands before the dot is left out, and the dot begins the first domain.
        rest = rest[index...]
        return
      }
    }
  }

  package mutating func next() -> String? {
    guard let dot = rest.firstIndex(of: Self.dot) else { return nil }
    rest = rest[rest.index(after: dot)...]
    return String(Substring(rest))
  }
}
