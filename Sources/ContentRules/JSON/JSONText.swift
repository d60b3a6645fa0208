/// Reads the contents of JSON strings and numbers whose syntax the scanner has checked.
enum JSONText {
  /// Appends the text of a string as UTF-8.
  ///
  /// Lone surrogates, which JSON can spell but UTF-8 cannot, become U+FFFD.
  static func decode(_ text: Span<UInt8>, _ contents: Range<Int>, into bytes: inout [UInt8]) {
    let start = bytes.count
    // The text is never longer than what spells it.
    bytes.append(contentsOf: repeatElement(0, count: contents.count))
    let length = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe decode(text, contents, to: .init(rebasing: $0[start...]))
    }
    bytes.removeLast(contents.count - length)
  }

  /// Returns the text of a string; as ``decode(_:_:into:)``, and ill-formed UTF-8 becomes U+FFFD.
  static func decoded(_ text: Span<UInt8>, _ contents: Range<Int>) -> String {
    unsafe String(unsafeUninitializedCapacity: contents.count) {
      unsafe decode(text, contents, to: $0)
    }
  }

  /// Writes the text of a string to memory for as many bytes as spell it; returns how many it has.
  private static func decode(
    _ text: Span<UInt8>,
    _ contents: Range<Int>,
    to output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    precondition(contents.lowerBound >= 0 && contents.upperBound <= text.count)
    precondition(output.count >= contents.count)
    let bytes = unsafe text.bytes
    let memory = UnsafeMutableRawBufferPointer(output)
    let end = contents.upperBound
    var position = contents.lowerBound
    var count = 0
    while position < end {
      if position &+ 8 <= end {
        // In bounds, and so is the output, of which no more is written than was read.
        let word = unsafe bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: position,
          as: UInt64.self
        )
        unsafe memory.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
        let found = (UInt64(littleEndian: word) ^ .eightTimes(UInt8(ascii: "\\"))).zeroBytes
        let plain = found == 0 ? 8 : found.trailingZeroBitCount / 8
        position &+= plain
        count &+= plain
        if plain == 8 { continue }
      } else if text[position] != UInt8(ascii: "\\") {
        unsafe output[count] = text[position]
        position &+= 1
        count &+= 1
        continue
      }
      let next = position &+ 1
      if next < end, text[next] == UInt8(ascii: "\\") {
        // The most frequent escape.
        unsafe output[count] = UInt8(ascii: "\\")
        position &+= 2
        count &+= 1
        continue
      }
      let escape = Self.escape(text, at: position, end: end)
      unsafe write(escape.scalar, to: output, &count)
      position &+= escape.length
    }
    return count
  }

  /// Returns the bytes of the JSON text that spell the given bytes of a string's decoded text.
  ///
  /// An escape is included as a whole if it spells any of them.
  static func sourceRange(
    of decoded: Range<Int>,
    in text: Span<UInt8>,
    _ contents: Range<Int>
  ) -> Range<Int> {
    sourceRanges(of: [decoded], in: text, contents)[0]
  }

  /// Returns ``sourceRange(of:in:_:)`` of each of several ranges of one string, in their order.
  ///
  /// The ranges need not be sorted.
  ///
  /// - Complexity: O(*n* + *k* log *k*) for *n* bytes and *k* ranges.
  static func sourceRanges(
    of decoded: [Range<Int>],
    in text: Span<UInt8>,
    _ contents: Range<Int>
  ) -> [Range<Int>] {
    var starts = Array(repeating: contents.upperBound, count: decoded.count)
    var ends = starts
    let byStart = decoded.indices.sorted { decoded[$0].lowerBound < decoded[$1].lowerBound }
    let byEnd = decoded.indices.sorted { decoded[$0].upperBound < decoded[$1].upperBound }
    var nextStart = 0
    var nextEnd = 0
    var position = contents.lowerBound
    var offset = 0
    while position < contents.upperBound, nextEnd < decoded.count || nextStart < decoded.count {
      var length = 1
      var decodedLength = 1
      if text[position] == UInt8(ascii: "\\") {
        let escape = Self.escape(text, at: position, end: contents.upperBound)
        length = escape.length
        decodedLength = utf8Length(escape.scalar)
      }
      while nextEnd < decoded.count, decoded[byEnd[nextEnd]].upperBound <= offset {
        ends[byEnd[nextEnd]] = position
        nextEnd += 1
      }
      position += length
      offset += decodedLength
      while nextStart < decoded.count, decoded[byStart[nextStart]].lowerBound < offset {
        starts[byStart[nextStart]] = position - length
        nextStart += 1
      }
    }
    return zip(starts, ends).map { $0..<max($0, $1) }
  }

  /// Returns the number at the given bytes; infinite beyond the range of a double.
  static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Double {
    Double(string(text.extracting(range))) ?? .infinity
  }

  /// Returns a string of UTF-8 bytes; ill-formed ones become U+FFFD.
  static func string(_ bytes: Span<UInt8>) -> String {
    if let text = try? UTF8Span(validating: bytes) { return String(copying: text) }
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count)
    for index in bytes.indices { copy.append(bytes[index]) }
    return String(decoding: copy, as: UTF8.self)
  }

  /// Returns the scalar of the escape at a backslash, and the escape's length in bytes.
  ///
  /// An unknown escape, which the scanner has reported, is the backslash alone: whoever writes `\.`
  /// means `\\.`.
  private static func escape(
    _ text: Span<UInt8>,
    at position: Int,
    end: Int
  ) -> (scalar: UInt32, length: Int) {
    let backslash = UInt32(UInt8(ascii: "\\"))
    guard position + 1 < end else { return (backslash, 1) }
    switch text[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "'"):
      return (UInt32(text[position + 1]), 2)
    case UInt8(ascii: "b"): return (8, 2)
    case UInt8(ascii: "f"): return (12, 2)
    case UInt8(ascii: "n"): return (10, 2)
    case UInt8(ascii: "r"): return (13, 2)
    case UInt8(ascii: "t"): return (9, 2)
    case UInt8(ascii: "v"): return (11, 2)
    case UInt8(ascii: "x"):
      guard let value = hexadecimal(text, position + 2..<position + 4, end: end) else { break }
      return (value, 4)
    case UInt8(ascii: "u"):
      guard let first = hexadecimal(text, position + 2..<position + 6, end: end) else { break }
      guard first & 0xF800 == 0xD800 else { return (first, 6) }
      guard first < 0xDC00, position + 8 <= end,
        text[position + 6] == UInt8(ascii: "\\"), text[position + 7] == UInt8(ascii: "u"),
        let second = hexadecimal(text, position + 8..<position + 12, end: end),
        second & 0xFC00 == 0xDC00
      else { return (0xFFFD, 6) }
      return (0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF), 12)
    default: break
    }
    return (backslash, 1)
  }

  private static func hexadecimal(
    _ text: Span<UInt8>,
    _ range: Range<Int>,
    end: Int
  ) -> UInt32? {
    guard range.upperBound <= end else { return nil }
    var value: UInt32 = 0
    for index in range {
      guard let digit = hexadecimalDigit(text[index]) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// The value of a hexadecimal digit.
  static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func utf8Length(_ scalar: UInt32) -> Int {
    scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
  }

  /// Writes a character as UTF-8.
  private static func write(
    _ scalar: UInt32,
    to output: UnsafeMutableBufferPointer<UInt8>,
    _ count: inout Int
  ) {
    let length = utf8Length(scalar)
    let lead: UInt8 =
      switch length {
      case 1: 0
      case 2: 0xC0
      case 3: 0xE0
      default: 0xF0
      }
    unsafe output[count] = lead | UInt8(truncatingIfNeeded: scalar >> UInt32(6 * (length - 1)))
    count += 1
    for shift in stride(from: 6 * (length - 2), through: 0, by: -6) {
      unsafe output[count] = 0x80 | UInt8(truncatingIfNeeded: scalar >> UInt32(shift)) & 0x3F
      count += 1
    }
  }
}
