extension Span<UInt8> {
  /// Returns eight bytes from a position on; there must be as many.
  func word(at position: Int) -> UInt64 {
    precondition(position >= 0 && position <= count - 8)
    // In bounds by the precondition.
    return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self)
  }

  /// A copy of the bytes.
  var array: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }

  /// Returns a weak hash: different texts of an ordinary list rarely share it, but it can be made
  /// to collide.
  func digest(_ range: Range<Int>, seed: UInt64 = 0) -> UInt64 {
    var digest = seed
    var index = range.lowerBound
    while index + 8 <= range.upperBound {
      digest = (digest ^ word(at: index)) &* 0x9FB2_1C65_1E98_DF25
      digest ^= digest >> 32
      index += 8
    }
    while index < range.upperBound {
      digest = (digest ^ UInt64(self[index])) &* 0x9FB2_1C65_1E98_DF25
      index += 1
    }
    return digest ^ digest >> 29
  }
}

extension Span<UInt8> {
  /// Whether two ranges have the same bytes.
  func isEqual(_ a: Range<Int>, _ b: Range<Int>) -> Bool { isEqual(a, self, b) }

  /// Whether a range has the same bytes as one of another text.
  func isEqual(_ range: Range<Int>, _ other: Span<UInt8>, _ otherRange: Range<Int>) -> Bool {
    range.count == otherRange.count
      && hasBytes(other.extracting(otherRange), at: range.lowerBound)
  }

  /// Whether the bytes from a position on are those of another text.
  func hasBytes(_ other: Span<UInt8>, at position: Int) -> Bool {
    guard position >= 0, other.count <= count - position else { return false }
    var index = 0
    // In bounds of both by the guard and the loop's condition.
    let (own, others) = unsafe (bytes, other.bytes)
    while index &+ 8 <= other.count {
      let word = unsafe own.unsafeLoadUnaligned(
        fromUncheckedByteOffset: position &+ index,
        as: UInt64.self
      )
      if unsafe word
        != others.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
      {
        return false
      }
      index &+= 8
    }
    while index < other.count {
      if self[position + index] != other[index] { return false }
      index += 1
    }
    return true
  }
}

/// Reads parts of the text for diagnostics.
extension Span<UInt8> {
  /// Returns the character at a position in quotation marks, or its number.
  func glimpse(at position: Int) -> String {
    guard position < count else { return "the end of the text" }
    let character = character(at: position)
    guard let scalar = character.unicodeScalars.first else { return "" }
    let properties = scalar.properties
    if self[position] >= 0x80, JSONScanner.lengthOfUTF8(self, at: position) == 0 {
      return "the byte 0x\(String(self[position], radix: 16, uppercase: true))"
    }
    switch properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator:
      let number = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: Swift.max(0, 4 - number.utf8.count)) + number
    default:
      return "'\(character)'"
    }
  }

  /// Returns the scalar at a position as text; U+FFFD if it is not UTF-8.
  func character(at position: Int) -> String {
    guard position < count else { return "" }
    let end = Swift.min(count, position + Swift.max(1, lengthOfCharacter(at: position)))
    return JSONText.string(extracting(position..<end))
  }

  /// Returns the length of the scalar at a position; 0 if it is not UTF-8.
  func lengthOfCharacter(at position: Int) -> Int {
    guard position < count else { return 0 }
    return self[position] < 0x80 ? 1 : JSONScanner.lengthOfUTF8(self, at: position)
  }

  /// Returns at most 60 bytes of a range as text, cut off with an ellipsis.
  func excerpt(_ range: Range<Int>) -> String {
    let limit = 60
    let range = range.clamped(to: 0..<count)
    guard range.count > limit else { return JSONText.string(extracting(range)) }
    var end = range.lowerBound + limit
    while end > range.lowerBound, self[end] & 0xC0 == 0x80 { end -= 1 }
    return JSONText.string(extracting(range.lowerBound..<end)) + "…"
  }

  /// Returns the position of the last byte before a position that is not white space.
  func lastNonSpace(before position: Int) -> Int? {
    var index = position - 1
    while index >= 0 {
      switch self[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index -= 1
      default: return index
      }
    }
    return nil
  }

  /// Returns the contents of the string at a position, if it is short enough for a key and a colon
  /// follows.
  func key(at position: Int) -> Range<Int>? {
    let limit = Swift.min(count, position + 64)
    var index = position + 1
    while index < limit, self[index] != UInt8(ascii: "\"") {
      index += self[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < limit else { return nil }
    let contents = position + 1..<index
    index += 1
    while index < count, [0x20, 0x09, 0x0A, 0x0D].contains(self[index]) { index += 1 }
    return index < count && self[index] == UInt8(ascii: ":") ? contents : nil
  }

  /// Returns the end of the bare word or number at a position.
  func end(ofWordAt position: Int) -> Int {
    var end = position
    while end < count, self[end].isWord || self[end].isDigit || self[end] == UInt8(ascii: "-") {
      end += 1
    }
    return end
  }

  /// Returns the end of the comment at a position; `nil` if there is none.
  func end(ofCommentAt position: Int) -> Int? {
    guard position < count else { return nil }
    var end = position + 1
    if matches("/*", at: position) {
      end = position + 2
      while end < count, !matches("*/", at: end) { end += 1 }
      return Swift.min(count, end + 2)
    }
    guard matches("//", at: position) || self[position] == UInt8(ascii: "#") else { return nil }
    while end < count, self[end] != 0x0A, self[end] != 0x0D { end += 1 }
    return end
  }

  /// Returns the length of a white-space character that JSON does not allow; 0 for anything else.
  func lengthOfForeignSpace(at position: Int) -> Int {
    switch self[position] {
    case 0x0B, 0x0C: 1
    case 0xC2 where matches("\u{A0}", at: position) || matches("\u{85}", at: position): 2
    case 0xE2 where position + 2 < count && self[position + 1] == 0x80:
      // U+2000 to U+200F, U+2028, U+2029 and U+202F.
      self[position + 2] <= 0x8F || [0xA8, 0xA9, 0xAF].contains(self[position + 2]) ? 3 : 0
    case 0xE3 where matches("\u{3000}", at: position): 3
    default: 0
    }
  }
}

extension UInt8 {
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  /// Whether the byte can begin a name.
  var isWord: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self == UInt8(ascii: "_")
      || self == UInt8(ascii: "$")
  }

  /// Whether the byte can belong to a number, including hexadecimal digits and exponents.
  var isNumeric: Bool {
    isDigit || isWord || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
      || self == UInt8(ascii: ".")
  }

  /// Whether a value can begin with the byte.
  var beginsValue: Bool {
    isDigit || isWord || self == UInt8(ascii: "\"") || self == UInt8(ascii: "'")
      || self == UInt8(ascii: "{") || self == UInt8(ascii: "[") || self == UInt8(ascii: "-")
  }
}
