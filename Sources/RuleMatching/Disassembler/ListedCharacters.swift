/// A set of characters, written as people write sets.
struct ListedCharacters: Hashable {
  var low: UInt64 = 0
  var high: UInt64 = 0

  func contains(_ character: UInt8) -> Bool {
    (character < 64 ? low >> UInt64(character) : high >> UInt64(character - 64)) & 1 != 0
  }

  mutating func insert(_ character: UInt8) {
    if character < 64 {
      low |= 1 << UInt64(character)
    } else {
      high |= 1 << UInt64(character & 63)
    }
  }

  /// The set as in a pattern: `.` for any character, `$` for the end of the URL, else `[…]`.
  ///
  /// Runs of more than two characters are written with a dash; a set with more than half of all
  /// characters by those that it lacks: `[^/:]`. If it contains the end of the URL, `|$` is added.
  var text: String {
    let hasEnd = low & 1 != 0
    let count = (low & ~1).nonzeroBitCount + high.nonzeroBitCount
    switch (count, hasEnd) {
    case (0, true): return "$"
    case (127, _): return hasEnd ? ".|$" : "."
    default: break
    }
    let isInverted = count > 63
    var text = isInverted ? "[^" : "["
    var first = 1
    while first < 128 {
      guard contains(UInt8(first)) != isInverted else {
        first += 1
        continue
      }
      var end = first + 1
      while end < 128, contains(UInt8(end)) != isInverted { end += 1 }
      text += Self.inSet(UInt8(first))
      if end - first > 2 {
        text += "-"
      }
      if end - first > 1 {
        text += Self.inSet(UInt8(end - 1))
      }
      first = end
    }
    return text + "]" + (hasEnd ? "|$" : "")
  }

  private static func inSet(_ character: UInt8) -> String {
    let needsEscape = "]^-[".utf8.contains(character)
    return (needsEscape ? "\\" : "") + escaped(character)
  }

  /// Returns a character as itself, a backslash doubled, others as `\xNN`.
  static func escaped(_ character: UInt8) -> String {
    switch character {
    case UInt8(ascii: "\\"): return "\\\\"
    case 32..<127: return String(UnicodeScalar(character))
    default:
      let digits = String(character, radix: 16)
      return "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
    }
  }

  /// Bytes in quotes.
  static func quoted(_ bytes: some Sequence<UInt8>) -> String {
    var text = "\""
    for byte in bytes { text += byte == UInt8(ascii: "\"") ? "\\\"" : escaped(byte) }
    return text + "\""
  }
}
