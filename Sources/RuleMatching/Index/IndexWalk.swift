/// Goes through the filters of an index, for what looks at all of them and not at those that a URL leads to.
struct IndexWalk {
  /// A filter behind a key.
  struct KeyFilter {
    let kind: FilterIndex.KeyKind
    /// The key's bytes, as offsets in the image.
    let key: Range<Int>
    let head: KeyFilterHead
    /// The program; `nil` if the key decides.
    let program: UInt32?
    let postings: PostingList
  }

  let image: Image
  let view: FilterIndexView

  /// Calls a function with each filter behind a key, in the order of the table's slots.
  func eachKeyFilter(_ body: (KeyFilter) -> Void) {
    for slot in 0..<view.keySlots {
      let value = image.u32(view.keyTable + 4 * slot)
      if value != 0 { eachFilter(ofKeyAt: view.keyRecord(value), body) }
    }
  }

  /// Calls a function with each filter of the key record at an offset of the image.
  func eachFilter(ofKeyAt record: Int, _ body: (KeyFilter) -> Void) {
    let head = image.u8(record)
    let kind = FilterIndex.KeyKind(rawValue: head >> 6) ?? .word
    let key = record + 1..<record + 1 + Int(head & 63)
    var offset = key.upperBound
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
      let program = head.hasTail ? image.number(&offset, size: view.keyNumbers.program) : nil
      let postings =
        head.hasSeveralPostings
        ? PostingList(image, view, at: offset, several: true)
        : PostingList(image, view, behindKeyAt: offset)
      body(KeyFilter(kind: kind, key: key, head: head, program: program, postings: postings))
      offset = postings.end
      if head.isLast { hasOthers = false }
    }
  }

  /// Calls a function with the postings of each filter that has no key.
  ///
  /// A filter that several grams lead to comes once for each.
  func eachOtherFilter(_ body: (PostingList) -> Void) {
    eachAlwaysRun { body(postings(of: $0)) }
    for number in 0..<view.gramEntryCount {
      let entry = GramEntry(image.u64(view.gramEntries + GramEntry.size * number))
      body(postings(of: view.filterRecords + entry.record))
    }
  }

  /// Calls a function with the offset in the image of each filter record that always runs.
  func eachAlwaysRun(_ body: (Int) -> Void) {
    var offset = view.alwaysRun
    for _ in 0..<image.varint(&offset) {
      body(view.filterRecords &+ Int(image.varint(&offset)))
    }
  }

  /// The postings of the filter record at an offset of the image.
  func postings(of record: Int) -> PostingList {
    let head = image.filterRecordHead(record)
    var offset = record + 1
    if head.hasLead { image.skipVarint(&offset) }
    if head.runsOnce { image.skipVarint(&offset) }
    // The program.
    image.skipVarint(&offset)
    return PostingList(image, view, at: offset, several: head.hasSeveralPostings)
  }

  /// The postings at an offset of the image, with their count in front.
  func postings(at offset: Int) -> PostingList {
    PostingList(image, view, at: offset, several: true)
  }
}

/// The postings of a filter, read in place.
struct PostingList {
  private let image: Image
  private let first: Int
  private let count: UInt32
  private let haveRules: Bool
  /// The sizes of its numbers, for a single one behind a key.
  private let sizes: KeyNumbers?

  /// Reads postings at an offset of the image; `several` says whether their count stands in front.
  init(_ image: Image, _ view: FilterIndexView, at offset: Int, several: Bool) {
    self.image = image
    var offset = offset
    count = several ? image.varint(&offset) : 1
    first = offset
    haveRules = view.postingsHaveRules
    sizes = nil
  }

  /// Reads the single posting of a filter behind a key at an offset of the image.
  init(_ image: Image, _ view: FilterIndexView, behindKeyAt offset: Int) {
    self.image = image
    count = 1
    first = offset
    haveRules = view.postingsHaveRules
    sizes = view.keyNumbers
  }

  /// The offset behind them.
  ///
  /// - Complexity: O(*n*) for *n* postings.
  var end: Int { each { _ in } }

  /// Calls a function with each posting.
  ///
  /// - Returns: The offset behind them.
  @discardableResult
  func each(_ body: (Posting) -> Void) -> Int {
    var offset = first
    if let sizes {
      body(image.posting(&offset, sizes))
      return offset
    }
    var posting = Posting(number: 0, rule: 0)
    for _ in 0..<count {
      posting.number = image.varint(&offset)
      // Rules are stored as differences.
      if haveRules { posting.rule &+= image.varint(&offset) }
      body(posting)
    }
    return offset
  }
}
