internal import RuleMatching

/// The key table as the format lays it out, at most eight ninths full.
///
/// Such a load makes misses slow, but the bit filter in front of the table answers nearly all of
/// them. The hash is public, so a hostile list can choose keys that collide. The table is doubled
/// when a search gets long; keys that collide in a large table, too, are entered in the order of
/// their slots. So building stays close to linear, and a look-up bounded.
struct RecordTable {
  /// A key's hash and the offset of its record, which is a multiple of
  /// ``RuleMatching/FilterIndex/keyAlignment``.
  struct Entry {
    var hash: UInt64
    var record: Int
  }

  /// An entry farther from its first slot than the limit, whatever the table's size.
  struct Collision: Error {
    var entry: Int
  }

  /// A search longer than this many slots makes the table grow.
  ///
  /// By chance alone, searches among a hundred thousand keys reach some hundreds of slots.
  private static let longSearch = 1_024
  /// How many sizes are tried before entries are placed in order.
  private static let growths = 2

  private(set) var slots: [UInt32] = []

  /// Builds the table of the entries.
  ///
  /// - Throws: ``Collision`` if an entry would be more than `longestSearch` slots from its first
  /// one.
  init(_ entries: [Entry], longestSearch: Int) throws(Collision) {
    guard !entries.isEmpty else { return }
    var count = entries.count * 9 / 8 + 1
    for _ in 0..<Self.growths {
      if fill(count, entries) == nil { return }
      count *= 2
    }
    if let entry = fillInOrder(count, entries, longestSearch) { throw Collision(entry: entry) }
  }

  /// Fills a table of `count` slots; returns the first entry whose search gets too long, or `nil`.
  private mutating func fill(_ count: Int, _ entries: [Entry]) -> Int? {
    slots = Array(repeating: 0, count: count)
    for (number, entry) in entries.enumerated() {
      var slot = FilterIndex.firstSlot(entry.hash, slots: count)
      var steps = 0
      while slots[slot] != 0 {
        steps += 1
        if steps > Self.longSearch { return number }
        slot += 1
        if slot == count { slot = 0 }
      }
      slots[slot] = Self.value(of: entry)
    }
    return nil
  }

  /// Fills the table without searching: entries in the order of their first slots each take that
  /// slot, or the next free one behind the entry before.
  ///
  /// Returns the first entry that ends up too far away.
  private mutating func fillInOrder(_ count: Int, _ entries: [Entry], _ longest: Int) -> Int? {
    slots = Array(repeating: 0, count: count)
    let places = entries.map { FilterIndex.firstSlot($0.hash, slots: count) }
    // The number breaks ties, so that equal hashes give the same bytes on every run.
    let order = entries.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    var free = 0
    var laps = 0
    for number in order {
      if laps == 0 { free = max(free, places[number]) }
      if free == count { (free, laps) = (0, 1) }
      // Entries that did not fit before the end wrap around to the first free slots.
      while slots[free] != 0 { free += 1 }
      if free + laps * count - places[number] > longest { return number }
      slots[free] = Self.value(of: entries[number])
      free += 1
    }
    return nil
  }

  private static func value(of entry: Entry) -> UInt32 {
    // + 1, since a slot of 0 is empty.
    FilterIndex.keyFingerprint(entry.hash)
      | UInt32(truncatingIfNeeded: entry.record / FilterIndex.keyAlignment + 1)
  }
}

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
