/// How what two lists do to a load differs; small, since a comparison has one for each change.
package struct EffectsDifference: Sendable {
  /// Selectors by which one of the lists alone hides something.
  package struct Selectors: Sendable {
    /// A few of them, in the order in which the lists were seen to have them.
    package var first: [String]
    /// How many there are.
    package var count: Int
  }

  /// How many selectors are named.
  private static let named = 3

  /// The ways in which the effects differ, the gravest first; at least one.
  package var changes: [LoadChange]
  /// What only the new list hides.
  package var hidden: Selectors
  /// What only the old list hides.
  package var shown: Selectors

  /// Compares two summaries with the same numbers of selectors.
  init(_ before: EffectsSummary, _ after: EffectsSummary, _ numbers: SelectorNumbers) {
    func selectors(of one: EffectsSummary, but other: EffectsSummary) -> Selectors {
      let (first, count) = one.hidden.missing(in: other.hidden, limit: Self.named)
      return Selectors(first: first.map { String(numbers.texts[$0]) }, count: count)
    }
    hidden = selectors(of: after, but: before)
    shown = selectors(of: before, but: after)
    changes = LoadChange.changes(
      from: before.outcome,
      to: after.outcome,
      hidesMore: hidden.count > 0,
      hidesLess: shown.count > 0
    )
  }
}
