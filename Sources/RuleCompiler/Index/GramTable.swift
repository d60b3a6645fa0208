internal import RuleMatching

/// The gram table as the format lays it out, with half as many buckets as entries.
struct GramTable {
  /// For each bucket its first entry, and at the end the number of all entries.
  private(set) var firsts: [UInt32]
  private(set) var entries: [GramEntry]

  /// Lays out the entries of a plan; `filterOffsets` are its filters' records, from the first one
  /// on.
  init(_ plan: GramPlan, filterOffsets: [Int]) {
    let buckets = (plan.entries.count + 1) / 2
    func bucket(of entry: GramPlan.Entry) -> Int {
      FilterIndex.firstSlot(FilterIndex.hash(gram: entry.gram), slots: buckets)
    }
    firsts = Array(repeating: 0, count: buckets + 1)
    // A counting sort: entries stay in the plan's order within a bucket, so the bytes do not vary.
    for entry in plan.entries { firsts[bucket(of: entry) + 1] += 1 }
    for number in 0..<buckets { firsts[number + 1] += firsts[number] }
    // Made once per place of a window: a filter with a gram for each byte that may stand next to its text has
    // the same entry for all of them.
    var made: [GramEntry] = []
    var firstMade: [Int] = []
    for (window, record) in zip(plan.windows, filterOffsets) {
      firstMade.append(made.count)
      guard let window else { continue }
      for offset in 0..<plan.stride {
        let check = window.check(at: offset)
        made.append(
          GramEntry(record: record, offset: offset, check: check.bytes, place: check.place)
        )
      }
    }
    var next = firsts
    entries = []
    guard let any = made.first else { return }
    entries = Array(repeating: any, count: plan.entries.count)
    for entry in plan.entries {
      let bucket = bucket(of: entry)
      entries[Int(next[bucket])] = made[firstMade[entry.filter] + entry.offset]
      next[bucket] += 1
    }
  }
}
