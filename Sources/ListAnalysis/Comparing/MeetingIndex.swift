internal import ContentBlocking
internal import RuleProofs

/// The exceptions and the other rules of a list by their patterns, to find those that a rule may meet.
struct MeetingIndex {
  private struct Key: Hashable {
    var pattern: PatternTable.Number
    var isException: Bool
  }

  private var places: [Key: [Int]] = [:]
  private var universal: [Bool: [Int]] = [:]
  /// The first exceptions and the first other rules; of a short list all of them.
  private var first: [Bool: [Int]] = [:]

  /// The most rules of one pattern that are looked at, and the most at all.
  private static let limit = 64
  /// The most rules with which one rule is crossed.
  private static let crossingLimit = 6

  /// Indexes the rules of a list.
  init(_ list: ListFacts, sets: LoadSets) {
    for (place, facts) in list.facts.enumerated() {
      guard let pattern = facts.loads?.pattern else { continue }
      if first[facts.isException, default: []].count < Self.limit {
        first[facts.isException, default: []].append(place)
      }
      if sets.patterns.isUniversal(pattern) {
        universal[facts.isException, default: []].append(place)
      } else {
        places[Key(pattern: pattern, isException: facts.isException), default: []].append(place)
      }
    }
  }

  /// Returns the places of rules that have one of some patterns or match every URL, and the first
  /// rules of the list.
  ///
  /// - Complexity: O(*p*) for *p* patterns, however many rules there are.
  func places(of patterns: [PatternTable.Number], areExceptions: Bool) -> [Int] {
    var found: [Int] = []
    for pattern in patterns {
      let own = places[Key(pattern: pattern, isException: areExceptions)] ?? []
      found += own.prefix(Self.limit)
      guard found.count < Self.limit * 4 else { break }
    }
    found += (universal[areExceptions] ?? []).prefix(Self.limit)
    found += first[areExceptions] ?? []
    var seen: Set<Int> = []
    return found.filter { seen.insert($0).inserted }
  }

  /// Returns loads that an exception and rules that it may cancel have in common, or another rule
  /// and exceptions.
  ///
  /// - Complexity: That of at most `searches` searches for a URL of two patterns; fewer if rules are
  ///   found that meet.
  func crossing(
    _ facts: RuleFacts,
    in list: ListFacts,
    _ samples: PatternSamples,
    _ sampler: LoadSampler,
    searches: Int = .max
  ) -> [ResourceLoad] {
    guard let own = facts.loads else { return [] }
    var patterns: Set<PatternTable.Number> = []
    if case .some(let urls) = samples.samples(of: own.pattern) {
      for url in urls { patterns.formUnion(samples.patterns(matching: url)) }
    }
    var loads: [ResourceLoad] = []
    var (count, left) = (0, searches)
    for place in places(of: patterns.sorted(), areExceptions: !facts.isException) {
      guard count < Self.crossingLimit, left > 0, let other = list.facts[place].loads,
        other.cells & own.cells != 0
      else { continue }
      left -= 1
      let made = sampler.loads(of: own, and: other, limit: 3)
      if !made.isEmpty { count += 1 }
      loads += made
    }
    return loads
  }
}
