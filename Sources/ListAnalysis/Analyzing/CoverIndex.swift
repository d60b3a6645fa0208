internal import ContentRules
internal import RuleProofs

/// The rules that could stand in for another one, by pattern, effect and page.
struct CoverIndex {
  /// What candidates have in common.
  private struct Key: Hashable {
    /// The pattern's number; ``universal`` for all that match everything.
    var pattern: Int
    var role: Int
  }

  /// What makes rules equal as candidates.
  private struct Equal: Hashable {
    var loads: LoadSet
    var role: Role
  }

  private static let universal = -1
  /// The most rules with the same loads and role that are candidates.
  private static let equalLimit = 16

  /// The rules of one pattern and role, by their conditions.
  private struct Bucket {
    var unconditional: [Int] = []
    var negated: [Int] = []
    /// Those with entries other than plain domains, by each such entry.
    var byEntry: [PatternTable.Number: [Int]] = [:]
    var byHost: [String: [Int]] = [:]
  }

  /// What a rule does, for a look-up.
  enum Role: Hashable {
    case block
    case blockCookies
    case makeHTTPS
    case ignorePrevious
    case ignoreFollowing
    case hide(selector: Int)

    fileprivate var number: Int {
      switch self {
      case .block: 0
      case .blockCookies: 1
      case .makeHTTPS: 2
      case .ignorePrevious: 3
      case .ignoreFollowing: 4
      case .hide(let selector): 5 + selector
      }
    }
  }

  private var buckets: [Key: Bucket] = [:]
  private let sets: LoadSets
  private let samples: PatternSamples

  /// Indexes the rules of a list.
  init(_ list: ListFacts, sets: LoadSets, samples: PatternSamples) {
    self.sets = sets
    self.samples = samples
    // One of many equal rules is covered by the first of them, if by any.
    var equal: [Equal: Int] = [:]
    for (place, facts) in list.facts.enumerated() {
      guard let loads = facts.loads else { continue }
      for role in facts.roles {
        let count = equal[Equal(loads: loads, role: role), default: 0]
        guard count < Self.equalLimit else { continue }
        equal[Equal(loads: loads, role: role)] = count + 1
        add(place, loads, role)
      }
    }
  }

  private mutating func add(_ place: Int, _ loads: LoadSet, _ role: Role) {
    let isUniversal = sets.patterns.isUniversal(loads.pattern)
    let key = Key(pattern: isUniversal ? Self.universal : loads.pattern, role: role.number)
    let condition = sets.conditions.condition(loads.condition)
    let hosts = sets.conditions.hosts(of: loads.condition).hosts
    let entries = sets.conditions.others(of: loads.condition)
    func change(_ bucket: inout Bucket) {
      guard let condition else {
        bucket.unconditional.append(place)
        return
      }
      if condition.isNegated {
        bucket.negated.append(place)
        return
      }
      for entry in entries {
        let key = sets.patterns.isUniversal(entry) ? Self.universal : entry
        bucket.byEntry[key, default: []].append(place)
      }
      for host in hosts { bucket.byHost[host, default: []].append(place) }
    }
    change(&buckets[key, default: Bucket()])
  }

  /// Returns the places of the rules with a role whose conditions may hold wherever a condition
  /// holds, and whose pattern is one of some.
  ///
  /// - Parameters:
  ///   - patterns: The numbers of patterns; those that match everything are always added.
  ///   - loads: The loads that are to be covered.
  ///   - role: The role.
  ///   - limit: The most places.
  /// - Returns: The places, in no particular order.
  /// - Complexity: O(*p* + *limit*) for *p* patterns, however many rules have one of them.
  func candidates(
    _ patterns: [PatternTable.Number],
    _ loads: LoadSet,
    _ role: Role,
    limit: Int
  ) -> [Int] {
    var places: [Int] = []
    func add(_ more: [Int]) { places += more.prefix(limit - places.count) }
    let condition = sets.conditions.condition(loads.condition)
    let (hosts, hasOthers) = sets.conditions.hosts(of: loads.condition)
    for pattern in [Self.universal] + patterns {
      guard let bucket = buckets[Key(pattern: pattern, role: role.number)] else { continue }
      guard places.count < limit else { break }
      add(bucket.unconditional)
      guard let condition else { continue }
      if condition.isNegated || hosts.isEmpty || hasOthers { add(bucket.negated) }
      guard !condition.isNegated else { continue }
      if !bucket.byEntry.isEmpty, let first = sets.conditions.firstPattern(of: loads.condition) {
        // Whatever includes the condition has an entry that is wider than its first one.
        for wider in [Self.universal] + samples.wider(first) { add(bucket.byEntry[wider] ?? []) }
      }
      guard let host = hosts.first else { continue }
      add(bucket.byHost[host] ?? [])
      for domain in ParentDomains(of: host) { add(bucket.byHost[domain] ?? []) }
    }
    return places
  }
}

extension RuleFacts {
  /// The roles in which a rule could stand in for another one.
  var roles: [CoverIndex.Role] {
    switch effect {
    case .block: [.block]
    case .blockCookies: [.blockCookies]
    case .makeHTTPS: [.makeHTTPS]
    case .ignorePrevious: [.ignorePrevious]
    case .ignoreFollowing: [.ignoreFollowing]
    case .hide(let selectors): selectors.map { .hide(selector: $0) }
    case .other: []
    }
  }
}
