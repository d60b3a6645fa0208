// Hot: every byte of every URL goes through `fold`; bounded by eight bytes a step.

/// A URL in the form that the interpreter reads: as given, and with its letters folded to lower
/// case.
///
/// Case-insensitive filters hold both cases of every letter, so reading the folded text gives
/// their answers with one comparison; case-sensitive ones read the text as given.
///
/// Both texts are followed by at least ``padding`` zero bytes: the first is the character 0 that
/// stands for the end of the URL, the others let words of eight bytes be read anywhere in it.
@safe
struct URLText: ~Copyable {
  /// Zero bytes behind the text.
  static let padding = 16

  /// The number of bytes of the URL.
  private(set) var count = 0
  /// Whether the URL holds a byte above 127; no filter can go past one.
  private(set) var isASCII = true
  /// A place in front of which no letter is upper-case, at most seven bytes before the first one
  /// that is.
  private(set) var foldedPrefix = 0
  private var capacity: Int
  private var exact: UnsafeMutablePointer<UInt8>
  private var folded: UnsafeMutablePointer<UInt8>

  init(capacity: Int = 2048) {
    self.capacity = capacity
    unsafe exact = .allocate(capacity: capacity + Self.padding)
    unsafe folded = .allocate(capacity: capacity + Self.padding)
    unsafe exact.initialize(repeating: 0, count: capacity + Self.padding)
    unsafe folded.initialize(repeating: 0, count: capacity + Self.padding)
  }

  deinit {
    unsafe exact.deallocate()
    unsafe folded.deallocate()
  }

  /// Takes over a URL.
  ///
  /// Allocates only for a URL longer than any before.
  mutating func assign(_ url: Span<UInt8>) {
    if url.count > capacity {
      self = URLText(capacity: url.count * 2)
    }
    count = url.count
    unsafe url.withUnsafeBufferPointer { source in
      if let base = source.baseAddress {
        unsafe exact.update(from: base, count: source.count)
      }
    }
    unsafe (exact + count).update(repeating: 0, count: Self.padding)
    var high: UInt64 = 0
    var offset = 0
    foldedPrefix = Int.max
    // The last step may fold some of the padding, which stays zero.
    while offset < count {
      let word = unsafe UnsafeRawPointer(exact).loadUnaligned(
        fromByteOffset: offset,
        as: UInt64.self
      )
      high |= word
      let lower = Self.foldingCase(word)
      if lower != word, foldedPrefix > offset { foldedPrefix = offset }
      unsafe UnsafeMutableRawPointer(folded).storeBytes(
        of: lower,
        toByteOffset: offset,
        as: UInt64.self
      )
      offset &+= 8
    }
    unsafe (folded + count).update(repeating: 0, count: Self.padding)
    isASCII = high & 0x8080_8080_8080_8080 == 0
    if !isASCII { hideTextBehindForeignBytes() }
  }

  /// Makes everything behind the first byte above 127 such a byte too, so that a look-up does not
  /// find there what a search from the start would never reach.
  private mutating func hideTextBehindForeignBytes() {
    var first = 0
    while first < count, unsafe exact[first] < 128 { first += 1 }
    unsafe (exact + first).update(repeating: 0xFF, count: count - first)
    unsafe (folded + first).update(repeating: 0xFF, count: count - first)
  }

  /// Sets bit 5 of each byte that is an upper-case ASCII letter.
  @inline(__always)
  private static func foldingCase(_ word: UInt64) -> UInt64 {
    let low = word & 0x7F7F_7F7F_7F7F_7F7F
    let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
    let pastZ = low &+ 0x2525_2525_2525_2525
    let upper = (fromA & ~pastZ & ~word) & 0x8080_8080_8080_8080
    return word | upper &>> 2
  }

  /// The text for filters of the given case sensitivity.
  @inline(__always)
  borrowing func view(isCaseSensitive: Bool) -> TextView {
    unsafe TextView(base: isCaseSensitive ? exact : folded, count: count, isASCII: isASCII)
  }
}

/// One of the two texts of a ``URLText``, valid until that takes over the next URL.
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

  /// The byte at an index up to `count + 1`; zero from `count` on.
  @inline(__always)
  subscript(_ index: Int) -> UInt8 {
    precondition(index >= 0 && index < count &+ URLText.padding, "read beyond the URL")
    return unsafe base[index]
  }

  /// Eight bytes, little-endian, from an index up to `count`; zeros beyond the text.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    precondition(index >= 0 && index <= count &+ (URLText.padding - 8), "read beyond the URL")
    return unsafe UInt64(
      littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    )
  }

  /// Four bytes, little-endian, from an index up to `count`.
  @inline(__always)
  func gram(at index: Int) -> UInt32 {
    precondition(index >= 0 && index <= count &+ (URLText.padding - 4), "read beyond the URL")
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

  /// The first place of a byte other than 0 from an index on; `nil` when there is none.
  @inline(__always)
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    let pattern = ByteMask.ones &* UInt64(byte)
    var index = start
    while index < count {
      let equal = ByteMask.zeroBytes(word(at: index) ^ pattern)
      if equal != 0 {
        let found = index &+ equal.trailingZeroBitCount &>> 3
        return found < count ? found : nil
      }
      index &+= 8
    }
    return nil
  }

  /// The end of the run of host characters that begins at an index.
  @inline(__always)
  func wordEnd(from start: Int) -> Int {
    var index = start
    while index < count {
      let others = ~ByteMask.wordBytes(word(at: index)) & ByteMask.highBits
      if others != 0 { return index &+ others.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    return count
  }
}

/// Tests on eight bytes at once; a result has bit 7 of each byte that passes, and no other bit.
enum ByteMask {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

  /// The bytes that are 0.
  @inline(__always)
  static func zeroBytes(_ word: UInt64) -> UInt64 {
    ~(((word & lowBits) &+ lowBits) | word | lowBits)
  }

  /// The bytes that equal the given one.
  @inline(__always)
  static func bytes(of word: UInt64, equalTo byte: UInt8) -> UInt64 {
    zeroBytes(word ^ (ones &* UInt64(byte)))
  }

  /// The bytes below 128 in a range.
  @inline(__always)
  private static func bytes(of word: UInt64, from first: UInt8, through last: UInt8) -> UInt64 {
    let low = word & lowBits
    let isAbove = low &+ ones &* UInt64(0x80 &- first)
    let isBeyond = low &+ ones &* UInt64(0x7F &- last)
    return isAbove & ~isBeyond & ~word & highBits
  }

  /// The bytes that ``FilterIndex/isWordByte(_:)`` names.
  @inline(__always)
  static func wordBytes(_ word: UInt64) -> UInt64 {
    bytes(of: word, from: UInt8(ascii: "a"), through: UInt8(ascii: "z"))
      | bytes(of: word, from: UInt8(ascii: "0"), through: UInt8(ascii: "9"))
      | bytes(of: word, from: UInt8(ascii: "-"), through: UInt8(ascii: "."))
      | bytes(of: word, equalTo: UInt8(ascii: "_"))
  }
}
