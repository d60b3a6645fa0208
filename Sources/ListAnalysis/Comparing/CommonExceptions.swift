internal import ContentRules
internal import RuleProofs

/// The exceptions of two lists, if both have the same in the same order.
///
/// They cut each list into gaps. What survives on a load are the rules of some gaps, from the last
/// `ignore-previous-rules` that matches to the first `ignore-following-rules`, and these are the same
/// gaps in both lists. So a rule may stand anywhere in its gap.
struct CommonExceptions {
  /// The exceptions in their order: those of the old list.
  private var loads: [LoadSet?] = []
  private var previous: [Int] = []
  private var following: [Int] = []
  /// For each rule of a list, by its place, the exceptions before it.
  let oldGaps: [Int]
  let newGaps: [Int]
  private let sets: LoadSets

  /// The most exceptions that are compared with one rule.
  private static let limit = 400

  /// Compares the exceptions of two lists, and the rules whose place among them shows; `nil` if they
  /// are not the same in both.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rules.
  init?(_ old: ListFacts, _ new: ListFacts, sets: LoadSets) {
    self.sets = sets
    let (own, other) = (Self.bounds(of: old), Self.bounds(of: new))
    guard own.count == other.count else { return nil }
    for (place, otherPlace) in zip(own, other) {
      guard Self.areSame(place, old, otherPlace, new, sets) else { return nil }
      switch old.facts[place].effect {
      case .ignorePrevious: previous.append(loads.count)
      case .ignoreFollowing: following.append(loads.count)
      default: continue
      }
      loads.append(old.facts[place].loads)
    }
    oldGaps = Self.gaps(of: old)
    newGaps = Self.gaps(of: new)
  }

  /// Whether it is proved that no exception keeps a rule from doing to loads what another list's rule
  /// does that matches them as well.
  ///
  /// - Parameters:
  ///   - otherGap: The exceptions before the rule that stands in.
  ///   - gap: The exceptions before the rule that it stands in for.
  ///   - own: The loads.
  /// - Returns: Whether it is proved; `false` also if too many exceptions stand between.
  func lets(_ otherGap: Int, standInFor gap: Int, _ own: LoadSet) -> Bool {
    // What drops the rule itself does not count.
    let kinds = otherGap > gap ? following : previous
    var count = 0
    for number in kinds[Self.firstIndex(kinds, from: min(gap, otherGap))...] {
      guard number < max(gap, otherGap) else { return true }
      count += 1
      guard count <= Self.limit else { return false }
      if let other = loads[number], !sets.areDisjoint(own, other) { return false }
    }
    return true
  }

  /// The places of exceptions and of rules that are taken for different from all others.
  private static func bounds(of list: ListFacts) -> [Int] {
    list.facts.indices.filter { list.facts[$0].isException || list.facts[$0].effect == .other }
  }

  private static func areSame(
    _ place: Int,
    _ old: ListFacts,
    _ otherPlace: Int,
    _ new: ListFacts,
    _ sets: LoadSets
  ) -> Bool {
    let (rule, other) = (old.rules[place], new.rules[otherPlace])
    guard rule.action == other.action, rule.identifier == other.identifier else { return false }
    if rule.trigger == other.trigger { return true }
    guard let loads = old.facts[place].loads, let others = new.facts[otherPlace].loads,
      // A redirect's address may depend on how its pattern is written.
      old.facts[place].isException
    else { return false }
    return sets.isIncluded(loads, in: others) && sets.isIncluded(others, in: loads)
  }

  private static func gaps(of list: ListFacts) -> [Int] {
    var count = 0
    return list.facts.map { facts in
      defer { if facts.isException { count += 1 } }
      return count
    }
  }

  private static func firstIndex(_ numbers: [Int], from low: Int) -> Int {
    var (first, last) = (0, numbers.count)
    while first < last {
      let middle = (first + last) / 2
      if numbers[middle] >= low { last = middle } else { first = middle + 1 }
    }
    return first
  }
}
