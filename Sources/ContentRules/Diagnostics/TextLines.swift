extension Span<UInt8> {
  /// Whether the byte at an index ends a line: LF, CR LF and CR each do.
  ///
  /// The only definition for rule lists; `rule-places.js` repeats it for the browser.
  @inline(__always)
  package func endsLine(at index: Int) -> Bool {
    let byte = self[index]
    return byte == 0x0A || byte == 0x0D && !(index + 1 < count && self[index + 1] == 0x0A)
  }
}

/// Counts lines while moving through a text.
package struct LineCounter {
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  /// Creates a counter at the start of a text.
  package init() {}

  /// Returns the line and column of an offset, both from 1, the column in bytes.
  ///
  /// - Complexity: O(*n*) for *n* bytes since the last offset, 32 at a time where no line ends;
  ///   for an offset before the line of the last one, since the beginning.
  package mutating func advance(to place: Int, in text: Span<UInt8>) -> (line: Int, column: Int) {
    let place = min(place, text.count)
    if place < offset { offset = lineStart }
    if place < offset { self = LineCounter() }
    while offset < place {
      if offset + 32 <= place, !Self.mayEndLine(text, at: offset) {
        offset += 32
        continue
      }
      if offset + 8 <= place, !Self.mayEndLine(text.word(at: offset)) {
        offset += 8
        continue
      }
      let endsLine = text.endsLine(at: offset)
      offset += 1
      if endsLine {
        line += 1
        lineStart = offset
      }
    }
    return (line, place - lineStart + 1)
  }

  /// Whether any of 32 bytes from a place on may be a line feed or a carriage return.
  private static func mayEndLine(_ text: Span<UInt8>, at place: Int) -> Bool {
    (bytesBelow16(text.word(at: place)) | bytesBelow16(text.word(at: place + 8))
      | bytesBelow16(text.word(at: place + 16)) | bytesBelow16(text.word(at: place + 24))) != 0
  }

  /// Whether any of eight bytes may be a line feed or a carriage return.
  private static func mayEndLine(_ word: UInt64) -> Bool { bytesBelow16(word) != 0 }

  /// The high bit of each byte below 0x10, and perhaps of bytes above such a one, from which it borrows.
  @inline(__always)
  private static func bytesBelow16(_ word: UInt64) -> UInt64 {
    (word &- 0x1010_1010_1010_1010) & ~word & 0x8080_8080_8080_8080
  }
}

/// The starts of all lines of a text, for look-ups in any order.
package struct TextLines: Sendable {
  /// The offset of each line's first byte, ascending from 0.
  private let starts: [Int]

  /// Finds the lines.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  package init(_ text: Span<UInt8>) {
    var starts = [0]
    for offset in 0..<text.count where text.endsLine(at: offset) { starts.append(offset + 1) }
    self.starts = starts
  }

  /// The number of lines, including an empty one behind the last line end.
  package var count: Int { starts.count }

  /// The line and column of an offset, both from 1, the column in bytes.
  ///
  /// - Complexity: O(log *n*) for *n* lines.
  package func position(of offset: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    // Never 0: the first line starts at offset 0.
    let line = max(1, low)
    return (line, offset - starts[line - 1] + 1)
  }
}
