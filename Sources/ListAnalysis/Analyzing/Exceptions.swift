internal import RuleProofs

/// Finds exceptions that change nothing.
struct Exceptions {
  private let covering: Covering
  private var list: ListFacts { covering.list }
  private var sets: LoadSets { covering.sets }
  /// The places of the rules of each pattern, ascending.
  private let places: [PatternTable.Number: [Int]]
  /// The places of the rules that match every URL.
  private let universal: [Int]

  /// The most searches for one exception, and the most rules.
  private static let searchLimit = 300
  private static let ruleLimit = 200_000
  /// The most conditions that are compared with that of one exception.
  private static let pageLimit = 256

  init(_ covering: Covering) {
    self.covering = covering
    var places: [PatternTable.Number: [Int]] = [:]
    var universal: [Int] = []
    for (place, facts) in covering.list.facts.enumerated() {
      guard let loads = facts.loads else { continue }
      if covering.sets.patterns.isUniversal(loads.pattern) {
        universal.append(place)
      } else {
        places[loads.pattern, default: []].append(place)
      }
    }
    self.places = places
    self.universal = universal
  }

  /// Whether it is proved that an exception has nothing to cancel.
  func cancelsNothing(_ place: Int) -> Bool {
    guard let loads = list.facts[place].loads else { return false }
    let isPrevious = list.facts[place].effect == .ignorePrevious
    let range = isPrevious ? 0..<place : (place + 1)..<list.facts.count
    var pages = Self.pageLimit
    // What the exception's samples match is found at once.
    if case .some(let urls) = covering.samples.samples(of: loads.pattern) {
      for url in urls {
        for pattern in covering.samples.patterns(matching: url) {
          for other in places[pattern] ?? [] where counts(other, range, isPrevious) {
            guard let areApart = areApart(other, loads, &pages) else { return false }
            if !areApart { return false }
          }
        }
      }
    }
    for other in universal where counts(other, range, isPrevious) {
      guard let areApart = areApart(other, loads, &pages) else { return false }
      if !areApart { return false }
    }
    return range.count <= Self.ruleLimit && provesNothing(range, loads, isPrevious)
  }

  /// Whether an exception at the end of a range cannot meet a rule in it.
  private func provesNothing(_ range: Range<Int>, _ loads: LoadSet, _ isPrevious: Bool) -> Bool {
    var known: Set<PatternTable.Number> = []
    var searches = 0
    var pages = Self.pageLimit
    for other in range where counts(other, range, isPrevious) {
      guard let areApart = areApart(other, loads, &pages) else { return false }
      guard !areApart, let pattern = list.facts[other].loads?.pattern,
        known.insert(pattern).inserted
      else { continue }
      if sets.patterns.areOfDifferentHosts(pattern, loads.pattern) { continue }
      searches += 1
      guard searches <= Self.searchLimit,
        sets.patterns.meeting(pattern, loads.pattern) == .none
      else { return false }
    }
    return true
  }

  /// Whether a rule is in a range and something that an exception can cancel.
  private func counts(_ place: Int, _ range: Range<Int>, _ isPrevious: Bool) -> Bool {
    guard range.contains(place), list.facts[place].loads != nil else { return false }
    // Reports come right behind their rules, and are cancelled like actions.
    if list.facts[place].isReported { return true }
    // An ignore-following-rules also drops the ignore-previous-rules behind it.
    switch list.facts[place].effect {
    case .ignorePrevious: return !isPrevious
    case .ignoreFollowing: return false
    default: return true
    }
  }

  /// Whether types, parties, contexts, methods or conditions keep a rule apart from loads; `nil` if
  /// that takes more comparisons of pages than are left.
  private func areApart(_ place: Int, _ loads: LoadSet, _ pages: inout Int) -> Bool? {
    guard let other = list.facts[place].loads else { return true }
    if other.cells & loads.cells == 0 { return true }
    if let method = other.method, let own = loads.method, method != own { return true }
    guard other.condition != 0, loads.condition != 0 else { return false }
    pages -= 1
    return pages < 0 ? nil : sets.conditions.areDisjoint(other.condition, loads.condition)
  }

  /// Returns the exception that makes one superfluous; `nil` if none is proved to.
  func substitute(of place: Int) -> Int? {
    guard let loads = list.facts[place].loads else { return nil }
    let isPrevious = list.facts[place].effect == .ignorePrevious
    let role: CoverIndex.Role = isPrevious ? .ignorePrevious : .ignoreFollowing
    let covers = covering.covers(of: place, by: role) { other in
      // What it reports would be cancelled by this one.
      guard !list.facts[other].isReported else { return false }
      let isBetter = isPrevious ? other > place : other < place
      if isBetter { return !isPrevious || covering.interference.lets(other, standInFor: place) }
      // It cancels less: what lies between must not matter.
      let between = min(place, other) + 1..<max(place, other)
      return provesNothing(between, loads, isPrevious)
    }
    return covers.first { $0.places.count == 1 }?.places.first
  }
}
