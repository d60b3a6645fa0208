/// An index section with its fields read once; see ``FilterIndex``.
///
/// The fields must have been checked: ``FilterIndex/tablesSize(_:at:)`` lies within the section.
struct FilterIndexView {
  /// Anchors in use, one bit for each.
  let anchors: UInt32
  /// Whether a filter with a key is case-sensitive.
  let hasCaseSensitiveKeys: Bool
  /// Which kinds of keys are in use.
  let usesWords: Bool
  let usesPrefixes8: Bool
  let usesPrefixes4: Bool
  let keySlots: Int
  let gramStride: Int
  let gramFilterShift: UInt32
  let gramSlots: Int
  let postingsHaveRules: Bool
  /// Offsets in the image.
  let keyTable: Int
  let gramFilter: Int
  let gramTable: Int
  let records: Int
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
    keySlots = Int(image.u32(section + 8))
    gramStride = Int(image.u32(section + 12))
    let filterBits = image.u32(section + 16)
    gramFilterShift = 32 - filterBits
    gramSlots = Int(image.u32(section + 20))
    postingsHaveRules = image.u32(section + 28) != 0
    keyTable = section + FilterIndex.headerSize
    gramFilter = keyTable + 4 * keySlots
    gramTable = gramFilter + (1 << Int(filterBits)) / 8
    records = gramTable + 4 * gramSlots
    alwaysRun = records + Int(inFile: image.u32(section + 24))
  }
}

extension FilterIndex {
  /// The size of an index's tables, whose number of filter bits was checked, in bytes.
  static func tablesSize(_ image: Image, at section: Int) -> UInt64 {
    4 * UInt64(image.u32(section + 8)) + 1 << UInt64(image.u32(section + 16) - 3)
      + 4 * UInt64(image.u32(section + 20))
  }
}

/// What an index files under a filter: a rule with its class, or a condition.
struct Posting {
  /// The number of the entry class, or of the condition.
  var number: UInt32
  /// The rule, counted as in ``Slot/firstRule``; 0 for conditions.
  var rule: UInt32
}

/// Who takes the postings of the filters that match.
protocol PostingSink {
  /// Whether the posting would count if its filter matched; asked before the filter is tried.
  func wants(_ posting: Posting) -> Bool
  /// Takes a posting of a filter that matched; called with wanted ones only.
  mutating func take(_ posting: Posting)
}
