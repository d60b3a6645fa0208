/// A 128-bit digest of rows that depends neither on their order nor on how they are divided.
///
/// The sum of a digest of each row, so that those of parts add up. It detects the same rows counted
/// twice, not rows that were made to collide on purpose.
struct RowDigest {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  /// Creates the digest of no rows.
  init() {}

  /// Reads 32 hexadecimal digits, or nothing for no rows; `nil` if the text is neither.
  init?(_ text: String) {
    guard !text.isEmpty else { return }
    guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
      let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.high = high
    self.low = low
  }

  /// Adds the row at a range of a text.
  mutating func add(_ text: [UInt8], _ row: Range<Int>) {
    var a: UInt64 = 0x9E37_79B9_7F4A_7C15
    var b: UInt64 = 0xBF58_476D_1CE4_E5B9 ^ UInt64(row.count)
    unsafe text.withUnsafeBytes { bytes in
      var place = row.lowerBound
      while place &+ 8 <= row.upperBound {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        Self.mix(word, &a, &b)
        place &+= 8
      }
      var word: UInt64 = 0
      while place < row.upperBound {
        word = unsafe word << 8 | UInt64(bytes[place])
        place &+= 1
      }
      Self.mix(word, &a, &b)
    }
    a = (a ^ b &>> 32) &* 0xD6E8_FEB8_6659_FD93
    b = (b ^ a &>> 32) &* 0xA076_1D64_78BD_642F
    high &+= a ^ a &>> 31
    low &+= b ^ b &>> 29
  }

  @inline(__always)
  private static func mix(_ word: UInt64, _ a: inout UInt64, _ b: inout UInt64) {
    a = (a ^ word) &* 0x94D0_49BB_1331_11EB
    a ^= a &>> 29
    b = (b &+ word) &* 0xE703_7ED1_A0B4_28DB
    b ^= b &>> 31
  }

  static func += (a: inout RowDigest, b: RowDigest) {
    a.high &+= b.high
    a.low &+= b.low
  }

  /// The digest as 32 hexadecimal digits.
  var text: String { Self.digits(high) + Self.digits(low) }

  private static func digits(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
