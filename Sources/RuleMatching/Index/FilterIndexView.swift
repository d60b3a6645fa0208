/// An index section with its header decoded; see ``FilterIndex``.
///
/// The tables must lie within the section: check ``FilterIndex/tablesSize(_:at:)`` first.
struct FilterIndexView: Sendable {
  /// The anchors in use, one bit for each.
  let anchors: UInt32
  /// Whether a filter with a key is case-sensitive.
  let hasCaseSensitiveKeys: Bool
  /// Whether each kind of key is in use.
  let usesWords: Bool
  let usesPrefixes8: Bool
  let usesPrefixes4: Bool
  let keyFilterShift: UInt64
  let keySlots: Int
  let gramStride: Int
  let gramFilterShift: UInt64
  let gramBuckets: Int
  let gramEntryCount: Int
  /// ``FilterIndex/slashless`` less the offsets at which a prefix has a slash.
  ///
  /// Beside the `Bool`, so that it makes the view no larger.
  let slashless: UInt32
  let postingsHaveRules: Bool
  /// Beside the `Bool`s as well.
  let keyNumbers: KeyNumbers
  /// Offsets in the image.
  let keyFilter: Int
  let gramFilter: Int
  let keyTable: Int
  let gramTable: Int
  let gramEntries: Int
  let records: Int
  let filterRecords: Int
  let alwaysRun: Int

  init(_ image: Image, at section: Int) {
    let anchorField = image.u32(section)
    anchors = anchorField & ~FilterIndex.caseSensitiveKeys
    hasCaseSensitiveKeys = anchorField & FilterIndex.caseSensitiveKeys != 0
    let keyKinds = image.u32(section + 4)
    func uses(_ kind: FilterIndex.KeyKind) -> Bool { keyKinds >> UInt32(kind.rawValue) & 1 != 0 }
    usesWords = uses(.word)
    usesPrefixes8 = uses(.prefix8)
    usesPrefixes4 = uses(.prefix4)
    slashless = image.u32(section + 44)
    let keyFilterBits = UInt64(image.u32(section + 8))
    keyFilterShift = FilterIndex.filterShift(bits: keyFilterBits)
    keySlots = Int(inFile: image.u32(section + 12))
    gramStride = Int(inFile: image.u32(section + 16))
    let gramFilterBits = UInt64(image.u32(section + 20))
    gramFilterShift = FilterIndex.filterShift(bits: gramFilterBits)
    gramBuckets = Int(inFile: image.u32(section + 24))
    gramEntryCount = Int(inFile: image.u32(section + 28))
    let postingField = image.u32(section + 40)
    postingsHaveRules = postingField & 0xFF != 0
    keyNumbers = KeyNumbers(field: postingField)
    keyFilter = section + FilterIndex.headerSize
    gramFilter = keyFilter + (1 << Int(keyFilterBits)) / 8
    keyTable = gramFilter + (1 << Int(gramFilterBits)) / 8
    gramTable = keyTable + 4 * keySlots
    gramEntries = gramTable + GramBucket.size * (gramBuckets + 1)
    records = gramEntries + GramEntry.size * gramEntryCount
    filterRecords = records + Int(inFile: image.u32(section + 32))
    alwaysRun = records + Int(inFile: image.u32(section + 36))
  }

  /// Returns the offset in the image of the record that a slot of the key table refers to.
  @inline(__always)
  func keyRecord(_ slot: UInt32) -> Int {
    records &+ FilterIndex.keyPlace(slot)
  }
}

extension FilterIndex {
  /// Returns the size in bytes of an index's tables, whose numbers of filter bits must have been
  /// checked.
  static func tablesSize(_ image: Image, at section: Int) -> UInt64 {
    1 << UInt64(image.u32(section + 8) - 3) + 4 * UInt64(image.u32(section + 12))
      + 1 << UInt64(image.u32(section + 20) - 3)
      + UInt64(GramBucket.size) * (UInt64(image.u32(section + 24)) + 1)
      + UInt64(GramEntry.size) * UInt64(image.u32(section + 28))
  }
}

/// What an index stores for a filter: a rule with its entry class, or a condition.
struct Posting {
  /// The number of the entry class, or of the condition.
  var number: UInt32
  /// The rule, numbered as in ``Slot/firstRule``; 0 for conditions.
  var rule: UInt32
}

/// Receives the postings of the filters that match.
protocol PostingSink {
  /// Whether a posting of an entry class or condition is wanted, if its filter matches.
  ///
  /// Asked before the filter is tried.
  func wants(_ number: UInt32) -> Bool
  /// Takes a wanted posting of a filter that matched.
  ///
  /// That of a pattern with several filters may be passed more than once for a URL.
  mutating func take(_ posting: Posting)
  /// Takes the wanted postings of a crowded filter, if it matches.
  ///
  /// - Parameters:
  ///   - postings: Where the postings begin in the image, with their count.
  ///   - matches: Whether the filter matches; called at most once, and only if a posting is wanted.
  /// - Returns: Where the postings end; `nil` if the filter is not known to be crowded, and nothing was done.
  mutating func takeCrowd(at postings: Int, if matches: () -> Bool) -> Int?
}

extension PostingSink {
  mutating func takeCrowd(at postings: Int, if matches: () -> Bool) -> Int? { nil }
}
