/// Counts of the whole list, 4 bytes each, in the order of the properties.
@frozen
public struct ListInfo: Hashable, Sendable {
  /// The size in the file, in bytes.
  public static let size = 32

  /// The number of elements of the JSON array, skipped ones included.
  public var ruleCount: UInt32 = 0
  /// The number of elements skipped because of their selectors.
  public var skippedCount: UInt32 = 0
  /// The number of conditions.
  public var conditionCount: UInt32 = 0
  /// The number of stamps: filters that run at most once per URL, over all indexes.
  public var stampCount: UInt32 = 0
  /// The instructions of the longest threads program, which the scratch must have room for.
  public var threadCount: UInt32 = 0
  /// The offset of the global sheet's selectors in ``Section/texts``, or 0xFFFFFFFF.
  public var globalSheet: UInt32 = .max
  /// The number of entries of the universal table.
  public var universalCount: UInt32 = 0
  /// The low half of the source text's checksum.
  public var sourceChecksum: UInt32 = 0

  /// Creates a record of zeros.
  public init() {}
}

extension ListInfo {
  init(_ image: Image, at offset: Int) {
    self.init()
    ruleCount = image.u32(offset)
    skippedCount = image.u32(offset + 4)
    conditionCount = image.u32(offset + 8)
    stampCount = image.u32(offset + 12)
    threadCount = image.u32(offset + 16)
    globalSheet = image.u32(offset + 20)
    universalCount = image.u32(offset + 24)
    sourceChecksum = image.u32(offset + 28)
  }
}
