/// The words of a line, with their columns.
///
/// A word is a run of bytes other than space and tab.
struct TestLine {
  /// A part of the line.
  struct Part {
    /// The bytes of the line, half open.
    var range: Range<Int>
    /// Its text.
    var text: String

    /// The column of its first byte, from 1.
    var column: Int { range.lowerBound + 1 }
  }

  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// The text of a range of the line.
  func part(_ range: Range<Int>) -> Part {
    let start = bytes.startIndex
    return Part(
      range: range,
      text: String(
        decoding: bytes[start + range.lowerBound..<start + range.upperBound],
        as: UTF8.self
      )
    )
  }

  /// A part without the white space around it.
  func trimmed(_ range: Range<Int>) -> Part {
    var range = range
    while !range.isEmpty, Self.isSpace(self[range.lowerBound]) {
      range = range.lowerBound + 1..<range.upperBound
    }
    while !range.isEmpty, Self.isSpace(self[range.upperBound - 1]) {
      range = range.lowerBound..<range.upperBound - 1
    }
    return part(range)
  }

  var count: Int { bytes.count }

  subscript(place: Int) -> UInt8 { bytes[bytes.startIndex + place] }

  /// The words of a range.
  func words(in range: Range<Int>) -> [Part] {
    var words: [Part] = []
    var place = range.lowerBound
    while place < range.upperBound {
      while place < range.upperBound, Self.isSpace(self[place]) { place += 1 }
      let start = place
      while place < range.upperBound, !Self.isSpace(self[place]) { place += 1 }
      if place > start { words.append(part(start..<place)) }
    }
    return words
  }

  /// The range of the word `=>`; `nil` if there is none.
  var arrow: Range<Int>? {
    var place = 0
    while place + 1 < count {
      if self[place] == UInt8(ascii: "="), self[place + 1] == UInt8(ascii: ">"),
        place == 0 || Self.isSpace(self[place - 1]),
        place + 2 == count || Self.isSpace(self[place + 2])
      {
        return place..<place + 2
      }
      place += 1
    }
    return nil
  }

  /// The end of what stands before a comment: a `#` between spaces, outside of quotation marks.
  func end(from start: Int) -> Int {
    var scan = Scan()
    for place in start..<count {
      let isComment =
        self[place] == UInt8(ascii: "#") && !scan.isQuoted
        && (place == 0 || Self.isSpace(self[place - 1]))
        && (place + 1 == count || Self.isSpace(self[place + 1]))
      if isComment { return place }
      scan.pass(self[place])
    }
    return count
  }

  /// The parts between commas that stand outside of quotation marks and brackets; `nil` if a
  /// quotation mark is not closed.
  func items(in range: Range<Int>) -> [Part]? {
    var items: [Part] = []
    var scan = Scan()
    var start = range.lowerBound
    for place in range {
      if self[place] == UInt8(ascii: ","), scan.isOutside {
        items.append(trimmed(start..<place))
        start = place + 1
      }
      scan.pass(self[place])
    }
    items.append(trimmed(start..<range.upperBound))
    return scan.isQuoted ? nil : items
  }

  /// The places of the words ` by ` outside of quotation marks and brackets, each the place of its
  /// space.
  func causes(in range: Range<Int>) -> [Int] {
    var places: [Int] = []
    var scan = Scan()
    for place in range {
      if scan.isOutside, place + 3 < range.upperBound, Self.isSpace(self[place]),
        self[place + 1] == UInt8(ascii: "b"), self[place + 2] == UInt8(ascii: "y"),
        Self.isSpace(self[place + 3])
      {
        places.append(place)
      }
      scan.pass(self[place])
    }
    return places
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether a place of a text is inside of quotation marks or brackets.
  struct Scan {
    private var quote: UInt8?
    private var depth = 0
    private var isEscaped = false

    var isQuoted: Bool { quote != nil }
    var isOutside: Bool { quote == nil && depth == 0 }

    mutating func pass(_ byte: UInt8) {
      if isEscaped {
        isEscaped = false
        return
      }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
      case UInt8(ascii: "("), UInt8(ascii: "["): if quote == nil { depth += 1 }
      case UInt8(ascii: ")"), UInt8(ascii: "]"): if quote == nil, depth > 0 { depth -= 1 }
      default: break
      }
    }
  }
}
