/// Places of a section that something refers to, as a bit for each.
///
/// Noting a place takes no branch on whether it was noted before, which is unpredictable: what lies at
/// the places is checked afterwards, each once and in the file's order.
@safe
struct PlaceSet: ~Copyable {
  private let words: UnsafeMutablePointer<UInt64>
  private let wordCount: Int

  /// Creates an empty set of places up to and including `last`, which is not negative.
  init(through last: Int) {
    wordCount = last / 64 + 1
    unsafe words = .allocate(capacity: wordCount)
    unsafe words.initialize(repeating: 0, count: wordCount)
  }

  deinit { unsafe words.deallocate() }

  /// Adds a place that the caller knows to be within the set's bounds.
  @unsafe
  @inline(__always)
  mutating func insert(unchecked place: Int) {
    unsafe words[place &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: place)
  }

  /// Calls `body` with each place, in order.
  @inline(__always)
  func forEach(_ body: (Int) throws(ByteCodeError) -> Void) throws(ByteCodeError) {
    for number in 0..<wordCount {
      var word = unsafe words[number]
      while word != 0 {
        try body(number &<< 6 | word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }
}
