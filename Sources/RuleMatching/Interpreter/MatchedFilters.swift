/// The set of filters that are done with a URL: they matched, or no later occurrence of theirs can.
///
/// Without the set, *m* rules with one short literal and a URL that repeats it *n* times would
/// store *m* · *n* matches. A word of bits says at once of nearly all filters that they are not in it.
struct MatchedFilters {
  /// An open-addressing table, at most half full.
  ///
  /// The upper half of a word is the generation, the lower one the filter's offset. Words of other
  /// generations are free, so that clearing the set costs nothing.
  private var table = [UInt64](repeating: 0, count: 64)
  private var generation: UInt64 = 1
  private(set) var count = 0
  /// A bit for each filter of the set, chosen by its hash.
  private var summary: UInt64 = 0

  /// Removes all filters.
  mutating func removeAll() {
    // An empty set, nearly always, does not even take a new generation.
    guard count > 0 else { return }
    count = 0
    summary = 0
    generation &+= 1
    // The generation has only half a word; before it wraps around, old words must go.
    if generation >> 32 != 0 {
      for place in table.indices { table[place] = 0 }
      generation = 1
    }
  }

  /// Whether the set contains the filter at an offset of the image.
  @inline(__always)
  func contains(_ filter: Int) -> Bool {
    summary & summaryBit(of: filter) != 0 && table[place(of: word(filter))] == word(filter)
  }

  /// Adds the filter at an offset of the image, which is below 2³².
  mutating func insert(_ filter: Int) {
    let word = word(filter)
    let place = place(of: word)
    guard table[place] != word else { return }
    table[place] = word
    summary |= summaryBit(of: filter)
    count &+= 1
    if count &* 2 > table.count { grow() }
  }

  @inline(__always)
  private func summaryBit(of filter: Int) -> UInt64 {
    1 &<< ((UInt64(truncatingIfNeeded: filter) &* 0x9E37_79B9_7F4A_7C15) &>> 58)
  }

  private func word(_ filter: Int) -> UInt64 {
    generation << 32 | UInt64(truncatingIfNeeded: filter) & 0xFFFF_FFFF
  }

  /// Returns the slot of a word, or the free slot where it belongs.
  private func place(of word: UInt64) -> Int {
    let mask = table.count &- 1
    var place = Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while table[place] >> 32 == generation, table[place] != word {
      place = (place &+ 1) & mask
    }
    return place
  }

  private mutating func grow() {
    let old = table
    table = Array(repeating: 0, count: old.count &* 2)
    for word in old where word >> 32 == generation { table[place(of: word)] = word }
  }
}
