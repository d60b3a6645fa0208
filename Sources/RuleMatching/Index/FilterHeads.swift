/// The byte that a filter behind a key begins with, or a ``KeyDirectory`` in the filters' place.
///
/// Bits 0–3 are the ``HostAnchor``, bit 4 says case-sensitive, bit 5 that a tail program follows,
/// bit 6 that there are several postings, bit 7 that no filter follows.
@frozen
public struct KeyFilterHead: Hashable, Sendable {
  /// The byte in the file.
  public let byte: UInt8

  /// Reads a head.
  @inline(__always)
  init(_ byte: UInt8) { self.byte = byte }

  /// Creates the head of a filter.
  public init(
    anchor: HostAnchor,
    isCaseSensitive: Bool,
    hasTail: Bool,
    hasSeveralPostings: Bool,
    isLast: Bool
  ) {
    byte =
      anchor.rawValue | (isCaseSensitive ? 0x10 : 0) | (hasTail ? 0x20 : 0)
      | (hasSeveralPostings ? 0x40 : 0) | (isLast ? 0x80 : 0)
  }

  /// The head of a directory; it is the last one if every filter has an entry in it.
  public static func directory(isLast: Bool) -> KeyFilterHead {
    KeyFilterHead(directory | (isLast ? 0x80 : 0))
  }

  /// What stands in the anchor's place of a directory.
  private static var directory: UInt8 { 0x0F }

  /// Whether a directory begins here.
  @inline(__always)
  var isDirectory: Bool { anchorNumber == Self.directory }
  /// The raw value of the anchor; the validator refuses those that no anchor has.
  @inline(__always)
  var anchorNumber: UInt8 { byte & 0x0F }
  /// The anchor; nil if there is none with the number.
  var anchor: HostAnchor? { HostAnchor(rawValue: anchorNumber) }
  /// Whether letters match only themselves.
  @inline(__always)
  var isCaseSensitive: Bool { byte & 0x10 != 0 }
  /// The filter's bit in a set of anchors by case; see `HostPlace.admitted`.
  @inline(__always)
  var anchorBit: UInt32 { 1 &<< UInt32(byte & 0x1F) }
  /// Whether a program must match behind the key.
  @inline(__always)
  var hasTail: Bool { byte & 0x20 != 0 }
  /// Whether there are several postings, with their count in front.
  @inline(__always)
  var hasSeveralPostings: Bool { byte & 0x40 != 0 }
  /// Whether no filter follows.
  @inline(__always)
  var isLast: Bool { byte & 0x80 != 0 }
  /// Whether it is the only filter, or the last one, and has a known anchor, a program, and one
  /// posting; in either case of letters.
  @inline(__always)
  var isUsual: Bool { (byte & 0xEF) &- 0xA0 < UInt8(HostAnchor.allCases.count) }
}

/// The byte that a filter record begins with.
///
/// Bit 0 says that the program runs from the URL's start, bit 1 that it runs once, bits 2–3 are the
/// ``GapAnchor``, bit 4 says case-sensitive, bit 5 that a lead follows, bit 6 that there are several
/// postings. Bit 7 is 0.
@frozen
public struct FilterRecordHead: Hashable, Sendable {
  /// The byte in the file.
  public let byte: UInt8

  /// Reads a head.
  @inline(__always)
  init(_ byte: UInt8) { self.byte = byte }

  /// Creates a head.
  public init(
    gapAnchor: GapAnchor,
    runsFromStart: Bool,
    runsOnce: Bool,
    isCaseSensitive: Bool,
    hasLead: Bool,
    hasSeveralPostings: Bool
  ) {
    byte =
      (runsFromStart ? 0x01 : 0) | (runsOnce ? 0x02 : 0) | gapAnchor.rawValue << 2
      | (isCaseSensitive ? 0x10 : 0) | (hasLead ? 0x20 : 0) | (hasSeveralPostings ? 0x40 : 0)
  }

  /// Whether the program runs from the URL's start.
  @inline(__always)
  var runsFromStart: Bool { byte & 0x01 != 0 }
  /// Whether a stamp follows, and the program runs once for a URL.
  ///
  /// Unless it runs from the URL's start, that is once its first piece has matched, and again only at an
  /// earlier place.
  @inline(__always)
  var runsOnce: Bool { byte & 0x02 != 0 }
  /// The raw value of the anchor; the validator refuses those that no anchor has.
  @inline(__always)
  var gapAnchorNumber: UInt8 { byte &>> 2 & 3 }
  /// The anchor; nil if there is none with the number.
  var gapAnchor: GapAnchor? { GapAnchor(rawValue: gapAnchorNumber) }
  /// Whether letters match only themselves.
  @inline(__always)
  var isCaseSensitive: Bool { byte & 0x10 != 0 }
  /// Whether a gram leads to the filter, whose distance from its program's start follows.
  @inline(__always)
  var hasLead: Bool { byte & 0x20 != 0 }
  /// Whether there are several postings, with their count in front.
  @inline(__always)
  var hasSeveralPostings: Bool { byte & 0x40 != 0 }
}

extension Image {
  /// The head of the filter behind a key that begins at an offset, or of a directory.
  @inline(__always)
  func keyFilterHead(_ offset: Int) -> KeyFilterHead { KeyFilterHead(u8(offset)) }

  /// The head of the filter record at an offset.
  @inline(__always)
  func filterRecordHead(_ offset: Int) -> FilterRecordHead { FilterRecordHead(u8(offset)) }
}
