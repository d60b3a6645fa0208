/// Counts that belong to the whole list, 4 bytes each, in the order of the properties.
@frozen
public struct ListInfo: Hashable, Sendable {
  /// The size in the file, in bytes.
  public static let size = 32

  /// Elements of the JSON array, skipped rules included.
  public var ruleCount: UInt32 = 0
  /// Elements that were skipped for their selectors.
  public var skippedCount: UInt32 = 0
  /// Conditions that entries refer to.
  public var conditionCount: UInt32 = 0
  /// Filters whose programs run at most once for a URL, over all indexes.
  public var stampCount: UInt32 = 0
  /// The longest program with threads, in instructions: what the scratch must hold.
  public var threadCount: UInt32 = 0
  /// The text of the global sheet's selectors in ``Section/texts``, or 0xFFFFFFFF.
  public var globalSheet: UInt32 = .max
  /// Entries of universal filters that are active at once at most.
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
