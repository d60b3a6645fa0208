/// A place in a text as editors count: a line and a column in it, both from 0.
package struct TextPosition: Hashable, Sendable {
  /// The line, from 0.
  package var line: Int
  /// The column, from 0, in the unit that client and server have agreed upon.
  package var character: Int

  /// Creates a position from its parts.
  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }
}

/// The unit of columns.
package enum PositionEncoding: String, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
}

/// The text of an open document, and where its lines begin.
///
/// A line ends with LF, CR LF or CR, as in the protocol and in the engine. The text may be ill-formed
/// UTF-8; columns are then still within their lines.
package struct DocumentText: Sendable {
  /// The text.
  package private(set) var bytes: [UInt8]
  /// The offset of each line's first byte, ascending from 0.
  private var starts: [Int] = [0]
  /// A place a little before the last change, from which the next one is found: a long list may be one
  /// line, and who types in it must not wait until all of it is counted.
  private var anchor: Anchor?

  /// A place within a line, at the begin of a character.
  private struct Anchor {
    var line: Int
    var units: Int
    var offset: Int
  }

  /// Creates a text.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    starts = [0] + Self.lineStarts(in: bytes.span, 0..<bytes.count)
  }

  /// The number of lines.
  package var lineCount: Int { starts.count }

  /// Returns the starts of lines whose ends are in a range.
  private static func lineStarts(in text: Span<UInt8>, _ range: Range<Int>) -> [Int] {
    var starts: [Int] = []
    for offset in range {
      let byte = text[offset]
      guard byte == 0x0A || byte == 0x0D else { continue }
      if byte == 0x0D, offset + 1 < text.count, text[offset + 1] == 0x0A { continue }
      starts.append(offset + 1)
    }
    return starts
  }

  /// Returns the offset of a position; one behind the end of its line or of the text is at that
  /// end, and one within a character at its beginning.
  ///
  /// - Complexity: O(*n*) for a line of *n* bytes.
  package func offset(of position: TextPosition, _ encoding: PositionEncoding) -> Int {
    var anchor: Anchor?
    return offset(of: position, encoding, from: &anchor)
  }

  /// Returns the bytes between two positions of a change, in either order.
  ///
  /// - Complexity: O(*n*) for a line of *n* bytes, and O(1) near the last change behind its place.
  package mutating func range(
    _ start: TextPosition,
    _ end: TextPosition,
    _ encoding: PositionEncoding
  ) -> Range<Int> {
    var anchor = anchor
    let first = offset(of: start, encoding, from: &anchor)
    let last = end == start ? first : offset(of: end, encoding, from: &anchor)
    self.anchor = anchor
    return min(first, last)..<max(first, last)
  }

  /// Finds an offset from a known place, if that is before it in its line, and notes a place before it.
  private func offset(
    of position: TextPosition,
    _ encoding: PositionEncoding,
    from anchor: inout Anchor?
  ) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < starts.count else { return bytes.count }
    let start = starts[position.line]
    var end = position.line + 1 < starts.count ? starts[position.line + 1] : bytes.count
    if position.line + 1 < starts.count {
      end -= end >= start + 2 && bytes[end - 2] == 0x0D && bytes[end - 1] == 0x0A ? 2 : 1
    }
    let text = bytes.span
    var offset = start
    if encoding == .utf8 {
      offset = min(end, start + min(max(0, position.character), end - start))
      while offset > start, offset < end, text[offset] & 0xC0 == 0x80 { offset -= 1 }
      return offset
    }
    var units = 0
    if let anchor, anchor.line == position.line, anchor.units <= position.character {
      (offset, units) = (anchor.offset, anchor.units)
    }
    var passed = Anchor(line: position.line, units: units, offset: offset)
    var before = passed
    while offset < end, units < position.character {
      let width = Self.units(text[offset])
      guard units + width <= position.character else { break }
      units += width
      offset += 1
      while offset < end, text[offset] & 0xC0 == 0x80 { offset += 1 }
      if offset - passed.offset >= Self.anchorDistance {
        before = passed
        passed = Anchor(line: position.line, units: units, offset: offset)
      }
    }
    // At a line's begin, a change may make one line end of two.
    anchor = before.units > 0 ? before : nil
    return offset
  }

  /// How far before a change the next one is looked for, in bytes: for those that delete.
  private static let anchorDistance = 4_096

  /// Returns the position of an offset; one behind the text's end is at that end.
  ///
  /// - Complexity: O(log *l* + *n*) for *l* lines and *n* bytes of the line before the offset.
  package func position(of offset: Int, _ encoding: PositionEncoding) -> TextPosition {
    let offset = min(max(0, offset), bytes.count)
    let (line, start) = line(of: offset)
    let column = encoding == .utf16 ? units(in: start..<offset) : offset - start
    return TextPosition(line: line, character: column)
  }

  /// Returns the line of an offset, and where it begins.
  ///
  /// - Complexity: O(log *l*) for *l* lines.
  func line(of offset: Int) -> (line: Int, start: Int) {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    let line = max(0, low - 1)
    return (line, starts[line])
  }

  /// Returns the number of UTF-16 units of bytes.
  func units(in range: Range<Int>) -> Int {
    let text = bytes.span
    var units = 0
    for index in range { units += Self.units(text[index]) }
    return units
  }

  /// Returns the number of UTF-16 units of the character that begins with a byte; 0 inside of one.
  private static func units(_ byte: UInt8) -> Int {
    byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1
  }

  /// Replaces bytes.
  ///
  /// - Complexity: O(*n*) for *n* bytes moved and *l* lines moved.
  package mutating func replace(_ range: Range<Int>, with replacement: [UInt8]) {
    let range = range.clamped(to: 0..<bytes.count)
    if let offset = anchor?.offset, offset > range.lowerBound { anchor = nil }
    bytes.replaceSubrange(range, with: replacement)
    let change = replacement.count - range.count
    // A CR before the range and an LF behind it end lines together with what is between.
    let changed =
      max(0, range.lowerBound - 1)..<min(bytes.count, range.lowerBound + replacement.count + 1)
    let added = Self.lineStarts(in: bytes.span, changed)
    let first = Self.index(in: starts, of: changed.lowerBound + 1)
    let last = Self.index(in: starts, of: changed.upperBound - change + 1)
    if change != 0 {
      for index in last..<starts.count { starts[index] += change }
    }
    starts.replaceSubrange(first..<max(first, last), with: added)
  }

  /// Returns the index of the first start at or behind an offset.
  private static func index(in starts: [Int], of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
