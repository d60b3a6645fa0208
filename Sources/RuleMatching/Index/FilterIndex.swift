/// The layout of an index section, by which the filters for one kind of URL are found.
///
///     offset  size  field
///          0     4  anchors in use, one bit for each ``HostAnchor``; bit 31: some filter with a
///                   key is case-sensitive
///          4     4  kinds of keys in use, one bit for each ``KeyKind``
///          8     4  log₂ of the number of bits in the key filter, k (7 to 24)
///         12     4  slots of the key table, n
///         16     4  stride of the gram scan: 0 for none, else 1 to 4
///         20     4  log₂ of the number of bits in the gram filter, f (7 to 24)
///         24     4  buckets of the gram table, b
///         28     4  entries of the gram table, g
///         32     4  offset of the filter records within the records, a multiple of four
///         36     4  offset of the list of filters that always run, within the records
///         40     1  1 if postings hold rules (load URL), 0 if they hold conditions only
///         41     3  bytes of each number behind a key, see ``KeyNumbers``: of a program, 1 to 4; of a single
///                   posting's entry class or condition, 1 to 4; of its rule, 1 to 4, or 0 if it has none
///         44     4  bit n, 0 to 7: no key that is a prefix has a slash at offset n; files from before this was
///                   noted have 0
///         48 2^k/8  key filter
///            2^f/8  gram filter
///               4n  key table
///             8b+8  gram table: for each bucket, and once more for the end, a ``GramBucket``
///               8g  gram table: entries by bucket
///                …  records
///
/// **Bit filters** contain the hashes of the keys or grams in their table. The uppermost `k - 5`
/// bits of a hash select a word of 32 bits; the numbers in bits 40–44 and 35–39 select the two bits
/// of it that the hash sets. Most look-ups end here, without touching the table.
///
/// **The key table** is probed linearly, from slot (lower 32 bits of the hash) × slots >> 32 and
/// around the end. A slot is 0 when empty. Its high 7 bits are the lowest of the hash, so that most
/// misses never touch a record; its low 25 bits are 1 + half of the record's offset.
///
/// **The gram table** has a hash's entries in bucket (lower 32 bits of the hash) × buckets >> 32, which go up to
/// the next one's; ``GramEntry`` draws an entry. A gram that leads to several filters has an entry for each.
///
/// **Key records** follow one another in the order of their slots. A key record, at a multiple of two, is one
/// byte with the ``KeyKind`` in bits 6–7 and the key's length in bits 0–5, the key, then its filters. A
/// filter is a ``KeyFilterHead``, the tail's program if any, and postings; the program and the numbers of a
/// single posting have the sizes that the header says. A ``KeyDirectory`` precedes the filters if there are many.
///
/// **Filter record**, at a multiple of four: a ``FilterRecordHead``; if the head says so, the lead,
/// which is the number of bytes from the program's start to the window's, plus 1 (LEB128); the stamp
/// if the program runs once; the program; postings (LEB128). A program that runs once but not from the
/// start consists of pieces.
///
/// **Postings**: one, or a count and that many. A posting is an entry class and a rule, or a
/// condition alone (LEB128, but for the single ones behind a key). Rules after the first are stored as differences from the one before
/// (mod 2³²).
///
/// **Filters that always run**: a count and their offsets from the first filter record (LEB128).
public enum FilterIndex {
  /// The size of the fixed part, in bytes.
  public static let headerSize = 48
  /// Key records begin at multiples of this.
  public static let keyAlignment = 2
  /// Filter records begin at multiples of this.
  public static let filterAlignment = 4
  /// The bits of a key table's slot that locate the record.
  public static let keyReference: UInt32 = (1 << 25) - 1
  /// The number of bytes in a gram.
  public static let gramLength = 4
  /// The longest word that is a key; longer ones are indexed by their first eight bytes.
  public static let maximumWord = 63
  /// The strides that the gram scan may have.
  public static let strides = 1...4
  /// The values that the fields for the bit filters' sizes may have.
  public static let filterBits: ClosedRange<UInt32> = 7...24
  /// The limit on the bytes between a program's start and its window; patterns are shorter, too.
  public static let maximumDistance: UInt32 = 1 << 24
  /// The size of records, in bytes, that the key table's slots can address.
  public static let maximumRecords = (Int(keyReference) - 1) * keyAlignment
  /// The size of filter records, in bytes, that 22 bits of quarters can address.
  public static let maximumFilterRecords = ((1 << 22) - 1) * 4

  /// The bit of the anchors field that is set if a filter with a key is case-sensitive.
  public static let caseSensitiveKeys: UInt32 = 1 << 31

  /// How the text behind an anchor becomes a key.
  public enum KeyKind: UInt8, CaseIterable, Sendable {
    /// The whole run of host characters (a–z, 0–9, `.`, `-`, `_`), up to another character or the
    /// end.
    case word
    /// The first eight bytes, whatever follows.
    case prefix8
    /// The first four bytes, whatever follows.
    case prefix4
  }

  /// The field at 44 of an index without keys that are prefixes.
  ///
  /// Only such hosts are cached as a slash or the URL's end follows. A prefix that reaches beyond one of them has the
  /// slash there.
  public static let slashless: UInt32 = 0xFF

  /// Whether a byte may be part of a key of kind ``KeyKind/word``.
  @inlinable
  public static func isWordByte(_ byte: UInt8) -> Bool {
    // `-` `.` `0`–`9`, and `_` `a`–`z`.
    let set: UInt64 = byte < 64 ? 0x03FF_6000_0000_0000 : 0x07FF_FFFE_8000_0000
    return byte < 128 && set >> UInt64(byte & 63) & 1 != 0
  }

  /// Mixes eight bytes into a hash.
  @inline(__always)
  static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* multiplier
    return product ^ product &>> 32
  }

  @inline(__always)
  private static var multiplier: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  /// Returns the initial hash for a key.
  @inline(__always)
  static func seed(_ kind: KeyKind, length: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: length) &* 0xA24B_AED4_963E_E407 &+ UInt64(kind.rawValue)
  }

  /// Returns the hash of a key, the same for compiler and matcher.
  ///
  /// Takes the key in words of eight bytes, little-endian, the last one padded with zeros.
  public static func hash(_ kind: KeyKind, key: Span<UInt8>) -> UInt64 {
    var hash = seed(kind, length: key.count)
    let bytes = unsafe key.bytes
    var offset = 0
    // In bounds: eight bytes from `offset` on, or the last eight.
    while offset + 8 <= key.count {
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = mix(hash, UInt64(littleEndian: word))
      offset += 8
    }
    // An empty key is mixed as one word, too.
    guard offset < key.count || offset == 0 else { return hash }
    var word: UInt64 = 0
    if offset > 0 {
      let last = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self)
      word = UInt64(littleEndian: last) >> UInt64(8 * (8 - (key.count - offset)))
    } else {
      for index in 0..<key.count { word |= UInt64(key[index]) << UInt64(8 * index) }
    }
    return mix(hash, word)
  }

  /// Returns the hash of a gram of folded bytes, little-endian.
  @inline(__always)
  public static func hash(gram: UInt32) -> UInt64 { mix(0, UInt64(gram)) }

  /// Returns a hash that equals ``hash(gram:)`` in its upper half, all that the bit filter needs.
  @inline(__always)
  static func upperHash(gram: UInt32) -> UInt64 { UInt64(gram) &* multiplier }

  /// Returns how far to shift a hash for the number of its word in a bit filter of 2^`bits` bits.
  @inline(__always)
  public static func filterShift(bits: UInt64) -> UInt64 { 69 &- bits }

  /// Returns the bits that a hash sets in its word of a bit filter.
  @inline(__always)
  public static func filterMask(_ hash: UInt64) -> UInt32 {
    1 &<< UInt32(truncatingIfNeeded: hash &>> 40) | 1 &<< UInt32(truncatingIfNeeded: hash &>> 35)
  }

  /// Returns 1 if a word of a bit filter has both bits of a hash, else 0.
  @inline(__always)
  static func isSet(_ word: UInt32, _ hash: UInt64) -> Int {
    let first = word &>> UInt32(truncatingIfNeeded: hash &>> 40)
    return Int(truncatingIfNeeded: first & word &>> UInt32(truncatingIfNeeded: hash &>> 35) & 1)
  }

  /// Returns the part of a hash that a key table's slot stores, in the high 7 bits.
  @inline(__always)
  public static func keyFingerprint(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash) &<< 25
  }

  /// Returns where the record begins that a slot of the key table leads to, from the records' start;
  /// negative for an empty slot and for some at fault.
  @inline(__always)
  static func keyPlace(_ slot: UInt32) -> Int {
    keyAlignment &* (Int(slot & keyReference) &- 1)
  }

  /// Returns the first place at or behind another one where a key record may begin.
  @inline(__always)
  static func alignedKey(_ place: Int) -> Int {
    (place &+ keyAlignment &- 1) & ~(keyAlignment &- 1)
  }

  /// Returns the slot where the search for a hash begins, of `slots` slots.
  @inline(__always)
  public static func firstSlot(_ hash: UInt64, slots: Int) -> Int {
    // A multiplication instead of a remainder: faster, and `slots` need not be a power of two.
    Int(truncatingIfNeeded: ((hash & 0xFFFF_FFFF) &* UInt64(truncatingIfNeeded: slots)) &>> 32)
  }
}
