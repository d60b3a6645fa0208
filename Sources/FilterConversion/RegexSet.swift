/// A set of the characters that URLs consist of, 1 to 127.
struct RegexSet: Hashable {
  var low: UInt64 = 0
  var high: UInt64 = 0

  /// Every character, as `.` is in WebKit.
  static let all = RegexSet(low: ~1, high: ~0)

  static func byte(_ byte: UInt8) -> RegexSet {
    var set = RegexSet()
    set.insert(byte)
    return set
  }

  mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
  }

  mutating func insert(_ range: ClosedRange<UInt8>) { for byte in range { insert(byte) } }

  func contains(_ byte: UInt8) -> Bool {
    byte < 64 ? low >> UInt64(byte) & 1 != 0 : high >> UInt64(byte & 63) & 1 != 0
  }

  mutating func formUnion(_ other: RegexSet) {
    low |= other.low
    high |= other.high
  }

  func intersects(_ other: RegexSet) -> Bool { low & other.low != 0 || high & other.high != 0 }

  var inverted: RegexSet { RegexSet(low: ~low & ~1, high: ~high) }
  var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }
  var isEmpty: Bool { low == 0 && high == 0 }

  /// Both cases of every letter.
  var folded: RegexSet {
    var set = self
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z")
    where contains(letter) || contains(letter & 0xDF) {
      set.insert(letter)
      set.insert(letter & 0xDF)
    }
    return set
  }

  /// `\d`, `\w` and `\s` of JavaScript, and their inverses in capitals.
  static func shorthand(_ letter: UInt8) -> RegexSet? {
    var set = RegexSet()
    switch letter | 0x20 {
    case UInt8(ascii: "d"): set.insert(0x30...0x39)
    case UInt8(ascii: "w"):
      set.insert(0x30...0x39)
      set.insert(0x41...0x5A)
      set.insert(0x61...0x7A)
      set.insert(0x5F)
    case UInt8(ascii: "s"):
      set.insert(0x09...0x0D)
      set.insert(0x20)
    default: return nil
    }
    return letter & 0x20 == 0 ? set.inverted : set
  }

  /// Appends the set as WebKit reads it.
  func append(to pattern: inout [UInt8]) {
    if self == .all {
      pattern.append(UInt8(ascii: "."))
      return
    }
    if count == 1 {
      for byte in UInt8(1)...127 where contains(byte) {
        if byte >= 0x20, byte < 0x7F {
          AddressFilter.appendLiteral([byte][...], to: &pattern)
        } else {
          Self.append(byte, to: &pattern)
        }
      }
      return
    }
    let isInverted = count > 70
    let members = isInverted ? inverted : self
    pattern.append(contentsOf: isInverted ? "[^".utf8 : "[".utf8)
    var byte: UInt8 = 1
    while byte < 128 {
      guard members.contains(byte) else {
        byte += 1
        continue
      }
      var last = byte
      while last < 127, members.contains(last + 1) { last += 1 }
      Self.append(byte, to: &pattern)
      if last > byte + 1 { pattern.append(UInt8(ascii: "-")) }
      if last > byte { Self.append(last, to: &pattern) }
      byte = last + 1
    }
    pattern.append(UInt8(ascii: "]"))
  }

  /// Appends a member of a set.
  private static func append(_ byte: UInt8, to pattern: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "]"), UInt8(ascii: "["), UInt8(ascii: "^"),
      UInt8(ascii: "-"):
      pattern.append(UInt8(ascii: "\\"))
      pattern.append(byte)
    case 0x21...0x7E: pattern.append(byte)
    default:
      let digits = Array("0123456789abcdef".utf8)
      pattern.append(contentsOf: #"\x"#.utf8)
      pattern.append(digits[Int(byte >> 4)])
      pattern.append(digits[Int(byte & 15)])
    }
  }
}
