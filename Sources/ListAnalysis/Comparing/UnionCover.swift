internal import ContentRules
internal import RuleProofs

/// Finds the rules of a list whose work the rules of another list do between them, and those that
/// are left over.
///
/// A rule is taken apart into its selectors and the entries of its condition. Each piece has to be
/// matched, in each way in which it may be loaded, by a rule of the other list that does the same.
/// Both lists have the same exceptions in the same order; where one stands between the places of
/// the two rules, it must not meet the piece.
struct UnionCover {
  private let own: ListFacts
  private let other: ListFacts
  private let exceptions: CommonExceptions
  /// For each rule, by its place, the exceptions before it.
  private let gaps: (own: [Int], other: [Int])
  private let sets: LoadSets
  private let samples: PatternSamples
  /// The other list's rules.
  private let index: CoverIndex
  /// The number in the other list of each selector of the own one that it has.
  private let selectors: [Int: Int]

  /// The most rules that are compared with one piece.
  private static let limit = 256

  /// Prepares the rules of two lists.
  init(
    of own: ListFacts,
    by other: ListFacts,
    gaps: (own: [Int], other: [Int]),
    _ exceptions: CommonExceptions,
    sets: LoadSets,
    samples: PatternSamples
  ) {
    self.own = own
    self.other = other
    self.gaps = gaps
    self.exceptions = exceptions
    self.sets = sets
    self.samples = samples
    index = CoverIndex(other, sets: sets, samples: samples)
    var selectors: [Int: Int] = [:]
    for number in 0..<own.selectorCount {
      selectors[number] = other.number(ofSelector: own.selector(number))
    }
    self.selectors = selectors
  }

  /// Whether it is proved that rules of the other list do whatever a rule does.
  ///
  /// - Complexity: For *s* selectors and *e* entries of a condition O(*s* · *e*) look-ups and
  ///   comparisons with rules of the same host.
  func covers(_ place: Int) -> Bool {
    let facts = own.facts[place]
    // What never matches does nothing.
    guard let loads = facts.loads else { return true }
    guard !facts.roles.isEmpty else { return false }
    return facts.roles.allSatisfy { role in
      var role = role
      if case .hide(let selector) = role {
        guard let number = selectors[selector] else { return false }
        role = .hide(selector: number)
      }
      return covers(place, loads, role)
    }
  }

  private func covers(_ place: Int, _ loads: LoadSet, _ role: CoverIndex.Role) -> Bool {
    let missing = missing(loads.cells, place, loads, role)
    if missing == 0 { return true }
    guard let condition = sets.conditions.condition(loads.condition), !condition.isNegated,
      condition.entries.count > 1
    else { return false }
    // Wherever the condition holds, one of its entries does.
    return condition.entries.allSatisfy { entry in
      var piece = loads
      piece.condition = sets.conditions.single(entry, of: condition)
      return self.missing(missing, place, piece, role) == 0
    }
  }

  /// Returns those of some cells that no rule has that matches all loads of a set but for the cells.
  private func missing(
    _ cells: UInt64,
    _ place: Int,
    _ loads: LoadSet,
    _ role: CoverIndex.Role
  ) -> UInt64 {
    var missing = cells
    let isGlobal = own.isGlobal(place)
    let candidates = index.candidates(
      samples.wider(loads.pattern),
      loads,
      role,
      limit: Self.limit
    )
    for candidate in candidates {
      guard let loadsOfOther = other.facts[candidate].loads,
        loadsOfOther.cells & missing != 0,
        !isGlobal || other.isGlobal(candidate),
        sets.isIncludedApartFromCells(loads, in: loadsOfOther),
        exceptions.lets(gaps.other[candidate], standInFor: gaps.own[place], loads)
      else { continue }
      missing &= ~loadsOfOther.cells
      if missing == 0 { break }
    }
    return missing
  }
}
