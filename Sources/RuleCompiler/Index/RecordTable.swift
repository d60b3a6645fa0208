internal import RuleMatching

/// The key table as the format lays it out, at most eight ninths full.
///
/// Look-ups that the bit filter in front of it lets pass mostly find something, so that long
/// searches for what is not there are rare. The hash is public, so that a list can be made whose
/// keys collide: the table grows when a search gets long, and what collides in a large table, too,
/// is entered in the order of its places. Filling it thus takes hardly more than linear time, and a
/// look-up a bounded one.
struct RecordTable {
  /// A key's hash, and its record, which begins at a multiple of
  /// ``RuleMatching/FilterIndex/keyAlignment``.
  struct Entry {
    var hash: UInt64
    var record: Int
  }

  /// An entry whose search is longer than the limit in a table of any size.
  struct Collision: Error {
    var entry: Int
  }

  /// The slots in use in front of a key's from which on a larger table is tried.
  ///
  /// Chance alone makes it some hundreds for a hundred thousand keys.
  private static let longSearch = 1_024
  /// How often a table is doubled.
  private static let growths = 2

  private(set) var slots: [UInt32] = []

  /// Enters records, of which none may be farther from its place than a limit.
  init(_ entries: [Entry], longestSearch: Int) throws(Collision) {
    guard !entries.isEmpty else { return }
    var count = entries.count * 9 / 8 + 1
    for _ in 0..<Self.growths {
      if fill(count, entries) == nil { return }
      count *= 2
    }
    if let entry = fillInOrder(count, entries, longestSearch) { throw Collision(entry: entry) }
  }

  /// Fills a table of so many slots; returns the entry that is too far from its place, if any is.
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

  /// Does the same without a search for each entry: they come in the order of their places, so that
  /// each goes to its own or right behind the one before.
  private mutating func fillInOrder(_ count: Int, _ entries: [Entry], _ longest: Int) -> Int? {
    slots = Array(repeating: 0, count: count)
    let places = entries.map { FilterIndex.firstSlot($0.hash, slots: count) }
    let order = entries.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    var free = 0
    var laps = 0
    for number in order {
      if laps == 0 { free = max(free, places[number]) }
      if free == count { (free, laps) = (0, 1) }
      // What did not fit in front of the end goes to the first slots that are left.
      while slots[free] != 0 { free += 1 }
      if free + laps * count - places[number] > longest { return number }
      slots[free] = Self.value(of: entries[number])
      free += 1
    }
    return nil
  }

  private static func value(of entry: Entry) -> UInt32 {
    FilterIndex.keyFingerprint(entry.hash)
      | UInt32(truncatingIfNeeded: entry.record / FilterIndex.keyAlignment + 1)
  }
}

/// The gram table as the format lays it out, with half as many buckets as entries.
struct GramTable {
  /// For each bucket its first entry, and the number of entries.
  private(set) var firsts: [UInt32]
  private(set) var entries: [GramEntry]

  /// Lays out the entries of a plan, whose filters have records at the given offsets from the first.
  init(_ plan: GramPlan, filterOffsets: [Int]) {
    let buckets = (plan.entries.count + 1) / 2
    func bucket(_ hash: UInt64) -> Int { FilterIndex.firstSlot(hash, slots: buckets) }
    firsts = Array(repeating: 0, count: buckets + 1)
    for entry in plan.entries { firsts[bucket(FilterIndex.hash(gram: entry.gram)) + 1] += 1 }
    for number in 0..<buckets { firsts[number + 1] += firsts[number] }
    var next = firsts
    var ordered = [GramEntry?](repeating: nil, count: plan.entries.count)
    // A filter with one gram for each byte that may stand next to its text has one check for all.
    var checks: [[(bytes: ArraySlice<UInt8>, place: Int)]] = plan.windows.map { _ in [] }
    for (filter, window) in plan.windows.enumerated() {
      checks[filter] = window.map { window in (0..<plan.stride).map { window.check(at: $0) } } ?? []
    }
    for entry in plan.entries {
      let hash = FilterIndex.hash(gram: entry.gram)
      let place = Int(next[bucket(hash)])
      next[bucket(hash)] += 1
      let check = checks[entry.filter][entry.offset]
      ordered[place] = GramEntry(
        record: filterOffsets[entry.filter],
        offset: entry.offset,
        check: check.bytes,
        place: check.place
      )
    }
    entries = ordered.compactMap { $0 }
  }
}
