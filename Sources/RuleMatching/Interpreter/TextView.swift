// Hot: every look at a URL's bytes goes through it. Bounded by the URL's length. Unsafe reads, because words
// of eight and sixteen bytes are read at any position; the padding and slack of `URLText` keep them inside
// the allocation. Guarded by `Scripts/count-instructions`.

internal import CGramScan

/// A view of one of the two texts of a ``URLText``, valid until the next URL is assigned.
@safe
struct TextView {
  private let base: UnsafePointer<UInt8>
  let count: Int
  /// Whether no byte is above 127.
  let isASCII: Bool

  init(base: UnsafePointer<UInt8>, count: Int, isASCII: Bool) {
    unsafe self.base = base
    self.count = count
    self.isASCII = isASCII
  }

  /// The byte at an index up to `count + 15`; zero from `count` on.
  @inline(__always)
  subscript(_ index: Int) -> UInt8 {
    precondition(
      UInt(bitPattern: index) < UInt(bitPattern: count &+ URLText.padding),
      "read beyond the URL"
    )
    return unsafe base[index]
  }

  /// The byte at an index that the caller knows to be in `0...count`.
  @unsafe
  @inline(__always)
  func byte(unchecked index: Int) -> UInt8 { unsafe base[index] }

  /// Eight bytes, little-endian, from an index that the caller knows to be in `0...count`.
  @unsafe
  @inline(__always)
  func word(unchecked index: Int) -> UInt64 {
    unsafe UInt64(
      littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    )
  }

  /// Eight bytes, little-endian, from an index up to `count`; zeros beyond the text.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    precondition(
      UInt(bitPattern: index) <= UInt(bitPattern: count &+ (URLText.padding - 8)),
      "read beyond the URL"
    )
    return unsafe UInt64(
      littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    )
  }

  /// Four bytes, little-endian, from an index up to `count`.
  @inline(__always)
  func gram(at index: Int) -> UInt32 {
    precondition(
      UInt(bitPattern: index) <= UInt(bitPattern: count &+ (URLText.padding - 4)),
      "read beyond the URL"
    )
    return unsafe gram(unchecked: index)
  }

  /// Four bytes, little-endian, from an index that the caller knows to be in `0...count`.
  @unsafe
  @inline(__always)
  func gram(unchecked index: Int) -> UInt32 {
    unsafe UInt32(
      littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt32.self)
    )
  }

  /// Returns the first position of a byte other than 0 from an index on; `nil` if there is none.
  @inline(__always)
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    firstIndex(of: byte, from: start, before: count)
  }

  /// Returns the same before an end, which is at most `count`.
  @inline(__always)
  func firstIndex(of byte: UInt8, from start: Int, before end: Int) -> Int? {
    #if arch(x86_64)
    precondition(start >= 0 && end <= count, "read beyond the URL")
    // In bounds: sixteen bytes from each index before the end on are within the padding.
    let found = unsafe tickbird_find_byte(base, start, end, byte)
    return found < end ? found : nil
    #else
    return firstIndexInSwift(of: byte, from: start, before: end)
    #endif
  }

  /// The same in Swift alone.
  func firstIndexInSwift(of byte: UInt8, from start: Int, before end: Int) -> Int? {
    let pattern = ByteMask.ones &* UInt64(byte)
    var index = start
    while index < end {
      let equal = ByteMask.zeroBytes(word(at: index) ^ pattern)
      if equal != 0 {
        let found = index &+ equal.trailingZeroBitCount &>> 3
        return found < end ? found : nil
      }
      index &+= 8
    }
    return nil
  }

  /// Returns the first position from an index on where two bytes other than 0 stand in a row; `nil`
  /// if there is none.
  @inline(__always)
  func firstIndex(of first: UInt8, _ second: UInt8, from start: Int) -> Int? {
    #if arch(x86_64)
    precondition(start >= 0, "read before the URL")
    // In bounds: sixteen bytes from each index up to `count + 1` on are within padding and slack.
    let found = unsafe tickbird_find_pair(base, start, count, first, second)
    return found < count ? found : nil
    #else
    return firstIndexInSwift(of: first, second, from: start)
    #endif
  }

  /// The same in Swift alone.
  func firstIndexInSwift(of first: UInt8, _ second: UInt8, from start: Int) -> Int? {
    let firsts = ByteMask.ones &* UInt64(first)
    let seconds = ByteMask.ones &* UInt64(second)
    var index = start
    while index < count {
      let equal =
        ByteMask.zeroBytes(word(at: index) ^ firsts)
        & ByteMask.zeroBytes(word(at: index &+ 1) ^ seconds)
      if equal != 0 { return index &+ equal.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    return nil
  }

  /// Returns the end of the run of host characters that begins at an index.
  @inline(__always)
  func wordEnd(from start: Int) -> Int {
    #if arch(x86_64)
    precondition(start >= 0, "read before the URL")
    // In bounds: sixteen bytes from each index before the end on are within the padding.
    return unsafe tickbird_word_end(base, start, count)
    #else
    return wordEndInSwift(from: start)
    #endif
  }

  /// The same in Swift alone.
  func wordEndInSwift(from start: Int) -> Int {
    var index = start
    while index < count {
      let others = ~ByteMask.wordBytes(word(at: index)) & ByteMask.highBits
      if others != 0 { return index &+ others.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    return count
  }
}

/// Tests eight bytes at once.
///
/// A result has bit 7 set for each byte that passes, and no other bit.
enum ByteMask {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

  /// Returns the bytes that are 0.
  @inline(__always)
  static func zeroBytes(_ word: UInt64) -> UInt64 {
    // Adding 0x7F to the low seven bits sets bit 7 unless they are 0, and never carries to the next
    // byte.
    ~(((word & lowBits) &+ lowBits) | word | lowBits)
  }

  /// Returns the bytes that equal the given one.
  @inline(__always)
  static func bytes(of word: UInt64, equalTo byte: UInt8) -> UInt64 {
    zeroBytes(word ^ (ones &* UInt64(byte)))
  }

  /// Returns the bytes in a range below 128.
  @inline(__always)
  private static func bytes(of word: UInt64, from first: UInt8, through last: UInt8) -> UInt64 {
    let low = word & lowBits
    let isAbove = low &+ ones &* UInt64(0x80 &- first)
    let isBeyond = low &+ ones &* UInt64(0x7F &- last)
    return isAbove & ~isBeyond & ~word & highBits
  }

  /// Returns the bytes that ``FilterIndex/isWordByte(_:)`` accepts.
  @inline(__always)
  static func wordBytes(_ word: UInt64) -> UInt64 {
    bytes(of: word, from: UInt8(ascii: "a"), through: UInt8(ascii: "z"))
      | bytes(of: word, from: UInt8(ascii: "0"), through: UInt8(ascii: "9"))
      | bytes(of: word, from: UInt8(ascii: "-"), through: UInt8(ascii: "."))
      | bytes(of: word, equalTo: UInt8(ascii: "_"))
  }
}
