/// A text with `*` for any run of bytes, matched against whole texts in linear time.
///
/// Finds the pieces between stars from left to right, each at its first occurrence behind the one
/// before; if there is any match, this one is. Each search is by Knuth, Morris and Pratt, which
/// never moves back in the text.
struct PathGlob: Hashable, Sendable {
  /// A piece that may be anywhere behind the one before it.
  private struct Piece: Hashable, Sendable {
    var bytes: [UInt8]
    /// For every prefix, the length of its longest proper prefix that is also its suffix.
    var borders: [Int]

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = Array(bytes)
      borders = Array(repeating: 0, count: bytes.count)
      var length = 0
      for index in self.bytes.indices.dropFirst() {
        while length > 0, self.bytes[index] != self.bytes[length] { length = borders[length - 1] }
        if self.bytes[index] == self.bytes[length] { length += 1 }
        borders[index] = length
      }
    }

    /// Returns the end of the piece's first occurrence within a range.
    func end(in text: [UInt8], _ range: Range<Int>) -> Int? {
      var length = 0
      for index in range {
        while length > 0, text[index] != bytes[length] { length = borders[length - 1] }
        if text[index] == bytes[length] { length += 1 }
        if length == bytes.count { return index + 1 }
      }
      return nil
    }
  }

  /// The text before the first star.
  private let prefix: [UInt8]
  /// The texts between stars, without empty ones.
  private let middle: [Piece]
  /// The text behind the last star; `nil` if there is no star.
  private let suffix: [UInt8]?

  init(_ text: ArraySlice<UInt8>) {
    let pieces = text.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    prefix = Array(pieces.first ?? [])
    suffix = pieces.count > 1 ? pieces.last.map { Array($0) } : nil
    middle = pieces.dropFirst().dropLast().filter { !$0.isEmpty }.map { Piece($0) }
  }

  /// Whether the glob matches a whole range of the text.
  ///
  /// - Complexity: O(*n* + *m*), where *n* and *m* are the bytes of the range and the glob.
  func matches(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    guard text[range].starts(with: prefix) else { return false }
    guard let suffix else { return range.count == prefix.count }
    var start = range.lowerBound + prefix.count
    let end = range.upperBound - suffix.count
    guard start <= end, text[end..<range.upperBound].elementsEqual(suffix) else { return false }
    for piece in middle {
      guard let next = piece.end(in: text, start..<end) else { return false }
      start = next
    }
    return true
  }
}
