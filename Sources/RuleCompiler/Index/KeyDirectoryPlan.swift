internal import RuleMatching

/// Which filters of a key get an entry in its directory, and which; see
/// ``RuleMatching/KeyDirectory``.
struct KeyDirectoryPlan {
  /// Filters with an entry for what follows the key.
  private(set) var texts: [(filter: Int, hash: UInt8)] = []
  /// Filters with an entry for a gram.
  private(set) var grams: [(filter: Int, hash: UInt16)] = []
  /// Filters without an entry.
  private(set) var loose: [Int] = []
  private var place = 0

  /// With fewer filters looking at each takes no longer.
  private static let fewestFilters = 4
  /// The farthest place of the texts behind the key.
  private static let lastPlace = 5

  /// Plans for the filters of a key, of which plain text is known; `nil` if none or nearly none of
  /// them would have an entry.
  init?(_ leads: [ProgramLead]) {
    guard leads.count >= Self.fewestFilters else { return nil }
    place =
      (0...Self.lastPlace).min { Self.cost(of: $0, leads) < Self.cost(of: $1, leads) } ?? 0
    for (filter, lead) in leads.enumerated() {
      if let hash = Self.hash(lead.start, at: place) {
        texts.append((filter, hash))
      } else if let gram = lead.gram {
        grams.append((filter, KeyDirectory.hash(gram: gram)))
      } else {
        loose.append(filter)
      }
    }
    // The set of the URL's grams has to be worth its making.
    if grams.count < 2 * Self.fewestFilters {
      loose += grams.map { $0.filter }
      grams = []
    }
    if texts.count + grams.count < Self.fewestFilters { return nil }
  }

  /// How many filters are tried at a place, summed over the URLs that each of them asks for.
  private static func cost(of place: Int, _ leads: [ProgramLead]) -> Int {
    var counts = [Int](repeating: 0, count: 256)
    var others = 0
    for lead in leads {
      if let hash = hash(lead.start, at: place) {
        counts[Int(hash)] += 1
      } else {
        others += 1
      }
    }
    return counts.reduce(others * leads.count) { $0 + $1 * $1 }
  }

  private static func hash(_ text: [UInt8], at place: Int) -> UInt8? {
    guard text.count >= place + KeyDirectory.textLength else { return nil }
    let word = (0..<KeyDirectory.textLength).reduce(UInt32(0)) {
      $0 | UInt32(text[place + $1]) << UInt32(8 * $1)
    }
    return KeyDirectory.hash(text: word)
  }

  /// Appends the directory.
  ///
  /// The offsets are those of the filters with an entry, from the first filter.
  ///
  /// - Returns: Whether the offsets fit; if not, nothing was done.
  func append(filtersAt offsets: [Int], to records: inout [UInt8]) -> Bool {
    guard let last = offsets.last, last <= UInt16.max, offsets.count <= UInt16.max else {
      return false
    }
    records.append(KeyFilterHead.directory(isLast: loose.isEmpty).byte)
    records.append(UInt8(place))
    records.appendLittleEndian(UInt16(texts.count))
    records.appendLittleEndian(UInt16(grams.count))
    records += texts.map { $0.hash }
    for gram in grams { records.appendLittleEndian(gram.hash) }
    for offset in offsets { records.appendLittleEndian(UInt16(offset)) }
    return true
  }
}
