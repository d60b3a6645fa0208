/// Hosts that some lines name, such as those on whose pages no specific hiding filter acts, found by the domains of
/// other filters.
struct LiftedDomains {
  typealias Entry = (domain: PageScope.Domain, line: Int)

  /// All hosts, with the lines that name them.
  let entries: [Entry]
  /// The entries of a domain, and those of domains truly below it, by their positions.
  private var own: [ArraySlice<UInt8>: [Int]] = [:]
  private var below: [ArraySlice<UInt8>: [Int]] = [:]

  /// The hosts with the lines that name them; none has a wildcard.
  init(_ entries: [Entry]) {
    self.entries = entries
    for (number, entry) in entries.enumerated() {
      own[entry.domain.name[...], default: []].append(number)
      Self.forEachParent(of: entry.domain.name) { below[$0, default: []].append(number) }
    }
  }

  /// Returns the hosts that are among the included domains of a scope, or above or below one.
  ///
  /// - Complexity: O(*n*) for *n* domains and the hosts found; with a wildcard for all hosts.
  func touching(_ scope: PageScope) -> [Entry] {
    guard !entries.isEmpty else { return [] }
    guard scope.included.allSatisfy({ !$0.hasWildcard }) else {
      return entries.filter { scope.touches($0.domain) }
    }
    var found: Set<Int> = []
    for domain in scope.included {
      found.formUnion(own[domain.name[...]] ?? [])
      found.formUnion(below[domain.name[...]] ?? [])
      Self.forEachParent(of: domain.name) { found.formUnion(own[$0] ?? []) }
    }
    return found.sorted().map { entries[$0] }
  }

  /// Whether a domain, one below it or one above it is among the hosts.
  ///
  /// - Complexity: O(*n*) for *n* bytes of the domain's name.
  func hasAny(near domain: PageScope.Domain) -> Bool {
    guard !domain.hasWildcard else { return !entries.isEmpty }
    var isFound = own[domain.name[...]] != nil || below[domain.name[...]] != nil
    Self.forEachParent(of: domain.name) { isFound = isFound || own[$0] != nil }
    return isFound
  }

  private static func forEachParent(of name: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
    for dot in name.indices where name[dot] == UInt8(ascii: ".") { body(name[(dot + 1)...]) }
  }
}
