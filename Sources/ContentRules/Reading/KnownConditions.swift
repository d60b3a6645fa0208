/// The domain conditions that were read, found by their text.
///
/// Programs that write lists repeat half of all entries in conditions that stand in several rules word for word.
/// A condition is kept only if nothing was reported about its rule, so one with its text says the same, and nothing is
/// to be reported about that either.
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

  /// Each condition has one place, which its digest chooses, and takes it from the one that was there.
  private var places: [Known?] = []
  private var count = 0

  /// More conditions are not kept.
  private static let mostPlaces = 8_192

  /// Returns the condition whose array has the same text as another array; `nil` if none is known.
  func find(_ text: Span<UInt8>, _ range: Range<Int>, digest: UInt64) -> Known? {
    guard !places.isEmpty, let known = places[place(of: digest)], known.digest == digest,
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
    if count >= places.count / 2, places.count < Self.mostPlaces { grow() }
    let place = place(of: digest)
    if places[place] == nil { count += 1 }
    places[place] = Known(range: range, entries: entries, cost: cost, digest: digest)
  }

  private func place(of digest: UInt64) -> Int {
    Int(truncatingIfNeeded: digest >> 20) & (places.count - 1)
  }

  private mutating func grow() {
    let known = places
    places = Array(repeating: nil, count: max(64, known.count * 4))
    count = 0
    for case let each? in known {
      let place = place(of: each.digest)
      if places[place] == nil { count += 1 }
      places[place] = each
    }
  }
}
