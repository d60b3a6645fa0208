/// An entry of the gram table: the filter that a gram leads to, and bytes that the URL must have
/// nearby.
///
///     bits   field
///      0–21  a quarter of the record's offset from the first filter record
///     22–23  the gram's place in the filter's window
///     24–25  0
///     26–27  the number of bytes to check, less one
///     28–31  their place from the window's start, counted from −6
///     32–63  the bytes, the first one lowest, zeros above
///
/// The check ends nearly all look-ups before the filter's record is touched.
public struct GramEntry {
  /// The size of an entry in the file, in bytes.
  public static let size = 8
  /// The most bytes that a check compares.
  public static let longestCheck = 4
  /// The offsets from the window's start at which a check may begin.
  public static let checkPlaces = -6...9

  let value: UInt64

  init(_ value: UInt64) { self.value = value }

  /// Creates an entry that leads to the first record.
  ///
  /// - Parameters:
  ///   - offset: The gram's offset in the filter's window.
  ///   - check: One to four bytes that the folded URL must have.
  ///   - place: Their offset from the window's start, within ``checkPlaces``.
  public init(offset: Int, check: ArraySlice<UInt8>, place: Int) {
    var value = UInt64(offset) << 22
    value |= UInt64(check.count - 1) << 26
    value |= UInt64(place - Self.checkPlaces.lowerBound) << 28
    for (index, byte) in check.enumerated() { value |= UInt64(byte) << UInt64(32 + 8 * index) }
    self.value = value
  }

  /// Returns the entry for a filter's record by its offset from the first one, a multiple of four.
  public func leading(to record: Int) -> GramEntry {
    GramEntry(value & ~0x3F_FFFF | UInt64(record / FilterIndex.filterAlignment))
  }

  /// The entry as the file stores it.
  public var bits: UInt64 { value }

  /// The offset of the filter's record from the first one.
  @inline(__always)
  var record: Int { 4 &* Int(truncatingIfNeeded: value & 0x3F_FFFF) }

  /// The gram's offset in the filter's window.
  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: value &>> 22 & 3) }

  /// The offset of the checked bytes from the window's start.
  @inline(__always)
  var checkPlace: Int { Int(truncatingIfNeeded: value &>> 28 & 15) &+ Self.checkPlaces.lowerBound }

  /// The number of bytes that are checked.
  @inline(__always)
  var checkCount: Int { Int(truncatingIfNeeded: value &>> 26 & 3) &+ 1 }

  /// The bytes that are checked.
  var check: [UInt8] {
    (0..<checkCount).map { UInt8(truncatingIfNeeded: value >> UInt64(32 + 8 * $0)) }
  }

  /// Whether a URL whose gram at a position led here has the bytes to check.
  @inline(__always)
  func passes(_ view: TextView, gramAt position: Int) -> Bool {
    let place = position &- offset &+ checkPlace
    guard UInt(bitPattern: place) < UInt(bitPattern: view.count) else { return false }
    // In bounds by the guard; reading four bytes near the end needs the padding.
    let bytes = unsafe view.gram(unchecked: place)
    let difference = bytes ^ UInt32(truncatingIfNeeded: value &>> 32)
    return difference &<< UInt32(truncatingIfNeeded: 32 &- 8 &* checkCount) == 0
  }
}
