/// The filters of one index, read from its records.
struct IndexListing {
  /// How a filter is found.
  enum Way {
    /// By a key behind an anchor.
    case key(FilterIndex.KeyKind, [UInt8], anchor: HostAnchor?)
    /// By one of so many grams; the offset is that of the first one's check from the program's
    /// start.
    case grams(Int, check: [UInt8], distance: Int)
    /// It is tried on every URL.
    case always
  }

  struct Filter {
    /// The offset of its record, or of its key's, within the records.
    var record: Int
    var way: Way
    /// The program; `nil` if the key decides.
    var program: UInt32?
    var isCaseSensitive: Bool
    /// The stamp of a program that runs once.
    var stamp: UInt32?
    /// Whether the program runs from the start of its gap, not around a gram.
    var runsFromStart = false
    /// Where the gap before the program begins.
    var gapAnchor = GapAnchor.none
    var postings: [Posting]
  }

  let view: FilterIndexView
  /// Key records in the order of their offsets, then filter records.
  private(set) var filters: [Filter] = []
  private(set) var usedKeySlots = 0
  private(set) var keyCounts = [0, 0, 0]
  private(set) var alwaysCount = 0
  private let image: Image

  init(_ list: CompiledRuleList, _ section: Section) {
    image = list.image
    view =
      switch section {
      case .topURLIndex: list.topURLIndex
      case .frameURLIndex: list.frameURLIndex
      default: list.urlIndex
      }
    let keys = records(view.keyTable, view.keySlots)
    usedKeySlots = keys.count
    for key in Set(keys).sorted() { readKey(key) }
    readFilters()
  }

  /// Returns the offsets within the records that a table's slots refer to.
  private func records(_ table: Int, _ slots: Int) -> [Int] {
    (0..<slots).compactMap { slot in
      let value = image.u32(table + 4 * slot)
      return value == 0 ? nil : view.keyRecord(value) - view.records
    }
  }

  private func readPostings(_ offset: inout Int, several: Bool) -> [Posting] {
    var posting = Posting(number: 0, rule: 0)
    var postings: [Posting] = []
    for _ in 0..<(several ? image.varint(&offset) : 1) {
      posting.number = image.varint(&offset)
      if view.postingsHaveRules { posting.rule &+= image.varint(&offset) }
      postings.append(posting)
    }
    return postings
  }

  private mutating func readKey(_ record: Int) {
    var offset = view.records + record
    let head = image.u8(offset)
    let kind = FilterIndex.KeyKind(rawValue: head >> 6) ?? .word
    let text = image.bytes(offset + 1..<offset + 1 + Int(head & 63))
    keyCounts[Int(kind.rawValue)] += 1
    offset += 1 + text.count
    // Filters with a directory entry come after the others.
    var listed = 0
    var hasOthers = true
    if image.keyFilterHead(offset).isDirectory {
      let directory = KeyDirectoryView(image, at: offset)
      listed = directory.textCount + directory.gramCount
      hasOthers = directory.hasLooseFilters
      offset = directory.filters
    }
    while hasOthers || listed > 0 {
      if !hasOthers { listed -= 1 }
      let head = image.keyFilterHead(offset)
      offset += 1
      filters.append(
        Filter(
          record: record,
          way: .key(kind, text, anchor: head.anchor),
          program: head.hasTail ? image.varint(&offset) : nil,
          isCaseSensitive: head.isCaseSensitive,
          stamp: nil,
          postings: readPostings(
            &offset,
            several: head.hasSeveralPostings
          )
        )
      )
      if head.isLast { hasOthers = false }
    }
  }

  private mutating func readFilters() {
    var grams: [Int: (count: Int, first: GramEntry)] = [:]
    for number in 0..<view.gramEntryCount {
      let entry = GramEntry(image.u64(view.gramEntries + GramEntry.size * number))
      let known = grams[entry.record] ?? (0, entry)
      let isFirst = entry.offset < known.first.offset
      grams[entry.record] = (known.count + 1, isFirst ? entry : known.first)
    }
    var offset = view.alwaysRun
    var always: Set<Int> = []
    for _ in 0..<image.varint(&offset) { always.insert(Int(image.varint(&offset))) }
    alwaysCount = always.count
    for record in always.union(grams.keys).sorted() {
      var offset = view.filterRecords + record
      let head = image.filterRecordHead(offset)
      offset += 1
      var way = Way.always
      if head.hasLead, let (count, first) = grams[record] {
        let window = Int(image.varint(&offset)) - 1
        way = .grams(count, check: first.check, distance: window + first.checkPlace)
      }
      let stamp = head.runsOnce ? image.varint(&offset) : nil
      filters.append(
        Filter(
          record: view.filterRecords - view.records + record,
          way: way,
          program: image.varint(&offset),
          isCaseSensitive: head.isCaseSensitive,
          stamp: stamp,
          runsFromStart: head.runsFromStart,
          gapAnchor: head.gapAnchor ?? .none,
          postings: readPostings(
            &offset,
            several: head.hasSeveralPostings
          )
        )
      )
    }
  }
}
