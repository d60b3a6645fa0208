/// The directory of a key record with many filters: a few bytes of each filter, by which nearly all
/// are dismissed without reading them.
///
///     offset  size  field
///          0     1  0x0F, and bit 7 if no filter lacks an entry
///          1     1  place of the texts in bytes behind the key, p
///          2     4  entries of filters with a text there, m
///          6     4  entries of filters with a gram, n
///         10     m  for each of the first the hash of three bytes at p of what must follow the key; in ascending order
///     10 + m    2n  for each of the others the hash of four bytes that the URL must contain; in ascending order
///     10 + m+2n  4(m + n)  where each filter begins, from the end of the directory
///
/// Behind it come the filters without an entry, then those with entries, in the entries' order. All
/// hashes are of folded text.
public enum KeyDirectory {
  /// The size of the fixed part, in bytes.
  public static let headerSize = 10
  /// The number of bytes of a text.
  public static let textLength = 3
  /// The number of bits in ``TextGrams``.
  static let gramBits = 2048

  /// Returns the hash of three bytes, the low ones of a word.
  @inline(__always)
  public static func hash(text: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: (text & 0xFF_FFFF &* 0x9E37_79B1) &>> 24)
  }

  /// Returns the hash of a gram, below ``gramBits``.
  @inline(__always)
  public static func hash(gram: UInt32) -> UInt16 {
    UInt16(truncatingIfNeeded: (gram &* 0x9E37_79B1) &>> 21)
  }
}

/// A directory of the file, with its header decoded.
struct KeyDirectoryView {
  let hasLooseFilters: Bool
  /// The offset behind the key at which texts are compared.
  let place: Int
  let textCount: Int
  let gramCount: Int
  /// Offsets in the image.
  let texts: Int
  let grams: Int
  let offsets: Int
  let filters: Int

  /// Reads the directory at an offset; ``isInBounds(_:at:before:)`` must have been checked.
  init(_ image: Image, at offset: Int) {
    hasLooseFilters = !image.keyFilterHead(offset).isLast
    place = Int(image.u8(offset &+ 1))
    textCount = Int(inFile: image.u32(offset &+ 2))
    gramCount = Int(inFile: image.u32(offset &+ 6))
    texts = offset &+ KeyDirectory.headerSize
    grams = texts &+ textCount
    offsets = grams &+ 2 &* gramCount
    filters = offsets &+ 4 &* (textCount &+ gramCount)
  }

  /// Whether a directory at an offset ends before another one or there.
  static func isInBounds(_ image: Image, at offset: Int, before end: Int) -> Bool {
    guard offset <= end - KeyDirectory.headerSize else { return false }
    // With an `Int` of 32 bits, the sum could overflow.
    let (texts, grams) = (UInt64(image.u32(offset + 2)), UInt64(image.u32(offset + 6)))
    return 5 * texts + 6 * grams <= UInt64(end - offset - KeyDirectory.headerSize)
  }

  /// Returns the offset in the image of a filter with an entry.
  func filter(_ image: Image, _ number: Int) -> Int {
    filters &+ Int(inFile: image.u32(offsets &+ 4 &* number))
  }

  /// Returns the first text's entry whose hash is not below one.
  ///
  /// - Complexity: O(log *m*) for *m* texts.
  func firstText(_ image: Image, _ hash: UInt8) -> Int {
    Self.firstIndex(textCount) { image.u8(texts &+ $0) >= hash }
  }

  /// Returns the first gram's entry whose hash is not below one.
  ///
  /// - Complexity: O(log *n*) for *n* grams.
  func firstGram(_ image: Image, _ hash: UInt16) -> Int {
    Self.firstIndex(gramCount) { image.u16(grams &+ 2 &* $0) >= hash }
  }

  private static func firstIndex(_ count: Int, where isBehind: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low &+ (high &- low) &>> 1
      if isBehind(middle) { high = middle } else { low = middle &+ 1 }
    }
    return low
  }
}

/// The set of grams that a URL contains, by ``KeyDirectory/hash(gram:)``; may have false positives.
///
/// Filled only for a URL with the host of a directory that has grams.
struct TextGrams {
  private var words = [UInt64](repeating: 0, count: KeyDirectory.gramBits / 64)
  private var isFilled = false

  /// Forgets the URL.
  mutating func removeAll() { isFilled = false }

  /// Fills the set with the URL's grams, unless that was done already.
  mutating func fill(_ text: borrowing URLText) {
    if isFilled { return }
    isFilled = true
    for index in words.indices { words[index] = 0 }
    let view = text.view(isCaseSensitive: false)
    guard view.count >= FilterIndex.gramLength else { return }
    for position in 0...view.count &- FilterIndex.gramLength {
      let hash = KeyDirectory.hash(gram: view.gram(at: position))
      words[Int(hash &>> 6)] |= 1 &<< UInt64(hash & 63)
    }
  }

  /// Whether the URL may contain a gram with the given hash.
  func contains(_ hash: UInt16) -> Bool {
    words[Int(hash &>> 6) & (KeyDirectory.gramBits / 64 - 1)] &>> UInt64(hash & 63) & 1 != 0
  }

  /// Calls a function with each hash of the set, in ascending order.
  func forEach(_ body: (UInt16) -> Void) {
    for index in words.indices {
      var word = words[index]
      while word != 0 {
        body(UInt16(truncatingIfNeeded: index &* 64 &+ word.trailingZeroBitCount))
        word &= word &- 1
      }
    }
  }
}
