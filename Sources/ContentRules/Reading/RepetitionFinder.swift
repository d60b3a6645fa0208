/// Finds texts that stand twice in one array.
///
/// A table of hashes with open addressing, whose entries are void once the generation they bear has
/// passed, so that it serves all arrays of a list without being cleared. It is a courtesy to authors:
/// with hashes that collide too often it gives up looking.
struct RepetitionFinder {
  private var slots: [(generation: UInt32, hash: UInt32, index: Int)] = []
  private var generation: UInt32 = 0
  private static let probeLimit = 32

  /// Prepares for an array of at most so many elements.
  mutating func begin(capacity: Int) {
    generation &+= 1
    var size = max(64, slots.count)
    while size < capacity &* 2 { size &*= 2 }
    guard size != slots.count || generation == 0 else { return }
    generation = 1
    slots = Array(repeating: (generation: 0, hash: 0, index: 0), count: size)
  }

  /// Notes an element, or finds one that was noted before and is equal.
  ///
  /// - Parameters:
  ///   - bytes: The element's text.
  ///   - index: A number by which the element is known to the caller.
  ///   - isEqual: Whether the element is equal to that of another number.
  /// - Returns: The number of the equal element, `nil` if there is none.
  mutating func insert(
    _ bytes: Span<UInt8>,
    _ index: Int,
    isEqual: (Int) -> Bool
  ) -> Int? {
    let digest = bytes.digest(0..<bytes.count)
    let hash = UInt32(truncatingIfNeeded: digest >> 32)
    var place = Int(truncatingIfNeeded: digest >> 20) & (slots.count - 1)
    for _ in 0..<Self.probeLimit {
      if slots[place].generation != generation {
        slots[place] = (generation, hash, index)
        return nil
      }
      if slots[place].hash == hash, isEqual(slots[place].index) { return slots[place].index }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }
}
