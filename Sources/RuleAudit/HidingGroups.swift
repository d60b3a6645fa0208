internal import RuleMatching

/// The groups of rules that hide something, each once, however many pages share it.
struct HidingGroups {
  /// The most rules in groups: 12 MiB of them.
  private static let entryLimit = 1 << 20
  private static let groupLimit = 256

  /// By list, and by a sum that tells most of the different ones apart at once.
  private var lists: [[Int: [HidingGroup]]]
  private var groupCount = 0
  private var entryCount = 0

  init(listCount: Int) { lists = Array(repeating: [:], count: listCount) }

  /// Whether groups must be counted out before one is added.
  var isFull: Bool { groupCount >= Self.groupLimit || entryCount >= Self.entryLimit }

  /// All groups.
  var all: some Sequence<HidingGroup> { lists.joined().flatMap(\.value) }

  /// The groups of a list.
  func ofList(_ number: Int) -> [HidingGroup] { lists[number].flatMap(\.value) }

  /// Forgets all groups.
  mutating func removeAll() {
    for number in lists.indices { lists[number].removeAll() }
    groupCount = 0
    entryCount = 0
  }

  /// The group of the given rules, which are by slot.
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
