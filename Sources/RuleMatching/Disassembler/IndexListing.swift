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

  private mutating func readKey(_ record: Int) {
    let kind = FilterIndex.KeyKind(rawValue: image.u8(view.records + record) >> 6) ?? .word
    keyCounts[Int(kind.rawValue)] += 1
    IndexWalk(image: image, view: view).eachFilter(ofKeyAt: view.records + record) { filter in
      filters.append(
        Filter(
          record: record,
          way: .key(filter.kind, image.bytes(filter.key), anchor: filter.head.anchor),
          program: filter.program,
          isCaseSensitive: filter.head.isCaseSensitive,
          stamp: nil,
          postings: Self.all(filter.postings)
        )
      )
    }
  }

  private static func all(_ list: PostingList) -> [Posting] {
    var postings: [Posting] = []
    list.each { postings.append($0) }
    return postings
  }

  private mutating func readFilters() {
    var grams: [Int: (count: Int, first: GramEntry)] = [:]
    for number in 0..<view.gramEntryCount {
      let entry = GramEntry(image.u64(view.gramEntries + GramEntry.size * number))
      let known = grams[entry.record] ?? (0, entry)
      let isFirst = entry.offset < known.first.offset
      grams[entry.record] = (known.count + 1, isFirst ? entry : known.first)
    }
    var always: Set<Int> = []
    IndexWalk(image: image, view: view).eachAlwaysRun { always.insert($0 - view.filterRecords) }
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
          postings: Self.all(
            PostingList(image, view, at: offset, several: head.hasSeveralPostings)
          )
        )
      )
    }
  }
}
