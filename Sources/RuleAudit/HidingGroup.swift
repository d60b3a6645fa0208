internal import RuleMatching

/// The rules of a list that hide something on a page whatever the load.
///
/// There may be thousands of them for every load, and mostly they are the same for all pages. So
/// they are counted as a group, which costs two searches per load, and added to the rules' counters
/// at the end.
final class HidingGroup {
  /// What ignore rules leave of the group.
  struct Cut: Hashable {
    var lower: Int64
    var upper: Int64
  }

  /// The rules by slot.
  let entries: [MatchedEntry]
  /// The number of loads, including those with cuts.
  var loads = 0
  /// The number of loads with each cut.
  var cuts: [Cut: Int] = [:]
  var touch = ChunkTouch()
  var first: Example?
  var last: Example?

  init(_ entries: [MatchedEntry]) { self.entries = entries }

  /// Whether the group consists of the given rules, by slot.
  func isOf(_ others: [MatchedEntry]) -> Bool {
    guard entries.count == others.count else { return false }
    // A rule's slot and kind follow from the rule.
    for index in entries.indices where entries[index].rule != others[index].rule { return false }
    return true
  }

  /// Counts a load; returns how many rules were cut off.
  func count(_ decision: ListDecision) -> (byPrevious: Int, byFollowing: Int) {
    loads += 1
    guard decision.lowerSlot >= 0 || decision.upperSlot != .max, !entries.isEmpty else {
      return (0, 0)
    }
    let cut = Cut(lower: decision.lowerSlot, upper: decision.upperSlot)
    let (low, high) = bounds(cut)
    if low > 0 || high < entries.count { cuts[cut, default: 0] += 1 }
    return (low, entries.count - high)
  }

  /// Calls `body` for each rule with its tally.
  func forEach(_ body: (_ rule: Int, _ tally: Tally) -> Void) {
    var byPrevious: [Int: Int] = [:]
    var byFollowing: [Int: Int] = [:]
    for (cut, loads) in cuts {
      let (low, high) = bounds(cut)
      // Each count applies to all entries before it, or from it on.
      byPrevious[low, default: 0] += loads
      byFollowing[high, default: 0] += loads
    }
    var previous = byPrevious.values.reduce(0, +)
    var following = 0
    for (index, entry) in entries.enumerated() {
      previous -= byPrevious[index] ?? 0
      following += byFollowing[index] ?? 0
      var tally = Tally()
      tally.matched = loads
      tally.cutByPrevious = previous
      tally.cutByFollowing = following
      body(Int(entry.rule), tally)
    }
  }

  /// Resets all counts.
  func reset() {
    loads = 0
    cuts = [:]
    touch = ChunkTouch()
    first = nil
    last = nil
  }

  /// Returns the range of entries that a cut leaves, an ignore rule's own slot included.
  private func bounds(_ cut: Cut) -> (low: Int, high: Int) {
    (
      firstIndex { Int64($0) >= cut.lower },
      firstIndex { Int64($0) > cut.upper }
    )
  }

  private func firstIndex(_ isReached: (UInt32) -> Bool) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if isReached(entries[middle].slot) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The first and last row of the present chunk in which something was met.
struct ChunkTouch {
  var chunk: Int32 = -1
  var first: Int32 = 0
  var last: Int32 = -1
}
