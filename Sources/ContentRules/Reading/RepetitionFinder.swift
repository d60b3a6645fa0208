/// Finds texts that occur twice in one array.
///
/// An open-addressing table whose entries carry a generation, so that it serves all arrays of a
/// list without being cleared. It is a courtesy to authors: if too many hashes collide, it gives
/// up.
struct RepetitionFinder {
  private var slots: [(generation: UInt32, hash: UInt32, index: Int)] = []
  private var generation: UInt32 = 0
  /// How many of the slots serve the array at hand, so that what is found depends on that array alone.
  private var size = 64
  private static let probeLimit = 32

  /// Prepares for an array of at most so many elements.
  mutating func begin(capacity: Int) {
    generation &+= 1
    size = 64
    while size < capacity &* 2 { size &*= 2 }
    guard size > slots.count || generation == 0 else { return }
    generation = 1
    slots = Array(repeating: (generation: 0, hash: 0, index: 0), count: max(size, slots.count))
  }

  /// Adds an element, or finds an equal one that was added before.
  ///
  /// - Parameters:
  ///   - bytes: The element's text.
  ///   - index: The caller's number for the element.
  ///   - isEqual: Tells whether the element equals that of another number.
  /// - Returns: The number of the equal element; `nil` if there is none.
  mutating func insert(
    _ bytes: Span<UInt8>,
    _ index: Int,
    isEqual: (Int) -> Bool
  ) -> Int? {
    let digest = bytes.digest(0..<bytes.count)
    let hash = UInt32(truncatingIfNeeded: digest >> 32)
    var place = Int(truncatingIfNeeded: digest >> 20) & (size - 1)
    for _ in 0..<Self.probeLimit {
      if slots[place].generation != generation {
        slots[place] = (generation, hash, index)
        return nil
      }
      if slots[place].hash == hash, isEqual(slots[place].index) { return slots[place].index }
      place = (place + 1) & (size - 1)
    }
    return nil
  }
}
