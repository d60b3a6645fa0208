/// How the filters over one kind of URL are found: the layout of an index section.
///
///     offset  size  field
///          0     4  anchors in use, one bit for each ``HostAnchor``; bit 31: some filter with a
///                   key is case-sensitive
///          4     4  kinds of keys in use, one bit for each ``KeyKind``
///          8     4  slots of the key table, n
///         12     4  stride of the gram scan: 0 for none, else 1, 2 or 4
///         16     4  log₂ of the number of bits in the gram filter, f (6 to 24)
///         20     4  slots of the gram table, g
///         24     4  offset of the list of filters that always run, within the records
///         28     4  1 if postings hold rules (load URL), 0 if they hold conditions only
///         32    4n  key table
///           2^f/8   gram filter: bit set for (gram × constant) >> (32 - f)
///                4g gram table
///                 … records
///
/// A slot of either table is 0 when empty; else its low 24 bits are 1 + a quarter of the record's
/// offset, and its high 8 bits are a piece of the hash, so that most misses never touch a record.
/// Tables are searched linearly from `hash × slots >> 32` on, around the end.
///
/// **Key record**, at a multiple of four: one byte with the ``KeyKind`` in bits 6–7 and the key's
/// length in bits 0–5, the key, then filters: a head byte (bits 0–3 anchor, bit 4 case-sensitive,
/// bit 5 has a tail program, bit 6 several postings, bit 7 last of the record), the tail's program
/// (LEB128) if any, postings.
///
/// **Gram record**, at a multiple of four: the gram (4 bytes), the number of references, and for
/// each the filter's record offset and the gram's distance from where the program starts (LEB128).
///
/// **Filter record**: a head byte (bit 0 runs from the URL's start, bit 1 runs once, bits 2–3
/// ``GapAnchor``, bit 4 case-sensitive, bit 6 several postings), the stamp if bit 1 is set, the program, postings
/// (LEB128). A program that runs once but not from the start is one of pieces.
///
/// **Postings**: one, or a count and that many: an entry class and the rule, or a condition alone
/// (LEB128). In a sequence, rules are the difference from the one before (mod 2³²).
///
/// **Filters that always run**: a count and their record offsets (LEB128).
public enum FilterIndex {
  /// The size of the fixed part, in bytes.
  public static let headerSize = 32
  /// Records that tables lead to begin at multiples of this.
  public static let recordAlignment = 4
  /// The number of bytes in a gram.
  public static let gramLength = 4
  /// The longest word that is a key; longer ones are filed by their first eight bytes.
  public static let maximumWord = 63
  /// What the field for the size of the gram filter may hold.
  public static let filterBits: ClosedRange<UInt32> = 6...24
  /// Programs begin less than this in front of a gram; patterns are shorter, too.
  public static let maximumDistance: UInt32 = 1 << 24
  /// The number of records' bytes that 24 bits of quarters can reach.
  public static let maximumRecords = ((1 << 24) - 2) * 4

  /// The bit of the anchors field that says that a filter with a key is case-sensitive.
  public static let caseSensitiveKeys: UInt32 = 1 << 31

  /// How the text behind an anchor is filed.
  public enum KeyKind: UInt8, CaseIterable, Sendable {
    /// The whole run of host characters (a–z, 0–9, `.`, `-`, `_`); what follows is none.
    case word
    /// The first eight bytes, whatever follows.
    case prefix8
    /// The first four bytes, whatever follows.
    case prefix4
  }

  /// Bits of a filter's head byte.
  public enum Head {
    /// In key records: the anchor.
    public static let anchorMask: UInt8 = 0x0F
    /// In filter records: the program runs from the URL's start.
    public static let runsFromStart: UInt8 = 0x01
    /// In filter records: a stamp follows, and the program runs once for a URL.
    ///
    /// Unless it runs from the URL's start, that is once its first piece has matched.
    public static let runsOnce: UInt8 = 0x02
    /// In filter records: the ``GapAnchor``, in bits 2–3.
    public static let gapAnchorShift: UInt8 = 2
    /// Letters match only themselves.
    public static let isCaseSensitive: UInt8 = 0x10
    /// In key records: a program must match behind the key.
    public static let hasTail: UInt8 = 0x20
    /// There are several postings, with their count in front.
    public static let hasSeveralPostings: UInt8 = 0x40
    /// In key records: the last filter.
    public static let isLast: UInt8 = 0x80
  }

  /// Whether a byte may be part of a key of kind ``KeyKind/word``.
  public static func isWordByte(_ byte: UInt8) -> Bool {
    byte < 128 && wordBytes[Int(byte >> 6)] >> UInt64(byte & 63) & 1 != 0
  }

  /// The set behind ``isWordByte(_:)``: `-` `.` `0`–`9`, and `_` `a`–`z`.
  private static let wordBytes = SIMD2<UInt64>(0x03FF_6000_0000_0000, 0x07FF_FFFE_8000_0000)

  /// Mixes eight bytes (low `length` of them) into a hash.
  @inline(__always)
  static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product &>> 32
  }

  /// The first step of a key's hash.
  @inline(__always)
  static func seed(_ kind: KeyKind, length: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: length) &* 0xA24B_AED4_963E_E407 &+ UInt64(kind.rawValue)
  }

  /// The hash of a key, as compiler and matcher both compute it.
  ///
  /// The key is taken in words of eight bytes, little-endian, the last one padded with zeros.
  public static func hash(_ kind: KeyKind, key: Span<UInt8>) -> UInt64 {
    var hash = seed(kind, length: key.count)
    var offset = 0
    repeat {
      var word: UInt64 = 0
      for index in 0..<min(8, key.count - offset) {
        word |= UInt64(key[offset + index]) << UInt64(8 * index)
      }
      hash = mix(hash, word)
      offset += 8
    } while offset < key.count
    return hash
  }

  /// The bit of the gram filter for four folded bytes, little-endian.
  @inline(__always)
  public static func filterBit(gram: UInt32, shift: UInt32) -> UInt32 {
    (gram &* 0x9E37_79B1) &>> shift
  }

  /// The hash of four folded bytes, little-endian, that the gram table is searched by.
  ///
  /// Its bits must not follow from those of the gram filter, which all grams that are looked up
  /// share.
  @inline(__always)
  public static func hash(gram: UInt32) -> UInt32 {
    let product = (gram ^ gram &>> 15) &* 0x85EB_CA6B
    return (product ^ product &>> 13) &* 0xC2B2_AE35
  }

  /// Where in a table of `slots` slots the search for a hash begins.
  @inline(__always)
  public static func firstSlot(_ hash: UInt32, slots: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(truncatingIfNeeded: slots)) &>> 32)
  }
}
