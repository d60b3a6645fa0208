internal import ContentRules

extension JavaScriptPatternReader {
  /// Reads an escape outside sets; `index` is behind the backslash.
  mutating func readEscape() {
    guard let byte = peek() else {
      isBroken = true
      return
    }
    if 0x31...0x39 ~= byte {
      let start = index
      if let group = readNumber(), group < pattern.groupCount {
        return emitAtom(.reference(group: Int32(truncatingIfNeeded: group)))
      }
      index = start
    }
    emitAtom(.character(Self.set(of: readCharacterEscape(insideSet: false))))
  }

  /// Reads a set; `index` is behind the bracket.
  mutating func readSet() -> CharacterSet {
    var set = CharacterSet()
    let isInverted = peek() == UInt8(ascii: "^")
    if isInverted { index += 1 }
    while let byte = peek(), byte != UInt8(ascii: "]") {
      let first = readMember()
      guard peek() == UInt8(ascii: "-"), let next = peek(1), next != UInt8(ascii: "]") else {
        set.insert(first)
        continue
      }
      index += 1
      let last = readMember()
      if first > last {
        isBroken = true
      } else {
        for character in first...last { set.insert(character) }
      }
    }
    if peek() == nil { isBroken = true }
    index += 1
    return isInverted ? CharacterSet(low: ~set.low, high: ~set.high) : set
  }

  /// Reads one character of a set.
  private mutating func readMember() -> UInt8 {
    guard let byte = peek() else {
      isBroken = true
      return 0
    }
    index += 1
    if byte == UInt8(ascii: "\\") { return readCharacterEscape(insideSet: true) }
    if byte >= 128 { isBroken = true }
    return byte & 127
  }

  /// Reads an escape of one character below 128; `index` is behind the backslash.
  private mutating func readCharacterEscape(insideSet: Bool) -> UInt8 {
    guard let byte = peek() else {
      isBroken = true
      return 0
    }
    index += 1
    switch byte {
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "v"): return 11
    case UInt8(ascii: "x"): return readHexadecimal(digits: 2) ?? byte
    case UInt8(ascii: "u"): return readHexadecimal(digits: 4) ?? byte
    case UInt8(ascii: "c"): return readControl(insideSet: insideSet)
    case UInt8(ascii: "0"): return readOctal(digits: 2)
    case 0x31...0x37:
      index -= 1
      return readOctal(digits: 3)
    case UInt8(ascii: "b") where insideSet: return 8
    case UInt8(ascii: "b"), UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "w"),
      UInt8(ascii: "W"), UInt8(ascii: "s"), UInt8(ascii: "S"), 0x80...:
      isBroken = true
      return 0
    case UInt8(ascii: "B"):
      if !insideSet { isBroken = true }
      return byte
    default: return byte
    }
  }

  /// Reads at most `digits` octal digits; the value is below 128.
  private mutating func readOctal(digits: Int) -> UInt8 {
    var value = 0
    for _ in 0..<digits {
      guard value < 32, let byte = peek(), byte & 0xF8 == 0x30 else { break }
      value = value * 8 + Int(byte & 7)
      index += 1
    }
    return ascii(value)
  }

  /// Reads exactly `digits` hexadecimal digits, or nothing.
  private mutating func readHexadecimal(digits: Int) -> UInt8? {
    var value = 0
    for distance in 0..<digits {
      guard let byte = peek(distance), let digit = hexadecimalDigitValue(byte) else { return nil }
      value = value << 4 | Int(digit)
    }
    index += digits
    return ascii(value)
  }

  /// Reads what follows `\c`; without a valid character the backslash stands for itself.
  private mutating func readControl(insideSet: Bool) -> UInt8 {
    if let byte = peek() {
      let isLetter = (byte | 0x20) &- 0x61 < 26
      if isLetter || insideSet && (byte &- 0x30 < 10 || byte == UInt8(ascii: "_")) {
        index += 1
        return byte & 31
      }
    }
    index -= 1
    return UInt8(ascii: "\\")
  }

  private mutating func ascii(_ value: Int) -> UInt8 {
    if value > 127 { isBroken = true }
    return UInt8(truncatingIfNeeded: value & 127)
  }
}
