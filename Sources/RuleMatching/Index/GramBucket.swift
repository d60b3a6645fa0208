/// A bucket of the gram table: where its entries begin, and which bytes may stand next to their grams.
///
///     bits   field
///      0–31  the number of the first entry
///     32–63  the neighbours: bit n for each entry whose filter asks for a byte with the lowest bits n behind
///            the gram, or with the lowest bits n + 16 before it, modulo 32; all if an entry asks for neither
///
/// An entry has one bit, so that hardly any is set: three of four buckets whose gram a URL contains have no
/// filter for it, and end here, before their entries are read. Bits that a crafted file leaves out make its
/// own filters fail, and nothing else.
public struct GramBucket {
  /// The size of a bucket in the file, in bytes.
  public static let size = 8
  /// The neighbours of a bucket with an entry that asks for none.
  public static let anyNeighbour = UInt32.max

  let value: UInt64

  init(_ value: UInt64) { self.value = value }

  /// Creates a bucket.
  ///
  /// - Parameters:
  ///   - first: The number of its first entry.
  ///   - neighbours: The bits of its entries.
  public init(first: UInt32, neighbours: UInt32) {
    value = UInt64(first) | UInt64(neighbours) << 32
  }

  /// The bucket as the file stores it.
  public var bits: UInt64 { value }

  /// The number of the first entry.
  @inline(__always)
  var first: UInt32 { UInt32(truncatingIfNeeded: value) }

  /// Returns the bit of an entry whose filter asks for a byte behind the gram.
  @inline(__always)
  public static func bit(next byte: UInt8) -> UInt32 { 1 &<< UInt32(byte) }

  /// Returns the bit of an entry whose filter asks for a byte before the gram.
  @inline(__always)
  public static func bit(previous byte: UInt8) -> UInt32 { 1 &<< UInt32(byte ^ 16) }

  /// Whether an entry may be for a gram with these bytes around it.
  @inline(__always)
  func admits(previous: UInt8, next: UInt8) -> Bool {
    UInt32(truncatingIfNeeded: value &>> 32) & (Self.bit(previous: previous) | Self.bit(next: next))
      != 0
  }
}
