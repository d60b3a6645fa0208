/// Domain conditions that were read, found by their text.
///
/// Programs that write lists repeat half of all entries in conditions that stand in several rules word for word. A
/// condition is kept only if nothing was reported from its first entry to the last check of its patterns. One with the
/// same text has the same entries, and nothing is to be reported about those either.
struct KnownConditions {
  /// A condition whose array of entries is in the text.
  struct Known {
    /// Where the array is.
    var range: Range<Int>
    var entries: [String]
    /// What the entries' patterns cost.
    var cost: MatchingCost
    fileprivate var digest: UInt64
  }

  private var conditions: [Known] = []
  /// Each condition has one slot, which its digest chooses, and takes it from the one that was there: 0, or its place
  /// in ``conditions`` and 1.
  private var slots: [UInt16] = []
  /// How many bytes the texts of all have together.
  private var byteCount = 0

  /// There are no more slots, and no longer texts are kept.
  static let mostSlots = 16_384
  static let mostBytes = 4 << 20

  /// Returns the condition whose array has the same text as another array; `nil` if none is known.
  func find(_ text: Span<UInt8>, _ range: Range<Int>, digest: UInt64) -> Known? {
    guard !slots.isEmpty, slots[slot(of: digest)] > 0 else { return nil }
    let known = conditions[Int(slots[slot(of: digest)]) - 1]
    guard known.digest == digest, text.isEqual(known.range, range) else { return nil }
    return known
  }

  /// Keeps a condition.
  mutating func insert(
    _ range: Range<Int>,
    _ entries: [String],
    _ cost: MatchingCost,
    digest: UInt64
  ) {
    guard range.count <= Self.mostBytes else { return }
    if byteCount + range.count > Self.mostBytes { self = KnownConditions() }
    if conditions.count >= slots.count / 2, slots.count < Self.mostSlots { grow() }
    byteCount += range.count
    let known = Known(range: range, entries: entries, cost: cost, digest: digest)
    let slot = slot(of: digest)
    if slots[slot] > 0 {
      let earlier = Int(slots[slot]) - 1
      byteCount -= conditions[earlier].range.count
      conditions[earlier] = known
    } else {
      conditions.append(known)
      slots[slot] = UInt16(conditions.count)
    }
  }

  private func slot(of digest: UInt64) -> Int {
    Int(truncatingIfNeeded: digest >> 20) & (slots.count - 1)
  }

  /// Gives each condition a slot of more; two that had slots of their own have so again.
  private mutating func grow() {
    slots = Array(repeating: 0, count: max(64, slots.count * 4))
    for (place, known) in conditions.enumerated() {
      slots[slot(of: known.digest)] = UInt16(place + 1)
    }
  }
}
