package import ContentBlocking
package import ContentRules

/// Confirms by the engine that two lists do the same to loads.
///
/// It knows nothing of how a claim was proved, so that it would show a mistake in a proof.
package struct Confirmation {
  private let before: EffectsDecider
  private let after: EffectsDecider
  private let selectors = SelectorNumbers()
  /// Loads that both lists decide alike.
  private var agreed: [Bool: Set<ResourceLoad>] = [:]
  /// The most loads that are kept; the others are decided again when they come again.
  private static let cacheLimit = 50_000
  /// The number of loads that were tried.
  package private(set) var count = 0

  /// Prepares two lists.
  package init(before: ContentRuleList, after: ContentRuleList) {
    self.before = EffectsDecider([before], selectors: selectors)
    self.after = EffectsDecider([after], selectors: selectors)
  }

  /// Compiles a list with and without some rules; `nil` if none is left.
  ///
  /// - Parameters:
  ///   - rules: The list's rules.
  ///   - text: The JSON that they were read from.
  ///   - gone: The numbers of the rules to leave out.
  /// - Throws: ``ContentBlocking/RuleListError`` if either exceeds the compiler's limits.
  package init?(
    _ rules: [Rule],
    in text: [UInt8],
    without gone: Set<Int>
  ) throws(RuleListError) {
    let rest = rules.filter { !gone.contains($0.index) }
    guard !rest.isEmpty else { return nil }
    self.init(
      before: try ContentRuleList(identifier: "before", rules: rules, source: text),
      after: try ContentRuleList(identifier: "after", rules: rest, source: text)
    )
  }

  /// Returns how what the two lists do to a load differs; `nil` if it does not.
  ///
  /// - Parameters:
  ///   - load: The load.
  ///   - hides: Whether what is hidden is compared as well.
  /// - Returns: The difference.
  mutating func difference(on load: ResourceLoad, hides: Bool) -> EffectsDifference? {
    if agreed[hides]?.contains(load) ?? false { return nil }
    count += 1
    let old = before.summary(of: load, hides: hides)
    let new = after.summary(of: load, hides: hides)
    guard old == new else { return EffectsDifference(old, new, selectors) }
    if agreed[hides]?.count ?? 0 < Self.cacheLimit { agreed[hides, default: []].insert(load) }
    return nil
  }

  /// Whether both lists do the same to a load; what is hidden is compared only if `hides`.
  package mutating func agrees(on load: ResourceLoad, hides: Bool = true) -> Bool {
    difference(on: load, hides: hides) == nil
  }
}
