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
    let count = text.count
    var index = start + 1
    var hasEscapes = false
    while true {
      index = Self.endOfPlainBytes(text, from: index, quote: quote)
      guard index < count else { break }
      let byte = text[index]
      if byte == quote {
        append(.string, start..<index + 1, hasEscapes: hasEscapes)
        position = index + 1
        lastStringEnd = position
        return true
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        // The most frequent escape: of a backslash.
        index =
          index + 1 < count && text[index + 1] == byte
          ? index + 2 : skipEscape(text, at: index, quote: quote, diagnostics)
      } else {
        let length = Self.lengthOfUTF8(text, at: index)
        if length == 0 { reportInvalidUTF8(text, at: index, diagnostics) }
        index += max(1, length)
      }
    }
    reportUnterminatedString(from: start, diagnostics)
    position = start + 1
    return false
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
    let quotes = UInt64(quote) &* eachByte
    let backslashes = UInt64(UInt8(ascii: "\\")) &* eachByte
    let bytes = unsafe text.bytes
    var index = start
    while index + 8 <= text.count {
      let word = UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      )
      // The lowest bit is exact; above it a borrow may have set others.
      let found = zeros(word ^ quotes) | zeros(word ^ backslashes) | word & eachByte << 7
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

  @inline(__always)
  private static var eachByte: UInt64 { 0x0101_0101_0101_0101 }

  /// Sets the highest bit of each byte that is 0.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- eachByte) & ~word & eachByte << 7
  }

  /// Returns the position behind the escape at a backslash; after a fault, that of the backslash.
  private func skipEscape(
    _ text: Span<UInt8>,
    at backslash: Int,
    quote: UInt8,
    _ diagnostics: DiagnosticCollector
  ) -> Int {
    let escaped = backslash + 1
    guard escaped < text.count else { return escaped }
    var digits = 0
    switch text[escaped] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"),
      UInt8(ascii: "v"):
      return escaped + 1
    case UInt8(ascii: "x"): digits = 2
    case UInt8(ascii: "u"): digits = 4
    case quote: return escaped + 1
    default: break
    }
    let end = escaped + 1 + digits
    if digits > 0, end <= text.count,
      (escaped + 1..<end).allSatisfy({ JSONText.hexadecimalDigit(text[$0]) != nil })
    {
      return end
    }
    reportInvalidEscape(text, at: backslash, digits: digits, diagnostics)
    return escaped
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
