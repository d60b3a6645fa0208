/// The directory of a key record with many filters: a few bytes of each filter, by which nearly all
/// are dismissed without reading them.
///
///     offset  size  field
///          0     1  0x0F, and bit 7 if no filter lacks an entry
///          1     1  place of the texts in bytes behind the key, p
///          2     2  entries of filters with a text there, m
///          4     2  entries of filters with a gram, n
///          6     m  for each of the first the hash of three bytes at p of what must follow the key
///      6 + m    2n  for each of the others the hash of four bytes that the URL must contain
///     6 + m+2n  2(m + n)  where each filter begins, from the end of the directory
///
/// Behind it come the filters without an entry, then those with entries, in the entries' order. All
/// hashes are of folded text.
public enum KeyDirectory {
  /// The size of the fixed part, in bytes.
  public static let headerSize = 6
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

  /// Reads the directory at an offset; its header must lie within the image.
  init(_ image: Image, at offset: Int) {
    hasLooseFilters = !image.keyFilterHead(offset).isLast
    place = Int(image.u8(offset &+ 1))
    let counts = image.u32(offset &+ 2)
    textCount = Int(counts & 0xFFFF)
    gramCount = Int(counts &>> 16)
    texts = offset &+ KeyDirectory.headerSize
    grams = texts &+ textCount
    offsets = grams &+ 2 &* gramCount
    filters = offsets &+ 2 &* (textCount &+ gramCount)
  }

  /// Returns the offset in the image of a filter with an entry.
  func filter(_ image: Image, _ number: Int) -> Int {
    filters &+ Int(image.u16(offsets &+ 2 &* number))
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
}
