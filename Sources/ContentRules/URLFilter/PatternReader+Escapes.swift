extension PatternReader {
  /// The meaning of an escape.
  enum Escape {
    case character(UInt32)
    case builtInClass(UInt8)
    case wordBoundary
    case backReference
    /// A syntax error has been recorded.
    case malformed
  }

  /// Reads an escape outside of sets; `index` is behind the backslash.
  mutating func readEscape(in text: Span<UInt8>) {
    quantifiable = .term
    switch escape(in: text, insideSet: false) {
    case .character(let value):
      if isRefused { return }
      guard value < 128 else { return refuseNonASCIIEscape(tokenStart..<index) }
      let character = UInt8(truncatingIfNeeded: value)
      float(set(of: character), isEndOfLine: character == 0)
    case .builtInClass(let letter):
      if isRefused { return }
      sink()
      refuse(
        .unsupportedCharacterClass,
        tokenStart..<index,
        "the class \\\(Unicode.Scalar(letter)) is not supported",
        hint: Self.replacement(forClass: letter)
      )
    case .wordBoundary:
      refuse(
        .wordBoundary,
        tokenStart..<index,
        "word boundaries cannot be expressed",
        hint: "name the characters that may stand there, such as [^a-z0-9]"
      )
      quantifiable = .nothing
    case .backReference:
      refuse(
        .backReference,
        tokenStart..<index,
        "references to groups cannot be expressed",
        hint: "write the group's pattern again"
      )
    case .malformed:
      break
    }
  }

  mutating func refuseNonASCIIEscape(_ range: Range<Int>) {
    refuse(
      .nonASCII,
      range,
      "the escape stands for a character above 127",
      hint: Self.nonASCIIHint
    )
  }

  /// Returns what to write instead of a built-in class, including the brackets of a set.
  private static func replacement(forClass letter: UInt8) -> String {
    switch letter {
    case 0x64: "write [0-9]"
    case 0x44: "write [^0-9]"
    case 0x77: "write [A-Za-z0-9_]"
    case 0x57: "write [^A-Za-z0-9_]"
    case 0x53: "write . because a URL holds no white space"
    default: "leave it out, because a URL holds no white space"
    }
  }

  /// Reads what follows a backslash.
  mutating func escape(in text: Span<UInt8>, insideSet: Bool) -> Escape {
    guard index < text.count else {
      fail(
        .yarrError,
        index - 1..<index,
        "the pattern ends with a backslash",
        hint: "write \\\\ for the character itself"
      )
      return .malformed
    }
    let byte = text[index]
    index += 1
    switch byte {
    case 0x62:  // b
      return insideSet ? .character(8) : .wordBoundary
    case 0x42:  // B
      return insideSet ? .character(0x42) : .wordBoundary
    case 0x64, 0x44, 0x73, 0x53, 0x77, 0x57:  // d D s S w W
      return .builtInClass(byte)
    case 0x30:  // 0
      return .character(octal(digits: 2, in: text))
    case 0x31...0x37:
      index -= 1
      return .character(octal(digits: 3, in: text))
    case 0x66: return .character(0x0C)  // f
    case 0x6E: return .character(0x0A)  // n
    case 0x72: return .character(0x0D)  // r
    case 0x74: return .character(0x09)  // t
    case 0x76: return .character(0x0B)  // v
    case 0x63:  // c
      return .character(control(in: text, insideSet: insideSet))
    case 0x78:  // x
      return .character(hexadecimal(digits: 2, in: text) ?? 0x78)
    case 0x75:  // u
      return .character(hexadecimal(digits: 4, in: text) ?? 0x75)
    case 0x6B:  // k
      return namedReference(in: text, insideSet: insideSet)
    case 0x80...:
      // The character behind the backslash is the fault.
      failNonASCII(at: index - 1, in: text)
      return .malformed
    default:
      return .character(UInt32(byte))
    }
  }

  /// Reads at most `digits` octal digits, up to 255.
  private mutating func octal(digits: Int, in text: Span<UInt8>) -> UInt32 {
    var value: UInt32 = 0
    let end = min(index + digits, text.count)
    while index < end, value < 32, case let digit = text[index], digit & 0xF8 == 0x30 {
      value = value * 8 + UInt32(digit & 7)
      index += 1
    }
    return value
  }

  /// Reads exactly `digits` hexadecimal digits, or nothing.
  mutating func hexadecimal(digits: Int, in text: Span<UInt8>) -> UInt32? {
    guard index + digits <= text.count else { return nil }
    var value: UInt32 = 0
    for position in index..<index + digits {
      guard let digit = hexadecimalValue(text[position]) else { return nil }
      value = value << 4 | digit
    }
    index += digits
    return value
  }

  /// Reads what follows `\c`; without a valid character the backslash stands for itself.
  private mutating func control(in text: Span<UInt8>, insideSet: Bool) -> UInt32 {
    if index < text.count {
      let byte = text[index]
      let isLetter = (byte | 0x20) &- 0x61 < 26
      let isSetMember = insideSet && (byte &- 0x30 < 10 || byte == 0x5F)
      if isLetter || isSetMember {
        index += 1
        return UInt32(byte & 0x1F)
      }
    }
    index -= 1
    return 0x5C
  }

  /// Reads what follows `\k`, which is the letter unless it names a group seen before.
  private mutating func namedReference(in text: Span<UInt8>, insideSet: Bool) -> Escape {
    let start = index
    if !insideSet, index < text.count, text[index] == 0x3C {
      index += 1
      let name = groupName(in: text)
      if isBroken { return .malformed }
      if let name, groupNames[name] != nil { return .backReference }
    }
    index = start
    if literalK == nil { literalK = start - 2..<start }
    return .character(0x6B)
  }
}

/// The value of a hexadecimal digit, or `nil` for any other byte.
func hexadecimalValue(_ byte: UInt8) -> UInt32? {
  switch byte {
  case 0x30...0x39: UInt32(byte) - 0x30
  case 0x41...0x46: UInt32(byte) - 0x37
  case 0x61...0x66: UInt32(byte) - 0x57
  default: nil
  }
}
