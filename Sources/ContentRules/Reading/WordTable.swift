/// A small table of fixed words, looked up by bytes.
///
/// Words are looked up by their length first, which few of a table share.
struct WordTable: Sendable {
  /// The words in the order in which they were given.
  let words: [String]
  private let bytes: [UInt8]
  /// Entries sorted by length: a word's offset in `bytes`, and its index in `words`.
  private let entries: [(start: Int, index: Int)]
  /// The first entry of each length up to one more than the longest word's, and the end.
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
