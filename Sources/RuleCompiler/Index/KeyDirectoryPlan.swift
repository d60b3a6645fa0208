internal import RuleMatching

/// Decides which of a key's filters get a directory entry, and of which kind; see
/// ``RuleMatching/KeyDirectory``.
struct KeyDirectoryPlan {
  /// Filters with an entry for the text behind the key, with its hash, in the order of the hashes.
  private(set) var texts: [(filter: Int, hash: UInt8)] = []
  /// Filters with an entry for a gram anywhere in the URL, with its hash, in the order of the hashes.
  private(set) var grams: [(filter: Int, hash: UInt16)] = []
  /// Filters without an entry.
  private(set) var loose: [Int] = []
  // One offset for all texts, so that the scanner hashes the URL once and compares eight entries a
  // step.
  private var place = 0

  /// Below this number, trying each filter is as fast as reading a directory.
  private static let fewestFilters = 4
  /// The last offset behind the key at which texts are compared.
  ///
  /// Far texts tell more filters apart, but fewer filters have one. The format allows up to 7.
  private static let lastPlace = 5

  /// Plans the directory of a key from its filters' leads; `nil` if too few would have an entry.
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
    texts.sort { ($0.hash, $0.filter) < ($1.hash, $1.filter) }
    grams.sort { ($0.hash, $0.filter) < ($1.hash, $1.filter) }
    // Looking at gram entries first fills a set of all the URL's grams; a few do not pay for it.
    if grams.count < 2 * Self.fewestFilters {
      loose += grams.map { $0.filter }
      grams = []
    }
    if texts.count + grams.count < Self.fewestFilters { return nil }
  }

  /// Estimates how many filters are tried if texts are compared at `place`, summed over URLs that
  /// each match one of the filters: *n*² for *n* filters with the same hash.
  private static func cost(of place: Int, _ leads: [ProgramLead]) -> Int64 {
    var counts = [Int64](repeating: 0, count: 256)
    var others: Int64 = 0
    for lead in leads {
      if let hash = hash(lead.start, at: place) {
        counts[Int(hash)] += 1
      } else {
        others += 1
      }
    }
    return counts.reduce(others * Int64(leads.count)) { $0 + $1 * $1 }
  }

  private static func hash(_ text: [UInt8], at place: Int) -> UInt8? {
    guard text.count >= place + KeyDirectory.textLength else { return nil }
    let word = (0..<KeyDirectory.textLength).reduce(UInt32(0)) {
      $0 | UInt32(text[place + $1]) << UInt32(8 * $1)
    }
    return KeyDirectory.hash(text: word)
  }

  /// Appends the directory, without its filters.
  ///
  /// `offsets` are those of the filters with an entry, texts first, from the first filter on.
  func append(filtersAt offsets: [Int], to records: inout [UInt8]) {
    records.append(KeyFilterHead.directory(isLast: loose.isEmpty).byte)
    records.append(UInt8(place))
    records.appendLittleEndian(UInt32(texts.count))
    records.appendLittleEndian(UInt32(grams.count))
    records += texts.map { $0.hash }
    for gram in grams { records.appendLittleEndian(gram.hash) }
    for offset in offsets { records.appendLittleEndian(UInt32(offset)) }
  }
}
