/// Checks the records of one index.
struct RecordValidator {
  let image: Image
  let index: FilterIndexView
  let end: Int
  let info: ListInfo
  let classCount: UInt32

  /// The size of all records, in bytes.
  var size: Int { end - index.records }

  private func fault(_ offset: Int) -> ByteCodeError { ByteCodeError(.badRecord, at: offset) }

  @inline(__always)
  private func varint(_ offset: inout Int) throws(ByteCodeError) -> UInt32 {
    try readVarint(image, &offset, end)
  }

  @inline(__always)
  private func head(_ offset: inout Int) throws(ByteCodeError) -> UInt8 {
    guard offset < end else { throw fault(offset) }
    offset += 1
    return image.u8(offset - 1)
  }

  /// Checks postings, with their count in front if there are several, and advances past them.
  ///
  /// - Returns: How many there are.
  @inline(__always)
  private func validatePostings(_ offset: inout Int, several: Bool) throws(ByteCodeError) -> Int {
    let count = several ? try varint(&offset) : 1
    guard Int(inFile: count) <= end - offset else { throw fault(offset) }
    var rule: UInt32 = 0
    for _ in 0..<count {
      let place = offset
      let number = try varint(&offset)
      if index.postingsHaveRules { rule &+= try varint(&offset) }
      try validate(number, rule: rule, at: place)
    }
    return Int(inFile: count)
  }

  /// Checks a posting; the rule is ignored if postings have none.
  @inline(__always)
  private func validate(_ number: UInt32, rule: UInt32, at place: Int) throws(ByteCodeError) {
    guard
      index.postingsHaveRules
        ? number < classCount && rule < info.ruleCount : number < info.conditionCount
    else { throw fault(place) }
  }

  /// Checks the key record at an offset and advances past it.
  func validateKeyRecord(
    _ offset: inout Int,
    _ found: inout RecordFindings
  ) throws(ByteCodeError) {
    let record = offset
    let kind = image.u8(record) >> 6
    let length = Int(image.u8(record) & 63)
    guard let keyKind = FilterIndex.KeyKind(rawValue: kind), length > 0,
      keyKind == .word || length == (keyKind == .prefix8 ? 8 : 4)
    else { throw fault(record) }
    offset += 1 + length
    guard offset < end else { throw fault(offset) }
    if image.keyFilterHead(offset).isDirectory {
      try validateDirectory(&offset, &found)
    } else {
      while !(try validateKeyFilter(&offset, &found)) {}
    }
  }

  /// Checks the directory at an offset with all of its filters, and advances past them.
  private func validateDirectory(
    _ offset: inout Int,
    _ found: inout RecordFindings
  ) throws(ByteCodeError) {
    let start = offset
    guard KeyDirectoryView.isInBounds(image, at: start, before: end) else { throw fault(start) }
    let directory = KeyDirectoryView(image, at: start)
    // At farther offsets, reading the text could exceed the URL's padding.
    guard directory.place < 8 else { throw fault(start) }
    offset = directory.filters
    if directory.hasLooseFilters {
      while !(try validateKeyFilter(&offset, &found)) {}
    }
    for number in 0..<directory.textCount + directory.gramCount {
      guard directory.filter(image, number) == offset else { throw fault(start) }
      _ = try validateKeyFilter(&offset, &found)
    }
  }

  /// Checks a filter behind a key and advances past it.
  ///
  /// - Returns: Whether it is marked as the last one.
  @inline(__always)
  private func validateKeyFilter(
    _ offset: inout Int,
    _ found: inout RecordFindings
  ) throws(ByteCodeError) -> Bool {
    let head = KeyFilterHead(try head(&offset))
    guard head.anchor != nil else {
      throw fault(offset - 1)
    }
    let sizes = index.keyNumbers
    if head.hasTail {
      try found.programs.note(try number(&offset, sizes.program))
    }
    if head.hasSeveralPostings {
      let place = offset
      if try validatePostings(&offset, several: true) >= CrowdedFilters.leastPostings,
        index.postingsHaveRules
      {
        found.crowds.append(place)
      }
    } else {
      let place = offset
      let posting = try number(&offset, sizes.posting)
      try validate(posting, rule: try number(&offset, sizes.rule), at: place)
    }
    return head.isLast
  }

  /// Reads a number of so many bytes and advances the offset past it.
  @inline(__always)
  private func number(_ offset: inout Int, _ size: UInt8) throws(ByteCodeError) -> UInt32 {
    guard Int(size) <= end - offset else { throw fault(offset) }
    var number: UInt32 = 0
    for byte in 0..<Int(size) { number |= UInt32(image.u8(offset + byte)) << UInt32(8 * byte) }
    offset += Int(size)
    return number
  }

  /// Checks the grams' buckets and entries and the filters that they lead to, and the filters that always
  /// run.
  ///
  /// - Parameters:
  ///   - bytesLeft: How many bytes filter records may take.
  ///   - found: What is noted of the filters.
  /// - Returns: How many of these bytes are left.
  /// - Throws: The first fault.
  func validateFilterRecords(
    bytesLeft: Int,
    _ found: inout RecordFindings
  ) throws(ByteCodeError) -> Int {
    try validateGramBuckets()
    let size = end - index.filterRecords
    // Several grams lead to one filter, which is checked once.
    var filters = PlaceSet(through: size)
    for number in 0..<index.gramEntryCount {
      let place = index.gramEntries + GramEntry.size * number
      let entry = GramEntry(image.u64(place))
      guard entry.offset < index.gramStride, entry.record < size else { throw fault(place) }
      // In bounds by the guard.
      unsafe filters.insert(unchecked: entry.record)
    }
    // Bounds the time: valid records do not overlap.
    var bytesLeft = bytesLeft
    try filters.forEach { filter throws(ByteCodeError) in
      try validateFilterRecord(filter, alwaysRuns: false, &bytesLeft, &found)
    }
    var offset = index.alwaysRun
    guard offset < end else { throw fault(index.keyFilter - 12) }
    var lastFilter = -1
    for _ in 0..<(try varint(&offset)) {
      let place = offset
      let filter = Int(inFile: try varint(&offset))
      // In order, and so none twice: opening a list reads the entries of each.
      guard filter > lastFilter else { throw fault(place) }
      lastFilter = filter
      // One that a gram leads to as well has a lead, and is refused for it.
      try validateFilterRecord(filter, alwaysRuns: true, &bytesLeft, &found)
    }
    return bytesLeft
  }

  private func validateGramBuckets() throws(ByteCodeError) {
    var last: UInt32 = 0
    for bucket in 0...index.gramBuckets {
      let place = index.gramTable + GramBucket.size * bucket
      let entry = GramBucket(image.u64(place)).first
      guard entry >= last, entry <= index.gramEntryCount else { throw fault(place) }
      last = entry
    }
  }

  private func validateFilterRecord(
    _ filter: Int,
    alwaysRuns: Bool,
    _ bytesLeft: inout Int,
    _ found: inout RecordFindings
  ) throws(ByteCodeError) {
    let record = index.filterRecords + filter
    var offset = record
    let head = FilterRecordHead(try head(&offset))
    guard head.gapAnchor != nil else {
      throw fault(record)
    }
    // A program that is not found by a gram has no start but the URL's, so it must search.
    let hasLead = head.hasLead
    guard alwaysRuns ? head.runsFromStart && !hasLead : hasLead else {
      throw fault(record)
    }
    if hasLead {
      guard try varint(&offset) < FilterIndex.maximumDistance else { throw fault(record) }
    }
    let runsOnce = head.runsOnce
    if runsOnce {
      guard try varint(&offset) < info.stampCount else { throw fault(offset) }
    }
    let program = try varint(&offset)
    try found.programs.note(program)
    if runsOnce, !head.runsFromStart {
      guard found.programs.isPieces(program) else { throw fault(record) }
    }
    let place = offset
    let count = try validatePostings(&offset, several: head.hasSeveralPostings)
    // Those that always run are in ``AlwaysRunTable``.
    if count >= CrowdedFilters.leastPostings, index.postingsHaveRules, !alwaysRuns {
      found.crowds.append(place)
    }
    guard offset - record <= bytesLeft else { throw fault(record) }
    bytesLeft -= offset - record
  }
}
