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

  /// Each condition has one slot, which its digest chooses, and takes it from the one that was there.
  private var slots: [Known?] = []
  private var count = 0
  /// How many bytes the texts of all have together.
  private var byteCount = 0

  /// There are no more slots, and no longer texts are kept.
  static let mostSlots = 16_384
  static let mostBytes = 4 << 20

  /// Returns the condition whose array has the same text as another array; `nil` if none is known.
  func find(_ text: Span<UInt8>, _ range: Range<Int>, digest: UInt64) -> Known? {
    guard !slots.isEmpty, let known = slots[slot(of: digest)], known.digest == digest,
      text.isEqual(known.range, range)
    else { return nil }
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
    if count >= slots.count / 2, slots.count < Self.mostSlots { grow() }
    put(Known(range: range, entries: entries, cost: cost, digest: digest))
  }

  private func slot(of digest: UInt64) -> Int {
    Int(truncatingIfNeeded: digest >> 20) & (slots.count - 1)
  }

  private mutating func put(_ known: Known) {
    let slot = slot(of: known.digest)
    if let earlier = slots[slot] {
      byteCount -= earlier.range.count
    } else {
      count += 1
    }
    byteCount += known.range.count
    slots[slot] = known
  }

  private mutating func grow() {
    let known = slots
    slots = Array(repeating: nil, count: max(64, known.count * 4))
    (count, byteCount) = (0, 0)
    for case let each? in known { put(each) }
  }
}
