internal import ContentRules

/// Which rules of two lists are the same.
struct RulePairs {
  /// The rules that both lists have, by their places; in the order of the new list.
  var same: [(old: Int, new: Int)] = []
  /// The places in the new list of rules that both have, but that stand elsewhere among the others.
  var moved: Set<Int> = []
  /// The places of the rules that only the old list has.
  var gone: [Int] = []
  /// The places of the rules that only the new list has.
  var added: [Int] = []

  /// Pairs the rules of two lists; of several equal ones the first with the first.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rules.
  init(old: [Rule], new: [Rule]) {
    var places: [RuleContent: (all: [Int], next: Int)] = [:]
    for (place, rule) in old.enumerated() {
      places[RuleContent(rule), default: ([], 0)].all.append(place)
    }
    var isPaired = Array(repeating: false, count: old.count)
    for (place, rule) in new.enumerated() {
      let key = RuleContent(rule)
      guard let found = places[key], found.next < found.all.count else {
        added.append(place)
        continue
      }
      places[key]?.next += 1
      let other = found.all[found.next]
      isPaired[other] = true
      same.append((other, place))
    }
    gone = old.indices.filter { !isPaired[$0] }
    moved = Self.outOfOrder(same)
  }

  /// Returns the places in the new list of as few pairs as possible without which all others stand
  /// in the order of the old list.
  private static func outOfOrder(_ pairs: [(old: Int, new: Int)]) -> Set<Int> {
    // The longest ascending row of old places, by the last pair of each length.
    var ends: [Int] = []
    var before = Array(repeating: -1, count: pairs.count)
    for (number, pair) in pairs.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].old < pair.old { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[number] = ends[low - 1] }
      if low == ends.count { ends.append(number) } else { ends[low] = number }
    }
    var kept: Set<Int> = []
    var number = ends.last ?? -1
    while number >= 0 {
      kept.insert(pairs[number].new)
      number = before[number]
    }
    return Set(pairs.map(\.new)).subtracting(kept)
  }
}
