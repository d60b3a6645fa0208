// Hot: recognising a URL and comparing a page with the last one read every byte of a request,
// sixteen per step. Bytes are tested within two words of 64 bits, because the standard library
// compares vectors of bytes one by one but vectors of words at once.

/// Sixteen consecutive bytes of a text, tested together.
///
/// The result of a test is in bit 7 of each byte; the other bits are meaningless. Tests ignore the
/// upper bit of bytes above 127, so check ``isForeign``, too.
struct ByteBlock {
  typealias Bits = SIMD2<UInt64>

  static let count = 16

  private let bytes: Bits
  /// The bytes without bit 7, so that sums do not carry into the next byte.
  private let low: Bits

  /// Reads the sixteen bytes from an index on.
  @inline(__always)
  init(_ text: Span<UInt8>, at index: Int) {
    unsafe bytes = text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: Bits.self)
    low = bytes & 0x7F7F_7F7F_7F7F_7F7F
  }

  /// Whether a byte is above 127.
  @inline(__always)
  var isForeign: Bits { bytes }

  /// Tests whether each byte is at least another one, which is 1 to 128.
  @inline(__always)
  func isAtLeast(_ bound: UInt8) -> Bits { low &+ Self.filled(128 &- bound) }

  /// Tests whether each byte, masked, differs from the given one.
  @inline(__always)
  func isNot(_ byte: UInt8, mask: UInt8 = 0x7F) -> Bits {
    ((low & Self.filled(mask)) ^ Self.filled(byte)) &+ Self.filled(0x7F)
  }

  @inline(__always)
  private static func filled(_ byte: UInt8) -> Bits {
    Bits(repeating: 0x0101_0101_0101_0101 &* UInt64(byte))
  }

  /// Returns the index of the first byte with bit 7 set, from an index on; `nil` if there is none.
  @inline(__always)
  static func first(_ answer: Bits, from start: Int = 0) -> Int? {
    let answer = answer & 0x8080_8080_8080_8080
    var (first, second) = (answer.x.littleEndian, answer.y.littleEndian)
    if start > 0 {
      if start < 8 { first &= ~0 &<< UInt64(8 * start) } else { first = 0 }
      if start > 8 { second &= ~0 &<< UInt64(8 * (start - 8)) }
    }
    if first | second == 0 { return nil }
    return first != 0
      ? first.trailingZeroBitCount &>> 3 : 8 &+ second.trailingZeroBitCount &>> 3
  }
}

extension Span<UInt8> {
  /// Returns eight bytes from an index on, little-endian; there must be as many.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    unsafe UInt64(
      littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    )
  }

  /// Whether another text has the same bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes, sixteen at a time.
  package func hasSameBytes(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var index = 0
    if count >= ByteBlock.count {
      var differences = SIMD2<UInt64>()
      let last = count - ByteBlock.count
      while index < last {
        differences = bits(at: index) ^ other.bits(at: index)
        if differences.x | differences.y != 0 { return false }
        index += ByteBlock.count
      }
      // The last step overlaps the one before.
      differences = bits(at: last) ^ other.bits(at: last)
      return differences.x | differences.y == 0
    }
    if count >= 8 {
      let last = count - 8
      return word(at: 0) == other.word(at: 0) && word(at: last) == other.word(at: last)
    }
    while index < count {
      if self[index] != other[index] { return false }
      index += 1
    }
    return true
  }

  @inline(__always)
  private func bits(at index: Int) -> SIMD2<UInt64> {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self)
  }
}
