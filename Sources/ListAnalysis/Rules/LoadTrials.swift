internal import ContentBlocking
internal import RuleProofs

/// Chooses the loads on which changed rules are tried, so many that all trials together stay bounded.
///
/// Rules that match the same loads are tried once, for a load is decided by all rules at once.
struct LoadTrials {
  private let list: ListFacts
  private let sampler: LoadSampler
  /// The most loads for one rule.
  private let limit: Int
  private var tried: Set<Trial> = []
  private let samples: PatternSamples
  /// Finds what exceptions may cancel; `nil` if no exception is tried.
  private let meetings: MeetingIndex?
  /// The exceptions that may still be crossed with other rules.
  private var crossings = 64

  private struct Trial: Hashable {
    var loads: LoadSet
    var hides: Bool
  }

  /// The rules that all decisions together may look at.
  private static let work = 400_000_000

  /// Prepares the trials of rules of a list, by their places.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - places: The places of the rules.
  ///   - sets: The sets of loads that the rules match.
  ///   - samples: What URLs are made of.
  ///   - limit: The most loads for one rule.
  /// - Complexity: O(*n*) for *n* rules of the list.
  init(
    _ list: ListFacts,
    _ places: some Collection<Int>,
    sets: LoadSets,
    samples: PatternSamples,
    limit: Int = 8
  ) {
    self.list = list
    self.samples = samples
    let areExceptions = places.contains { list.facts[$0].isException }
    meetings = areExceptions ? MeetingIndex(list, sets: sets) : nil
    sampler = LoadSampler(sets: sets, samples: samples)
    self.limit = max(1, min(limit, Self.work / max(Self.work(list, places), 1)))
  }

  /// Estimates how many rules the decisions look at that try one load for each of some rules.
  ///
  /// A decision looks at all rules whose pattern matches, so at least at those with the same one.
  ///
  /// - Complexity: O(*n*) for *n* rules of the list.
  static func work(_ list: ListFacts, _ places: some Collection<Int>) -> Int {
    var counts: [PatternTable.Number: Int] = [:]
    for facts in list.facts {
      if let loads = facts.loads { counts[loads.pattern, default: 0] += 1 }
    }
    var work = 0
    var seen: Set<LoadSet> = []
    for place in places {
      guard let loads = list.facts[place].loads, seen.insert(loads).inserted else { continue }
      work += counts[loads.pattern] ?? 0
    }
    return work
  }

  /// Returns loads that a rule matches; none if those of an equal rule were returned before.
  mutating func loads(of place: Int) -> [ResourceLoad] {
    let facts = list.facts[place]
    guard let loads = facts.loads,
      tried.insert(Trial(loads: loads, hides: facts.hides)).inserted
    else { return [] }
    var sampler = sampler
    // Documents show what is hidden, and are enough if few loads can be tried.
    sampler.prefersDocuments = facts.hides && limit < 8
    var made = sampler.loads(of: loads, limit: limit)
    // Whether an exception is missed shows on what it cancels alone.
    if facts.isException, limit == 8, crossings > 0, let meetings {
      crossings -= 1
      made += meetings.crossing(facts, in: list, samples, sampler, searches: 32)
    }
    return made
  }
}
