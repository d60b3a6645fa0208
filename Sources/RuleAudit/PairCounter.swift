/// Counts pairs of two small numbers, such as a rule and a site.
///
/// Its own hash table, because a dictionary's hashing would cost a fifth of a decision.
struct PairCounter {
  private static let empty = UInt64.max

  private var keys: [UInt64] = Array(repeating: Self.empty, count: 64)
  private var counts: [Int] = Array(repeating: 0, count: 64)
  private var used = 0

  @inline(__always)
  mutating func add(_ first: Int, _ second: Int) {
    let key =
      UInt64(UInt32(truncatingIfNeeded: first)) &<< 32
      | UInt64(UInt32(truncatingIfNeeded: second))
    var place = Self.place(key, keys.count)
    while keys[place] != key {
      if keys[place] == Self.empty {
        insert(key, at: place)
        return
      }
      place = (place &+ 1) & (keys.count &- 1)
    }
    counts[place] &+= 1
  }

  /// Calls `body` for each pair, in no particular order.
  func forEach(_ body: (_ first: Int, _ second: Int, _ count: Int) -> Void) {
    for place in keys.indices where keys[place] != Self.empty {
      body(Int(keys[place] >> 32), Int(UInt32(truncatingIfNeeded: keys[place])), counts[place])
    }
  }

  private mutating func insert(_ key: UInt64, at place: Int) {
    keys[place] = key
    counts[place] = 1
    used += 1
    if used * 2 > keys.count { grow() }
  }

  private mutating func grow() {
    let (oldKeys, oldCounts) = (keys, counts)
    keys = Array(repeating: Self.empty, count: 2 * oldKeys.count)
    counts = Array(repeating: 0, count: keys.count)
    for (key, count) in zip(oldKeys, oldCounts) where key != Self.empty {
      var place = Self.place(key, keys.count)
      while keys[place] != Self.empty { place = (place &+ 1) & (keys.count &- 1) }
      keys[place] = key
      counts[place] = count
    }
  }

  @inline(__always)
  private static func place(_ key: UInt64, _ capacity: Int) -> Int {
    let hash = key &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash &>> 32) & (capacity &- 1)
  }
}
