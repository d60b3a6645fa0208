/// A few fixed words that byte strings are compared with.
///
/// Words are found by their length first, of which a table seldom has more than two alike.
struct WordTable: Sendable {
  /// The words in the order in which they were given.
  let words: [String]
  private let bytes: [UInt8]
  /// Entries sorted by length: where a word begins in `bytes`, and its place in `words`.
  private let entries: [(start: Int, index: Int)]
  /// The first entry of each length; one more element than the longest word has bytes, and another.
  private let firstOfLength: [Int]

  init(_ words: [String]) {
    self.words = words
    var bytes: [UInt8] = []
    var entries: [(start: Int, index: Int)] = []
    var firstOfLength: [Int] = []
    let longest = words.map { $0.utf8.count }.max() ?? 0
    for length in 0...longest {
      firstOfLength.append(entries.count)
      for (index, word) in words.enumerated() where word.utf8.count == length {
        entries.append((bytes.count, index))
        bytes.append(contentsOf: word.utf8)
      }
    }
    firstOfLength.append(entries.count)
    self.bytes = bytes
    self.entries = entries
    self.firstOfLength = firstOfLength
  }

  /// The place in ``words`` of a word that is equal byte by byte.
  ///
  /// - Parameters:
  ///   - word: The word's bytes.
  ///   - caseMask: Bits that are set in each byte before it is compared; 0x20 compares ASCII
  ///     letters in any case with lower-case words.
  /// - Returns: The place, `nil` if the word is none of them.
  func index(of word: Span<UInt8>, caseMask: UInt8 = 0) -> Int? {
    let length = word.count
    guard length + 1 < firstOfLength.count else { return nil }
    candidates: for entry in firstOfLength[length]..<firstOfLength[length + 1] {
      let (start, index) = entries[entry]
      for offset in 0..<length where bytes[start + offset] != word[offset] | caseMask {
        continue candidates
      }
      return index
    }
    return nil
  }
}
