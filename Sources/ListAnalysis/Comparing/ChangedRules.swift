internal import ContentRules
internal import RuleProofs

/// Pairs rules that were changed: what a rule of the old list has become in the new one.
struct ChangedRules {
  private let old: ListFacts
  private let new: ListFacts
  private let sets: LoadSets
  private let samples: PatternSamples
  /// The selectors of each rule, ascending, by numbers that both lists share; empty for rules that hide nothing.
  private let oldSelectors: [[Int32]]
  private let newSelectors: [[Int32]]

  /// The most rules of one pattern that are compared with a rule.
  private static let limit = 64

  init(old: ListFacts, new: ListFacts, sets: LoadSets, samples: PatternSamples) {
    self.old = old
    self.new = new
    self.sets = sets
    self.samples = samples
    // Those that only the new list has come behind those of the old one.
    let shared = (0..<new.selectorCount).map { number in
      old.number(ofSelector: new.selector(number)) ?? old.selectorCount + number
    }
    oldSelectors = Self.selectors(of: old) { $0 }
    newSelectors = Self.selectors(of: new) { shared[$0] }
  }

  private static func selectors(of list: ListFacts, _ number: (Int) -> Int) -> [[Int32]] {
    list.facts.map { facts in
      guard case .hide(let hidden) = facts.effect else { return [] }
      return Set(hidden.map { Int32(truncatingIfNeeded: number($0)) }).sorted()
    }
  }

  /// A rule of the old list with what it became.
  struct Pair {
    var old: Int
    var new: Int
    var kind: Change.Kind
  }

  /// Pairs rules that only one of the lists has, the most alike first.
  func pairs(gone: [Int], added: [Int]) -> [Pair] {
    var byPattern: [Int: [Int]] = [:]
    for place in gone {
      guard let loads = old.facts[place].loads else { continue }
      byPattern[key(loads.pattern), default: []].append(place)
    }
    var candidates: [(score: Int, distance: Int, pair: Pair)] = []
    for place in added {
      guard let loads = new.facts[place].loads else { continue }
      var others = (byPattern[key(loads.pattern)] ?? []).prefix(Self.limit).map { $0 }
      for wider in samples.wider(loads.pattern) where wider != loads.pattern {
        others += (byPattern[key(wider)] ?? []).prefix(Self.limit)
      }
      for other in others { consider(other, place, &candidates) }
    }
    // Patterns that became wider are found from the other side.
    var newByPattern: [Int: [Int]] = [:]
    for place in added {
      guard let loads = new.facts[place].loads else { continue }
      newByPattern[key(loads.pattern), default: []].append(place)
    }
    for place in gone {
      guard let loads = old.facts[place].loads else { continue }
      for wider in samples.wider(loads.pattern) where wider != loads.pattern {
        for other in (newByPattern[key(wider)] ?? []).prefix(Self.limit) {
          consider(place, other, &candidates)
        }
      }
    }
    candidates.sort {
      ($0.score, $0.distance, $0.pair.new, $0.pair.old)
        < ($1.score, $1.distance, $1.pair.new, $1.pair.old)
    }
    var used: (old: Set<Int>, new: Set<Int>) = ([], [])
    var pairs: [Pair] = []
    for candidate in candidates
    where !used.old.contains(candidate.pair.old) && !used.new.contains(candidate.pair.new) {
      used.old.insert(candidate.pair.old)
      used.new.insert(candidate.pair.new)
      pairs.append(candidate.pair)
    }
    return pairs
  }

  /// All patterns that match everything count as one.
  private func key(_ pattern: PatternTable.Number) -> Int {
    sets.patterns.isUniversal(pattern) ? -1 : pattern
  }

  private func consider(
    _ old: Int,
    _ new: Int,
    _ candidates: inout [(score: Int, distance: Int, pair: Pair)]
  ) {
    guard let (kind, score) = relation(old, new) else { return }
    candidates.append((score, abs(old - new), Pair(old: old, new: new, kind: kind)))
  }

  /// Returns how a rule may have become another one, and how little the two have in common; `nil`
  /// if they have too little.
  private func relation(_ place: Int, _ other: Int) -> (Change.Kind, score: Int)? {
    let (own, their) = (old.facts[place], new.facts[other])
    guard let loads = own.loads, let changed = their.loads else { return nil }
    let isNarrower = sets.isIncluded(changed, in: loads)
    let isWider = sets.isIncluded(loads, in: changed)
    if hasSameEffect(place, other) {
      switch (isNarrower, isWider) {
      case (true, true): return (.reworded, 0)
      case (true, false): return (.narrower, 1)
      case (false, true): return (.wider, 1)
      case (false, false): return loads.pattern == changed.pattern ? (.changed, 2) : nil
      }
    }
    // Another action for the same loads, or other selectors on the same pages.
    guard isNarrower, isWider else { return nil }
    if case .hide = own.effect, case .hide = their.effect {
      let (before, after) = (oldSelectors[place], newSelectors[other])
      let shared = Self.sharedCount(before, after)
      if shared == before.count { return (.wider, 1) }
      if shared == after.count { return (.narrower, 1) }
      return shared == 0 ? nil : (.changed, 3)
    }
    return (.changed, 4)
  }

  /// Returns how many numbers two ascending rows have in common.
  private static func sharedCount(_ one: [Int32], _ other: [Int32]) -> Int {
    var (place, otherPlace, count) = (0, 0, 0)
    while place < one.count, otherPlace < other.count {
      let (number, otherNumber) = (one[place], other[otherPlace])
      if number == otherNumber { count += 1 }
      if number <= otherNumber { place += 1 }
      if otherNumber <= number { otherPlace += 1 }
    }
    return count
  }

  private func hasSameEffect(_ place: Int, _ other: Int) -> Bool {
    // What is reported is an effect as well.
    guard old.rules[place].identifier == new.rules[other].identifier else { return false }
    return switch (old.facts[place].effect, new.facts[other].effect) {
    case (.hide, .hide): oldSelectors[place] == newSelectors[other]
    case (.other, .other): old.rules[place].action == new.rules[other].action
    case (let own, let their): own == their
    }
  }
}
