/// The exceptions of one selector.
struct SelectorExceptions {
  /// The domains that are lifted, with the lines that say so.
  var domains: [(domain: PageScope.Domain, line: Int)] = []
  /// Whether one of them has domains where it lifts nothing.
  var hasExcluded = false
  /// The lines of all, and of those for all pages.
  var lines: [Int] = []
  var everywhere: [Int] = []
  /// Whether a filter has the selector.
  var isUsed = false
  /// The domains by their names, if they are many and have no wildcards.
  private var index: LiftedDomains?
  /// Whether it is known if there is an ``index``.
  private var isPrepared = false

  /// From how many domains on they are found by their names.
  private static let indexedDomains = 64

  /// Returns the domains that are among those of a scope, or above or below one, in their order.
  ///
  /// - Parameters:
  ///   - scope: The pages of a filter.
  ///   - comparisons: How many domains may still be looked at.
  /// - Returns: The domains, with the lines that say so.
  /// - Throws: The reason if there are too many.
  mutating func touching(
    _ scope: PageScope,
    _ comparisons: inout Int
  ) throws(ConversionReason) -> [LiftedDomains.Entry] {
    if !isPrepared {
      isPrepared = true
      if domains.count >= Self.indexedDomains, domains.allSatisfy({ !$0.domain.hasWildcard }) {
        index = LiftedDomains(domains)
      }
    }
    var count = domains.count * max(1, scope.included.count)
    var found: [LiftedDomains.Entry]?
    if let index, !scope.included.isEmpty, scope.included.allSatisfy({ !$0.hasWildcard }) {
      found = index.touching(scope)
      count = found?.count ?? 0
    }
    guard count <= comparisons else { throw ConversionReason(.tooManyExclusions) }
    comparisons -= count
    return found ?? domains.filter { scope.touches($0.domain) }
  }
}
