/// Searching in the bytes of filter lists.
package enum FilterText {
  /// Where a text begins: behind a byte-order mark, or several, as tools that join files leave them.
  static func start(of text: [UInt8]) -> Int {
    var start = 0
    while text[start...].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    return start
  }

  /// Returns the end of the line that begins at a position: its line end, or the text's end.
  static func lineEnd(in text: [UInt8], from position: Int) -> Int {
    var index = position
    while index < text.count, text[index] != 0x0A, text[index] != 0x0D { index += 1 }
    return index
  }

  /// Returns where the next line begins: behind a line feed, a carriage return, or both.
  static func nextLine(in text: [UInt8], after end: Int) -> Int {
    end + 1 < text.count && text[end] == 0x0D && text[end + 1] == 0x0A ? end + 2 : end + 1
  }

  /// Returns where each line of a text begins, as lists are split into lines.
  ///
  /// - Complexity: O(*n*)
  package static func lineStarts(of text: [UInt8]) -> [Int] {
    var starts = [0]
    var position = 0
    while position < text.count {
      let end = lineEnd(in: text, from: position)
      position = nextLine(in: text, after: end)
      if end < text.count { starts.append(position) }
    }
    return starts
  }

  /// Returns the line that begins at a position, with those that continue it, without white space around it.
  ///
  /// Lines are joined as in lists of uBlock Origin; in others none ends as one does there that is continued.
  package static func line(of text: [UInt8], at start: Int) -> ArraySlice<UInt8> {
    let line = start..<lineEnd(in: text, from: start)
    let next = nextLine(in: text, after: line.upperBound)
    guard let long = ContinuedLine(text, line, next: next, limit: text.count) else {
      return text[trim(text, line)]
    }
    return long.line[trim(long.line, long.line.indices)]
  }

  /// Returns a range without the white space at both ends.
  package static func trim(_ text: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, isSpace(text[lower]) { lower += 1 }
    while upper > lower, isSpace(text[upper - 1]) { upper -= 1 }
    return lower..<upper
  }

  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// Whether a range begins with a text.
  package static func starts(
    _ text: [UInt8],
    _ range: Range<Int>,
    _ prefix: StaticString
  ) -> Bool {
    let count = prefix.utf8CodeUnitCount
    guard range.count >= count else { return false }
    for index in 0..<count where unsafe text[range.lowerBound + index] != prefix.utf8Start[index] {
      return false
    }
    return true
  }

  /// Whether a range ends with a text.
  package static func ends(_ text: [UInt8], _ range: Range<Int>, _ suffix: StaticString) -> Bool {
    let count = suffix.utf8CodeUnitCount
    guard range.count >= count else { return false }
    return starts(text, range.upperBound - count..<range.upperBound, suffix)
  }

  /// Whether a range contains a text.
  package static func contains(
    _ text: [UInt8],
    _ range: Range<Int>,
    _ part: StaticString
  ) -> Bool {
    position(in: text, range, of: part) != nil
  }

  /// Returns the first place of a text in a range.
  package static func position(
    in text: [UInt8],
    _ range: Range<Int>,
    of part: StaticString
  ) -> Int? {
    let count = part.utf8CodeUnitCount
    guard range.count >= count, count > 0 else { return nil }
    let first = unsafe part.utf8Start[0]
    var index = range.lowerBound
    while index + count <= range.upperBound {
      if text[index] == first, starts(text, index..<range.upperBound, part) { return index }
      index += 1
    }
    return nil
  }

  /// Splits a range at a byte; leaves empty parts out, and trims the others.
  package static func split(
    _ text: [UInt8],
    _ range: Range<Int>,
    at separator: UInt8
  ) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for index in range.lowerBound...range.upperBound
    where index == range.upperBound || text[index] == separator {
      let part = trim(text, start..<index)
      if !part.isEmpty { parts.append(part) }
      start = index + 1
    }
    return parts
  }

  /// Whether a line that begins with `#` is a hiding filter, and not a comment.
  ///
  /// - Parameters:
  ///   - text: The list's bytes.
  ///   - line: The line.
  ///   - dialect: How the list is read, if that is known.
  /// - Returns: Whether it is one.
  static func isHidingMark(
    _ text: [UInt8],
    _ line: Range<Int>,
    dialect: FilterDialect? = nil
  ) -> Bool {
    guard line.count > 2, text[line.lowerBound] == UInt8(ascii: "#") else { return false }
    var index = line.lowerBound + 1
    while index < line.upperBound, index < line.lowerBound + 4,
      [UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "$"), UInt8(ascii: "%")]
        .contains(text[index])
    {
      index += 1
    }
    guard index + 1 < line.upperBound, text[index] == UInt8(ascii: "#") else { return false }
    let next = text[index + 1]
    guard isSpace(next) else {
      return next != UInt8(ascii: "#") || !FilterText.starts(text, line, "####")
    }
    // `## a heading` and `######` decorate comments of hosts files. To Adblock Plus and uBlock Origin white
    // space behind the mark says nothing; to AdGuard it makes any of them a comment.
    guard dialect == .abp || dialect == .ubo else { return false }
    let body = trim(text, index + 1..<line.upperBound)
    return index > line.lowerBound + 1
      || !body.isEmpty && ".#[:*".utf8.contains(text[body.lowerBound])
        && !FilterText.starts(text, body, "##")
  }

  /// Whether a range is UTF-8.
  package static func isUTF8(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    text[range].allSatisfy { $0 < 0x80 } || String(validating: text[range], as: UTF8.self) != nil
  }

  /// A range as text; bytes that are not UTF-8 are replaced.
  package static func string(_ text: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }
}
