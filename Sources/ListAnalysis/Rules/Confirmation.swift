package import ContentBlocking
package import ContentRules

/// Confirms by the engine that two lists do the same to loads.
///
/// It knows nothing of how a claim was proved, so that it would show a mistake in a proof.
package struct Confirmation {
  private let before: EffectsDecider
  private let after: EffectsDecider
  /// The number of loads that were tried.
  package private(set) var count = 0

  /// Prepares two lists.
  package init(before: ContentRuleList, after: ContentRuleList) {
    self.before = EffectsDecider(before)
    self.after = EffectsDecider(after)
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

  /// Whether both lists do the same to a load; what is hidden is compared only if `hides`.
  package mutating func agrees(on load: ResourceLoad, hides: Bool = true) -> Bool {
    count += 1
    return before.effects(on: load, hides: hides) == after.effects(on: load, hides: hides)
  }
}
