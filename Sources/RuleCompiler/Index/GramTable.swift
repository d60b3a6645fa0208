internal import RuleMatching

/// The gram table as the format lays it out, with half as many buckets as entries.
struct GramTable {
  /// For each bucket its first entry, and at the end the number of all entries.
  private(set) var firsts: [UInt32]
  /// For each bucket, and the end, the bits of its entries; see ``RuleMatching/GramBucket``.
  private var neighbours: [UInt32]
  private(set) var entries: [GramEntry]

  /// Lays out the entries of a plan; `filterOffsets` are its filters' records, from the first one
  /// on.
  init(_ plan: GramPlan, filterOffsets: [Int]) {
    let buckets = (plan.entries.count + 1) / 2
    func bucket(of entry: GramPlan.Entry) -> Int {
      FilterIndex.firstSlot(FilterIndex.hash(gram: entry.gram), slots: buckets)
    }
    firsts = Array(repeating: 0, count: buckets + 1)
    neighbours = Array(repeating: 0, count: buckets + 1)
    // A counting sort: entries stay in the plan's order within a bucket, so the bytes do not vary.
    for entry in plan.entries { firsts[bucket(of: entry) + 1] += 1 }
    for number in 0..<buckets { firsts[number + 1] += firsts[number] }
    var next = firsts
    entries = []
    guard let any = plan.checks.first else { return }
    entries = Array(repeating: any, count: plan.entries.count)
    for entry in plan.entries {
      let bucket = bucket(of: entry)
      let check = plan.firstChecks[entry.filter] + entry.offset
      entries[Int(next[bucket])] = plan.checks[check].leading(to: filterOffsets[entry.filter])
      neighbours[bucket] |= plan.neighbours[check]
      next[bucket] += 1
    }
  }

  /// The buckets as the file stores them.
  var buckets: [UInt64] {
    zip(firsts, neighbours).map { GramBucket(first: $0, neighbours: $1).bits }
  }
}
