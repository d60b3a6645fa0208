internal import RuleProofs

/// The exceptions of a list, and whether they come between two rules.
struct Interference {
  private let list: ListFacts
  private let sets: LoadSets
  private var previous: [Int] = []
  private var following: [Int] = []

  /// The most exceptions that are compared with one rule; more count as coming between.
  private static let limit = 400

  /// Finds the exceptions of a list.
  init(_ list: ListFacts, sets: LoadSets) {
    self.list = list
    self.sets = sets
    for (place, facts) in list.facts.enumerated() where facts.loads != nil {
      switch facts.effect {
      case .ignorePrevious: previous.append(place)
      case .ignoreFollowing: following.append(place)
      default: break
      }
    }
  }

  /// Whether it is proved that whatever a rule does, another one does as well, as far as exceptions
  /// go.
  ///
  /// Both match a load. The later of the two may be dropped by an `ignore-following-rules` between
  /// them, the earlier one by an `ignore-previous-rules`; what drops the rule itself does not count.
  func lets(_ other: Int, standInFor place: Int) -> Bool {
    guard let loads = list.facts[place].loads else { return true }
    return other > place
      ? !comesBetween(following, place, other, loads)
      : !comesBetween(previous, other, place, loads)
  }

  /// Whether a rule does the same at an earlier place: no exception between the two may meet it.
  func canMove(_ place: Int, to earlier: Int) -> Bool {
    guard let loads = list.facts[place].loads else { return true }
    return !comesBetween(previous, earlier, place, loads)
      && !comesBetween(following, earlier, place, loads)
  }

  private func comesBetween(_ places: [Int], _ low: Int, _ high: Int, _ loads: LoadSet) -> Bool {
    var index = Self.firstIndex(places, above: low)
    var count = 0
    while index < places.count, places[index] < high {
      count += 1
      guard count <= Self.limit, let other = list.facts[places[index]].loads else { return true }
      if !sets.areDisjoint(loads, other) { return true }
      index += 1
    }
    return false
  }

  private static func firstIndex(_ places: [Int], above low: Int) -> Int {
    var (first, last) = (0, places.count)
    while first < last {
      let middle = (first + last) / 2
      if places[middle] > low { last = middle } else { first = middle + 1 }
    }
    return first
  }
}
