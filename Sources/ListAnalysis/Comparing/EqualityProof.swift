internal import ContentRules
internal import RuleProofs

/// Proves that two lists that are written differently decide every load alike.
///
/// What only one list has must be removable from it, what both have must mean the same, and must
/// stand in the same order as far as that matters to exceptions.
struct EqualityProof {
  private let old: ListInput
  private let new: ListInput
  private let oldFacts: ListFacts
  private let newFacts: ListFacts
  private let sets: LoadSets
  private let samples: PatternSamples

  init(
    old: ListInput,
    new: ListInput,
    _ oldFacts: ListFacts,
    _ newFacts: ListFacts,
    sets: LoadSets,
    samples: PatternSamples
  ) {
    self.old = old
    self.new = new
    self.oldFacts = oldFacts
    self.newFacts = newFacts
    self.sets = sets
    self.samples = samples
  }

  /// Whether the lists are proved to be equal.
  ///
  /// - Throws: ``RuleCompiler/CompileError`` if a list exceeds the compiler's limits.
  func proves(_ pairs: RulePairs, _ changed: [ChangedRules.Pair]) throws -> Bool {
    // Where no exception has moved, this is the faster proof, and it proves more.
    try UnionProof(sets: sets, samples: samples).proves(oldFacts, newFacts)
      || provesRuleByRule(pairs, changed)
  }

  /// Proves it by what became of each rule; exceptions may have moved.
  private func provesRuleByRule(
    _ pairs: RulePairs,
    _ changed: [ChangedRules.Pair]
  ) throws -> Bool {
    let reworded = changed.filter { $0.kind == .reworded }
    let (old, new) = (Set(reworded.map(\.old)), Set(reworded.map(\.new)))
    let gone = pairs.gone.filter { !old.contains($0) }
    let added = pairs.added.filter { !new.contains($0) }
    guard try areRemovable(gone, self.old, oldFacts), try areRemovable(added, self.new, newFacts)
    else { return false }
    // Rules whose order or effect is not understood must be left alone.
    for pair in reworded where oldFacts.facts[pair.old].effect == .other { return false }
    // With these, the order of rules of other kinds counts as well.
    let isChanged = !pairs.gone.isEmpty || !pairs.added.isEmpty || !pairs.moved.isEmpty
    let slots = oldFacts.sharedSlots.union(newFacts.sharedSlots)
    if isChanged, !slots.isDisjoint(with: .byPlace) { return false }
    guard hasSameGlobalSheet(pairs, reworded) else { return false }
    let all = (pairs.same + reworded.map { ($0.old, $0.new) }).sorted { $0.1 < $1.1 }
    return isOrderKept(all, movedOrReworded: pairs.moved.union(new))
  }

  private func areRemovable(_ places: [Int], _ list: ListInput, _ facts: ListFacts) throws -> Bool {
    guard !places.isEmpty else { return true }
    var analyzer = RuleAnalyzer(list.rules, ProofTables(sets: sets, samples: samples))
    let removable = Set(analyzer.findings().filter(\.isRemovable).map(\.rule))
    return places.allSatisfy { removable.contains(facts.facts[$0].number) }
  }

  /// Whether the same rules are part of the global sheet.
  private func hasSameGlobalSheet(_ pairs: RulePairs, _ reworded: [ChangedRules.Pair]) -> Bool {
    pairs.same.allSatisfy { oldFacts.isGlobal($0.old) == newFacts.isGlobal($0.new) }
      && reworded.allSatisfy { oldFacts.isGlobal($0.old) == newFacts.isGlobal($0.new) }
  }

  /// Whether no rule has gone past an exception that it may meet; `false` if that would take too
  /// many comparisons.
  ///
  /// Rules that are neither exceptions nor unlike all others may change places freely, so that a
  /// sorted list of any length is compared with its exceptions alone.
  private func isOrderKept(_ pairs: [(old: Int, new: Int)], movedOrReworded: Set<Int>) -> Bool {
    let bounds = pairs.indices.filter { isBound(pairs[$0].new) }
    var count = 0
    for (number, pair) in pairs.enumerated() where movedOrReworded.contains(pair.new) {
      let others = isBound(pair.new) ? Array(pairs.indices) : bounds
      count += others.count
      guard count <= Self.comparisonLimit else { return false }
      for otherNumber in others where otherNumber != number {
        let other = pairs[otherNumber]
        let wasBefore = other.old < pair.old
        guard wasBefore != (otherNumber < number) else { continue }
        guard isOrderFree(pair.new, other.new) else { return false }
      }
    }
    return true
  }

  /// The most pairs of rules whose order is compared.
  private static let comparisonLimit = 5_000_000

  private func isBound(_ place: Int) -> Bool {
    newFacts.facts[place].isException || newFacts.facts[place].effect == .other
  }

  private func isOrderFree(_ place: Int, _ other: Int) -> Bool {
    let (own, their) = (newFacts.facts[place], newFacts.facts[other])
    if own.effect == .other || their.effect == .other { return false }
    guard own.isException || their.isException else { return true }
    // Exceptions of one kind do nothing to each other, but to what the other one reports.
    if own.effect == their.effect, !own.isReported, !their.isReported { return true }
    guard let loads = own.loads, let others = their.loads else { return true }
    return sets.areDisjoint(loads, others)
  }
}
