/// A set of ASCII bytes, tested with one shift.
///
/// The constants are complements of the standard's percent-encode sets and forbidden code points: a
/// byte *in* the set is kept as it is. No byte above 0x7F is in a set. The tests compute the masks
/// from the standard's definitions.
///
/// > Source: URL standard, "Percent-encoded bytes" and "Host miscellaneous".
struct ByteSet: Equatable, Sendable {
  /// Bit *n* stands for byte *n*.
  var low: UInt64
  /// Bit *n* stands for byte 64 + *n*.
  var high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let word = byte & 64 == 0 ? low : high
    return byte < 128 && (word &>> UInt64(byte & 63)) & 1 != 0
  }

  /// The complement of the C0 control percent-encode set: what opaque paths and hosts keep.
  static let opaque = ByteSet(low: 0xFFFF_FFFF_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF)
  /// The complement of the fragment percent-encode set.
  static let fragment = ByteSet(low: 0xAFFF_FFFA_0000_0000, high: 0x7FFF_FFFE_FFFF_FFFF)
  /// The complement of the query percent-encode set.
  static let query = ByteSet(low: 0xAFFF_FFF2_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF)
  /// The complement of the special-query percent-encode set.
  static let specialQuery = ByteSet(low: 0xAFFF_FF72_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF)
  /// The complement of the path percent-encode set.
  static let path = ByteSet(low: 0x2FFF_FFF2_0000_0000, high: 0x57FF_FFFE_BFFF_FFFF)
  /// The complement of the userinfo percent-encode set.
  static let userinfo = ByteSet(low: 0x03FF_7FF2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)

  /// All but forbidden host code points.
  static let host = ByteSet(low: 0x2BFF_7FF6_FFFF_D9FE, high: 0xEFFF_FFFF_87FF_FFFE)
  /// All but forbidden domain code points.
  static let domain = ByteSet(low: 0x2BFF_7FD6_0000_0000, high: 0x6FFF_FFFF_87FF_FFFE)
  /// All but forbidden domain code points and upper-case letters: what a domain keeps as it is.
  static let canonicalDomain = ByteSet(low: 0x2BFF_7FD6_0000_0000, high: 0x6FFF_FFFF_8000_0000)
  /// Letters, digits, `+`, `-` and `.`, of which a scheme consists after its first letter.
  static let scheme = ByteSet(low: 0x03FF_6800_0000_0000, high: 0x07FF_FFFE_07FF_FFFE)
}

/// Names for the bytes that have a meaning in a URL.
enum ASCII {
  static let slash = UInt8(ascii: "/")
  static let backslash = UInt8(ascii: "\\")
  static let question = UInt8(ascii: "?")
  static let hash = UInt8(ascii: "#")
  static let colon = UInt8(ascii: ":")
  static let at = UInt8(ascii: "@")
  static let dot = UInt8(ascii: ".")
  static let percent = UInt8(ascii: "%")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let space = UInt8(ascii: " ")
  static let zero = UInt8(ascii: "0")

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool {
    byte &- zero < 10
  }

  @inline(__always)
  static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// Returns the value of a hexadecimal digit of either case; `nil` for other bytes.
  static func hexValue(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte &- zero }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// Returns the upper-case hexadecimal digit for a value below 16.
  static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? zero + value : UInt8(ascii: "A") + (value - 10)
  }
}
