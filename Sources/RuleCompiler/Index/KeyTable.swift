internal import RuleMatching

/// Which key is in which slot of the key table, at most eight ninths of which are full.
///
/// Such a load makes misses slow, but the bit filter in front of the table answers nearly all of
/// them. The hash is public, so a hostile list can choose keys that collide. The table is doubled
/// when a search gets long; keys that collide in a large table, too, are entered in the order of
/// their slots. So building stays close to linear, and a look-up bounded.
struct KeyTable {
  /// A key farther from its first slot than the limit, whatever the table's size.
  struct Collision: Error {
    var key: Int
  }

  /// A search longer than this many slots makes the table grow.
  ///
  /// By chance alone, searches among a hundred thousand keys reach some hundreds of slots.
  private static let longSearch = 1_024
  /// How many sizes are tried before keys are placed in order.
  private static let growths = 2

  /// For each slot 1 + the number of its key; 0 if it is empty.
  private(set) var numbers: [UInt32] = []

  /// Places the keys that have these hashes, in the order of their numbers.
  ///
  /// - Throws: ``Collision`` if a key would be more than `longestSearch` slots from its first one.
  init(_ hashes: [UInt64], longestSearch: Int) throws(Collision) {
    guard !hashes.isEmpty else { return }
    var count = hashes.count * 9 / 8 + 1
    for _ in 0..<Self.growths {
      if fill(count, hashes) { return }
      count *= 2
    }
    if let key = fillInOrder(count, hashes, longestSearch) { throw Collision(key: key) }
  }

  /// Fills a table of `count` slots; returns whether no search gets too long.
  private mutating func fill(_ count: Int, _ hashes: [UInt64]) -> Bool {
    numbers = Array(repeating: 0, count: count)
    for (key, hash) in hashes.enumerated() {
      var slot = FilterIndex.firstSlot(hash, slots: count)
      var steps = 0
      while numbers[slot] != 0 {
        steps += 1
        if steps > Self.longSearch { return false }
        slot += 1
        if slot == count { slot = 0 }
      }
      numbers[slot] = UInt32(truncatingIfNeeded: key + 1)
    }
    return true
  }

  /// Fills the table without searching: keys in the order of their first slots each take that slot, or
  /// the next free one behind the key before.
  ///
  /// Returns the first key that ends up too far away.
  private mutating func fillInOrder(_ count: Int, _ hashes: [UInt64], _ longest: Int) -> Int? {
    numbers = Array(repeating: 0, count: count)
    let places = hashes.map { FilterIndex.firstSlot($0, slots: count) }
    // The number breaks ties, so that equal hashes give the same bytes on every run.
    let order = hashes.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    var free = 0
    var laps = 0
    for key in order {
      if laps == 0 { free = max(free, places[key]) }
      if free == count { (free, laps) = (0, 1) }
      // Keys that did not fit before the end wrap around to the first free slots.
      while numbers[free] != 0 { free += 1 }
      if free + laps * count - places[key] > longest { return key }
      numbers[free] = UInt32(truncatingIfNeeded: key + 1)
      free += 1
    }
    return nil
  }
}
