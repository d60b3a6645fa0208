/// A small table of fixed words, looked up by bytes.
///
/// Words are looked up by their length first, which few of a table share, and then by their first and
/// last eight bytes.
struct WordTable: Sendable {
  /// The words in the order in which they were given.
  let words: [String]
  private let bytes: [UInt8]
  /// Entries sorted by length.
  private let entries: [Entry]
  /// The first entry of each length up to one more than the longest word's, and the end.
  private let firstOfLength: [Int]

  private struct Entry {
    /// The word's offset in `bytes`.
    var start: Int
    /// Its index in `words`.
    var index: Int
    /// Its first bytes and its last.
    var ends: Ends
  }

  init(_ words: [String]) {
    self.words = words
    var bytes: [UInt8] = []
    var entries: [Entry] = []
    var firstOfLength: [Int] = []
    let longest = words.map { $0.utf8.count }.max() ?? 0
    for length in 0...longest {
      firstOfLength.append(entries.count)
      for (index, word) in words.enumerated() where word.utf8.count == length {
        let ends = Ends(word.utf8Span.span)
        entries.append(Entry(start: bytes.count, index: index, ends: ends))
        bytes.append(contentsOf: word.utf8)
      }
    }
    firstOfLength.append(entries.count)
    self.bytes = bytes
    self.entries = entries
    self.firstOfLength = firstOfLength
  }

  /// Returns the index in ``words`` of a word that is equal byte by byte.
  ///
  /// - Parameters:
  ///   - word: The word's bytes.
  ///   - caseMask: Bits to set in each byte before comparing; 0x20 compares ASCII letters in any
  ///     case with
  ///     lower-case words.
  /// - Returns: The index; `nil` if the table lacks the word.
  func index(of word: Span<UInt8>, caseMask: UInt8 = 0) -> Int? {
    let length = word.count
    guard length + 1 < firstOfLength.count else { return nil }
    let (first, end) = (firstOfLength[length], firstOfLength[length + 1])
    guard first < end else { return nil }
    let ends = Ends(word, caseMask: caseMask)
    candidates: for place in first..<end where entries[place].ends == ends {
      let start = entries[place].start
      // All but what is in both ends.
      if length > 16 {
        for offset in 8..<length - 8 where bytes[start + offset] != word[offset] | caseMask {
          continue candidates
        }
      }
      return entries[place].index
    }
    return nil
  }

  /// The first eight bytes of a word and its last eight, which may overlap; of a shorter one all bytes, in
  /// whatever order for each length.
  private struct Ends: Equatable {
    var first: UInt64
    var last: UInt64

    @inline(__always)
    init(_ word: Span<UInt8>, caseMask: UInt8 = 0) {
      let count = word.count
      if count >= 8 {
        let bytes = unsafe word.bytes
        let mask = UInt64(caseMask) &* 0x0101_0101_0101_0101
        first = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self) | mask
        last = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: count - 8, as: UInt64.self) | mask
      } else if count >= 4 {
        let bytes = unsafe word.bytes
        let mask = UInt64(caseMask) &* 0x0101_0101
        first = UInt64(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt32.self)) | mask
        let end = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
        last = UInt64(end) | mask
      } else {
        var all: UInt64 = 0
        for index in 0..<count { all = all << 8 | UInt64(word[index] | caseMask) }
        first = all
        last = all
      }
    }
  }
}
