internal import ContentRules
internal import RuleCompiler
internal import RuleProofs

/// Proves that two lists decide every load alike although their rules are cut in different ways:
/// where one list has a rule for three domains, the other may have three rules.
///
/// The rules of each list must be covered by the other's rules together. Those that are not must be
/// removable, by the proofs of an analysis; then the lists without them are compared.
struct UnionProof {
  private let sets: LoadSets
  private let samples: PatternSamples

  /// The most times that superfluous rules are removed from both lists.
  private static let rounds = 3

  init(sets: LoadSets, samples: PatternSamples) {
    self.sets = sets
    self.samples = samples
  }

  /// Whether the lists are proved to be equal.
  ///
  /// - Throws: ``RuleCompiler/CompileError`` if a list exceeds the compiler's limits.
  /// - Complexity: O(*n*) look-ups for *n* rules that differ, and a few analyses if some are not
  ///   covered.
  func proves(_ old: ListFacts, _ new: ListFacts) throws -> Bool {
    var (old, new) = (old, new)
    for round in 0...Self.rounds {
      // The places and number of these rules show in other ways.
      guard old.sharedSlots.union(new.sharedSlots).isDisjoint(with: .byPlace) else { return false }
      let left = leftOver(old, new)
      if let left, left.old.isEmpty, left.new.isEmpty { return true }
      guard round < Self.rounds else { break }
      let gone = try removable(of: old, left?.old)
      let added = try removable(of: new, left?.new)
      guard !gone.isEmpty || !added.isEmpty else { break }
      old = ListFacts(old.rules.filter { !gone.contains($0.index) }, sets: sets)
      new = ListFacts(new.rules.filter { !added.contains($0.index) }, sets: sets)
    }
    return false
  }

  /// Returns the numbers of rules that a list can do without: only what is left over if that
  /// suffices, else all of them.
  private func removable(of list: ListFacts, _ left: [Int]?) throws -> Set<Int> {
    if let left, left.isEmpty { return [] }
    guard !list.rules.isEmpty else { return [] }
    var analyzer = RuleAnalyzer(list.rules, ProofTables(sets: sets, samples: samples))
    let all = Set(analyzer.findings().filter(\.isRemovable).map(\.rule))
    let needed = Set((left ?? []).map { list.facts[$0].number })
    return !needed.isEmpty && needed.isSubset(of: all) ? needed : all
  }

  /// Returns the places of the rules of each list that the other's do not cover; `nil` if the
  /// exceptions differ.
  private func leftOver(_ old: ListFacts, _ new: ListFacts) -> (old: [Int], new: [Int])? {
    guard let exceptions = CommonExceptions(old, new, sets: sets) else { return nil }
    var isKept = Array(repeating: false, count: old.rules.count)
    var isKnown = Array(repeating: false, count: new.rules.count)
    for pair in RulePairs(old: old.rules, new: new.rules).same
    where exceptions.oldGaps[pair.old] == exceptions.newGaps[pair.new] {
      isKept[pair.old] = true
      isKnown[pair.new] = true
    }
    func rest(_ list: ListFacts, _ isKnown: [Bool]) -> [Int] {
      list.facts.indices.filter {
        !isKnown[$0] && !list.facts[$0].isException && list.facts[$0].effect != .other
      }
    }
    var (gone, added) = (rest(old, isKept), rest(new, isKnown))
    if !gone.isEmpty {
      let cover = UnionCover(
        of: old,
        by: new,
        gaps: (exceptions.oldGaps, exceptions.newGaps),
        exceptions,
        sets: sets,
        samples: samples
      )
      gone.removeAll { cover.covers($0) }
    }
    if !added.isEmpty {
      let cover = UnionCover(
        of: new,
        by: old,
        gaps: (exceptions.newGaps, exceptions.oldGaps),
        exceptions,
        sets: sets,
        samples: samples
      )
      added.removeAll { cover.covers($0) }
    }
    return (gone, added)
  }
}
