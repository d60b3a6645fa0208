internal import RuleMatching

/// The groups of rules that hide something, deduplicated over pages.
struct HidingGroups {
  /// The most rules in all groups, which are 12 MiB.
  private static let entryLimit = 1 << 20
  private static let groupLimit = 256

  /// By list, and by a sum that distinguishes most groups.
  private var lists: [[Int: [HidingGroup]]]
  private var groupCount = 0
  private var entryCount = 0

  init(listCount: Int) { lists = Array(repeating: [:], count: listCount) }

  /// Whether groups must be added to the counters before another one fits.
  var isFull: Bool { groupCount >= Self.groupLimit || entryCount >= Self.entryLimit }

  /// All groups.
  var all: some Sequence<HidingGroup> { lists.joined().flatMap(\.value) }

  /// The groups of a list.
  func ofList(_ number: Int) -> [HidingGroup] { lists[number].flatMap(\.value) }

  /// Removes all groups.
  mutating func removeAll() {
    for number in lists.indices { lists[number].removeAll() }
    groupCount = 0
    entryCount = 0
  }

  /// Returns the group of the given rules, by slot, adding it if it is new.
  mutating func group(_ entries: [MatchedEntry], list: Int) -> HidingGroup {
    var sum = entries.count
    for entry in entries { sum = sum &* 31 &+ Int(entry.rule) }
    if let known = lists[list][sum]?.first(where: { $0.isOf(entries) }) { return known }
    let group = HidingGroup(entries)
    lists[list][sum, default: []].append(group)
    groupCount += 1
    entryCount += entries.count
    return group
  }
}
