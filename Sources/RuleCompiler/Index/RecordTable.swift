internal import RuleMatching

/// The key table as the format lays it out, at most eight ninths full.
///
/// Look-ups that the bit filter in front of it lets pass mostly find something, so that long
/// searches for what is not there are rare.
struct RecordTable {
  private(set) var slots: [UInt32]

  init(count: Int) {
    slots = Array(repeating: 0, count: count == 0 ? 0 : count * 9 / 8 + 1)
  }

  /// Enters a record, which begins at a multiple of ``RuleMatching/FilterIndex/keyAlignment``.
  mutating func insert(_ hash: UInt64, record: Int) {
    var slot = FilterIndex.firstSlot(hash, slots: slots.count)
    while slots[slot] != 0 {
      slot += 1
      if slot == slots.count { slot = 0 }
    }
    slots[slot] =
      FilterIndex.keyFingerprint(hash)
      | UInt32(truncatingIfNeeded: record / FilterIndex.keyAlignment + 1)
  }
}

/// The gram table as the format lays it out, with half as many buckets as entries.
struct GramTable {
  /// For each bucket its first entry, and the number of entries.
  private(set) var firsts: [UInt32]
  private(set) var entries: [UInt32]

  /// Lays out the entries of a plan, whose filters have records at the given offsets from the first.
  init(_ plan: GramPlan, filterOffsets: [Int]) {
    let buckets = (plan.entries.count + 1) / 2
    func bucket(_ hash: UInt64) -> Int { FilterIndex.firstSlot(hash, slots: buckets) }
    firsts = Array(repeating: 0, count: buckets + 1)
    for entry in plan.entries { firsts[bucket(FilterIndex.hash(gram: entry.gram)) + 1] += 1 }
    for number in 0..<buckets { firsts[number + 1] += firsts[number] }
    var next = firsts
    entries = Array(repeating: 0, count: plan.entries.count)
    for entry in plan.entries {
      let hash = FilterIndex.hash(gram: entry.gram)
      let place = Int(next[bucket(hash)])
      next[bucket(hash)] += 1
      entries[place] =
        FilterIndex.fingerprint(hash) | UInt32(entry.offset) << 22
        | UInt32(truncatingIfNeeded: filterOffsets[entry.filter] / 4)
    }
  }
}
