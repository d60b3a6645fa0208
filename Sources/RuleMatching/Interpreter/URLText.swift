// Hot: every byte of every URL goes through `assign`, 32 or sixteen bytes per step. Bounded by the URL's
// length; allocates only for a URL longer than any before. Unsafe buffers, because words of eight
// and sixteen bytes are read at any offset; `padding` zero bytes behind the text keep such reads
// inside the allocation. Guarded by `Scripts/count-instructions`.

internal import CGramScan
internal import TextScanning

/// A URL in the form that the interpreter reads: exact, and with letters folded to lower case.
///
/// Case-insensitive filters contain both cases of every letter, so one comparison with the folded
/// text answers for them; case-sensitive ones read the exact text.
///
/// At least ``padding`` zero bytes follow both texts. The first is the character 0 that stands for
/// the end of the URL; the others allow words of eight bytes to be read at any position.
@safe
@usableFromInline
struct URLText: ~Copyable {
  /// Zero bytes behind the text.
  static let padding = 16
  /// Bytes behind the padding that may be read and are nothing: vectors reach that far.
  private static let slack = 32
  /// Bytes before the folded text that may be read and are nothing.
  @usableFromInline static let lead = 16

  /// The number of bytes of the URL.
  private(set) var count = 0
  /// Whether the URL holds a byte above 127; no filter can go past one.
  private(set) var isASCII = true
  /// The number of bytes before the first upper-case letter, but at most ``farthestPrefix``; without such a letter,
  /// more than any URL has.
  private(set) var foldedPrefix = 0
  /// How far ``foldedPrefix`` counts, which is as far as scheme and host of nearly all URLs reach.
  ///
  /// A host that reaches further counts as one with an upper-case letter if the URL has one anywhere.
  static let farthestPrefix = 64
  /// Whether the folded text differs from the exact one, which may be left unfilled if not.
  private var isFolded = false
  private var capacity: Int
  @usableFromInline var exact: UnsafeMutablePointer<UInt8>
  @usableFromInline var folded: UnsafeMutablePointer<UInt8>
  /// Scratch for the gram scan: a bit for each place of the text, and two words more.
  @usableFromInline var passing: UnsafeMutablePointer<UInt64>

  /// The code that folds URLs.
  private let scan: ScanCode

  init(capacity: Int = 2048, scan: ScanCode) {
    self.capacity = capacity
    self.scan = scan
    let size = capacity + Self.padding + Self.slack
    unsafe exact = .allocate(capacity: size)
    unsafe folded = UnsafeMutablePointer.allocate(capacity: Self.lead + size) + Self.lead
    unsafe passing = .allocate(capacity: capacity / 64 + 3)
    unsafe passing.initialize(repeating: 0, count: capacity / 64 + 3)
    unsafe exact.initialize(repeating: 0, count: size)
    unsafe (folded - Self.lead).initialize(repeating: 0, count: Self.lead + size)
  }

  @inlinable
  deinit {
    unsafe exact.deallocate()
    unsafe (folded - Self.lead).deallocate()
    unsafe passing.deallocate()
  }

  /// Copies and folds a URL.
  ///
  /// Allocates only for a URL longer than any before.
  mutating func assign(_ url: Span<UInt8>) {
    if url.count > capacity {
      self = URLText(capacity: url.count * 2, scan: scan)
    }
    count = url.count
    #if arch(x86_64)
    if case .vectors = scan, count >= 32 {
      assignByVectors(url)
      return
    }
    #endif
    var seen = Seen()
    unsafe url.withUnsafeBufferPointer { source in
      if let base = source.baseAddress {
        let wholeSteps = count & ~15
        var offset = 0
        while offset < wholeSteps {
          unsafe fold(from: base, at: offset, &seen)
          offset &+= 16
        }
        // The last step folds the rest and the padding, in which zeros stay zeros.
        unsafe (folded + wholeSteps).update(from: base + wholeSteps, count: count &- wholeSteps)
        unsafe (folded + count).update(repeating: 0, count: Self.padding)
        unsafe fold(from: folded, at: wholeSteps, &seen)
        isFolded = seen.upper.x | seen.upper.y != 0
        if isFolded {
          unsafe exact.update(from: base, count: count)
          unsafe (exact + count).update(repeating: 0, count: Self.padding)
        }
      } else {
        isFolded = false
        unsafe folded.update(repeating: 0, count: Self.padding)
      }
    }
    foldedPrefix = isFolded ? plainPrefix() : Int.max
    isASCII = (seen.high.x | seen.high.y) & ByteMask.highBits == 0
    if !isASCII { hideTextBehindForeignBytes() }
  }

  #if arch(x86_64)
  /// The same by vectors, for at least 32 bytes.
  private mutating func assignByVectors(_ url: Span<UInt8>) {
    unsafe url.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      // Within the allocations: padding and slack are more than 32 bytes.
      let seen = unsafe tickbird_fold(base, exact, folded, count)
      isFolded = seen.kinds & 1 != 0
      // The word has a bit for each of `farthestPrefix` bytes, none of which may be set.
      foldedPrefix = isFolded ? seen.upper.trailingZeroBitCount : Int.max
      isASCII = seen.kinds & 2 == 0
    }
    if !isASCII { hideTextBehindForeignBytes() }
  }
  #endif

  /// What folding saw: bit 7 of each upper-case byte, and the OR of all bytes.
  private struct Seen {
    var upper = SIMD2<UInt64>(repeating: 0)
    var high = SIMD2<UInt64>(repeating: 0)
  }

  /// Folds sixteen bytes.
  @inline(__always)
  private func fold(from base: UnsafePointer<UInt8>, at offset: Int, _ seen: inout Seen) {
    let word = unsafe UnsafeRawPointer(base).loadUnaligned(
      fromByteOffset: offset,
      as: SIMD2<UInt64>.self
    )
    let upper = Self.upperCaseLetters(word)
    seen.high |= word
    seen.upper |= upper
    unsafe UnsafeMutableRawPointer(folded).storeBytes(
      of: word | upper &>> 2,
      toByteOffset: offset,
      as: SIMD2<UInt64>.self
    )
  }

  /// Returns ``foldedPrefix`` of a text that has an upper-case letter.
  private func plainPrefix() -> Int {
    let exact = unsafe TextView(base: exact, count: count, isASCII: isASCII)
    let folded = unsafe TextView(base: folded, count: count, isASCII: isASCII)
    var index = 0
    while index < min(count, Self.farthestPrefix) {
      let difference = exact.word(at: index) ^ folded.word(at: index)
      if difference != 0 { return index &+ difference.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    return Self.farthestPrefix
  }

  /// Bit 7 of each byte that is an upper-case ASCII letter.
  @inline(__always)
  private static func upperCaseLetters(_ word: SIMD2<UInt64>) -> SIMD2<UInt64> {
    // Without bit 7, adding 0x3F or 0x25 carries into it from `A` or from `[` on, never to the next
    // byte.
    let low = word & 0x7F7F_7F7F_7F7F_7F7F
    let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
    let pastZ = low &+ 0x2525_2525_2525_2525
    return fromA & ~pastZ & ~word & 0x8080_8080_8080_8080
  }

  /// Overwrites everything behind the first byte above 127.
  ///
  /// A program that starts at the beginning never gets past that byte, so a look-up must not find
  /// anything there.
  private mutating func hideTextBehindForeignBytes() {
    var first = 0
    while first < count, unsafe folded[first] < 128 { first += 1 }
    if isFolded { unsafe (exact + first).update(repeating: 0xFF, count: count - first) }
    unsafe (folded + first).update(repeating: 0xFF, count: count - first)
  }

  /// Appends the URL as it was given.
  borrowing func append(to bytes: inout [UInt8]) {
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: isFolded ? exact : folded, count: count)
    )
  }

  /// Returns the text for filters of the given case sensitivity.
  @inline(__always)
  borrowing func view(isCaseSensitive: Bool) -> TextView {
    unsafe TextView(
      base: isCaseSensitive && isFolded ? exact : folded,
      count: count,
      isASCII: isASCII
    )
  }
}

extension URLText {
  /// Calls `body` with the memory for the bits of the folded text's places, and returns what that
  /// returns: the number of words filled.
  @unsafe
  @inline(__always)
  borrowing func passingWords(_ body: (UnsafeMutablePointer<UInt64>) -> Int) -> Int {
    unsafe body(passing)
  }

  /// The folded text; the bytes of ``lead`` are before it, those of padding and slack behind it.
  @unsafe
  @inline(__always)
  var foldedBytes: UnsafePointer<UInt8> { unsafe UnsafePointer(folded) }

  /// Notes 64 bits under a number that the caller knows to be at most `count / 64`.
  @unsafe
  @inline(__always)
  borrowing func setPassing(unchecked number: Int, _ bits: UInt64) {
    unsafe passing[number] = bits.littleEndian
  }

  /// Returns 64 noted bits, which last until the next scan.
  @inline(__always)
  borrowing func passing(_ number: Int) -> UInt64 {
    precondition(number >= 0 && number <= count &>> 6, "no such bits")
    return unsafe UInt64(littleEndian: passing[number])
  }
}
