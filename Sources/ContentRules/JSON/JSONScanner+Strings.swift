extension JSONScanner {
  /// Reads a string in usual quotation marks, the first of which is at the current position.
  ///
  /// - Returns: False if the string has no end; the position is then behind its first mark.
  mutating func scanString(_ text: Span<UInt8>, _ diagnostics: DiagnosticCollector) -> Bool {
    // By itself, so that what is compared with is a constant.
    scanString(text, diagnostics, quote: UInt8(ascii: "\""))
  }

  /// Reads a string in quotation marks, the first of which is at the current position.
  ///
  /// - Parameters:
  ///   - text: The whole text.
  ///   - diagnostics: The collector of faults.
  ///   - quote: The quotation mark that ends the string; other than `"` only after a fault.
  /// - Returns: False if the string has no end; the position is then behind its first mark.
  @inline(__always)
  mutating func scanString(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector,
    quote: UInt8
  ) -> Bool {
    let start = position
    var index = start + 1
    var hasEscapes = false
    while true {
      index = Self.endOfSoundText(text, from: index, quote: quote, &hasEscapes)
      guard index < text.count else { break }
      let byte = text[index]
      if byte == quote {
        append(.string, start..<index + 1, hasEscapes: hasEscapes)
        position = index + 1
        lastStringEnd = position
        return true
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        let digits = Self.digitsOfEscape(text, at: index, quote: quote) ?? 0
        reportInvalidEscape(text, at: index, digits: digits, diagnostics)
      } else {
        reportInvalidUTF8(text, at: index, diagnostics)
      }
      index += 1
    }
    reportUnterminatedString(from: start, diagnostics)
    position = start + 1
    return false
  }

  /// Returns the first position from one on that has the quotation mark, an escape that is not valid or a
  /// character that is not well-formed UTF-8, else the text's end.
  ///
  /// - Parameters:
  ///   - text: The whole text.
  ///   - start: A position inside of a string.
  ///   - quote: The quotation mark that ends the string.
  ///   - hasEscapes: Set if there is an escape up to there.
  /// - Returns: The position.
  @inline(__always)
  static func endOfSoundText(
    _ text: Span<UInt8>,
    from start: Int,
    quote: UInt8 = UInt8(ascii: "\""),
    _ hasEscapes: inout Bool
  ) -> Int {
    var index = start
    while true {
      index = endOfPlainBytes(text, from: index, quote: quote)
      guard index < text.count else { return text.count }
      let byte = text[index]
      if byte == quote { return index }
      let length: Int
      if byte == UInt8(ascii: "\\") {
        // The most frequent escape: of a backslash.
        length =
          index + 1 < text.count && text[index + 1] == byte
          ? 2 : lengthOfEscape(text, at: index, quote: quote)
        if length > 0 { hasEscapes = true }
      } else {
        length = lengthOfUTF8(text, at: index)
      }
      if length == 0 { return index }
      index += length
    }
  }

  /// Returns the first position from one on that has a quotation mark, a backslash or a character that is
  /// not ASCII, else the text's end.
  ///
  /// Looks at eight bytes at a time.
  @inline(__always)
  private static func endOfPlainBytes(
    _ text: Span<UInt8>,
    from start: Int,
    quote: UInt8
  ) -> Int {
    let quotes = UInt64.eightTimes(quote)
    let backslashes = UInt64.eightTimes(UInt8(ascii: "\\"))
    let bytes = unsafe text.bytes
    var index = start
    while index + 8 <= text.count {
      let word = UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      )
      let found =
        (word ^ quotes).zeroBytes | (word ^ backslashes).zeroBytes | word & .eightTimes(0x80)
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < text.count {
      let byte = text[index]
      if byte == quote || byte == UInt8(ascii: "\\") || byte >= 0x80 { return index }
      index += 1
    }
    return index
  }

  /// Returns the number of hexadecimal digits of the escape at a backslash; `nil` for a letter that begins none.
  private static func digitsOfEscape(
    _ text: Span<UInt8>,
    at backslash: Int,
    quote: UInt8
  ) -> Int? {
    switch text[backslash + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"),
      UInt8(ascii: "v"), quote:
      0
    case UInt8(ascii: "x"): 2
    case UInt8(ascii: "u"): 4
    default: nil
    }
  }

  /// Returns the length of the escape at a backslash; 0 if it is not valid.
  private static func lengthOfEscape(
    _ text: Span<UInt8>,
    at backslash: Int,
    quote: UInt8
  ) -> Int {
    // What the text's end cuts off is no fault of the escape, but of the string.
    guard backslash + 1 < text.count else { return 1 }
    guard let digits = digitsOfEscape(text, at: backslash, quote: quote) else { return 0 }
    let end = backslash + 2 + digits
    guard end <= text.count,
      (backslash + 2..<end).allSatisfy({ JSONText.hexadecimalDigit(text[$0]) != nil })
    else { return 0 }
    return 2 + digits
  }

  /// Returns the length of the non-ASCII character at a position; 0 if it is not well-formed UTF-8.
  static func lengthOfUTF8(_ text: Span<UInt8>, at index: Int) -> Int {
    func isTail(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      index + offset < text.count && range.contains(text[index + offset])
    }
    switch text[index] {
    case 0xC2...0xDF:
      return isTail(1) ? 2 : 0
    case let lead where lead & 0xF0 == 0xE0:
      let second: ClosedRange<UInt8> =
        lead == 0xE0 ? 0xA0...0xBF : lead == 0xED ? 0x80...0x9F : 0x80...0xBF
      return isTail(1, second) && isTail(2) ? 3 : 0
    case let lead where 0xF0...0xF4 ~= lead:
      let second: ClosedRange<UInt8> =
        lead == 0xF0 ? 0x90...0xBF : lead == 0xF4 ? 0x80...0x8F : 0x80...0xBF
      return isTail(1, second) && isTail(2) && isTail(3) ? 4 : 0
    default:
      return 0
    }
  }
}
