/// Checks the records of one index.
struct RecordValidator {
  let image: Image
  let index: FilterIndexView
  let end: Int
  let info: ListInfo
  let classCount: UInt32
  /// The bytes that may still be checked, which bounds the time: valid records do not overlap.
  var bytesLeft: Int
  /// One bit per byte of the records, set if the filter record that begins there was checked.
  var checkedFilters: [UInt64]

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

  private mutating func spend(_ bytes: Int, at record: Int) throws(ByteCodeError) {
    guard bytes <= bytesLeft else { throw fault(record) }
    bytesLeft -= bytes
  }

  @inline(__always)
  private func validatePostings(_ offset: inout Int, several: Bool) throws(ByteCodeError) {
    let count = several ? try varint(&offset) : 1
    guard Int(inFile: count) <= end - offset else { throw fault(offset) }
    var rule: UInt32 = 0
    for _ in 0..<count {
      let place = offset
      let number = try varint(&offset)
      if index.postingsHaveRules {
        rule &+= try varint(&offset)
        guard number < classCount, rule < info.ruleCount else { throw fault(place) }
      } else {
        guard number < info.conditionCount else { throw fault(place) }
      }
    }
  }

  /// Checks the key record at an offset and advances past it, if it is of the usual kind: one
  /// filter with one posting, and numbers below 2²⁸.
  ///
  /// One word holds everything behind the key, so the next record's offset is known early, without
  /// a chain of loads.
  ///
  /// - Returns: Whether the record is of this kind; if not, nothing was done.
  @inline(__always)
  mutating func validateShortKeyRecord(
    _ offset: inout Int,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) -> Bool {
    guard index.postingsHaveRules, offset >= 0, end <= image.count, offset < end &- 72 else {
      return false
    }
    let first = unsafe image.u8(unchecked: offset)
    let keyEnd = offset &+ 1 &+ Int(first & 63)
    let word = unsafe image.u64(unchecked: keyEnd)
    let head = KeyFilterHead(UInt8(truncatingIfNeeded: word))
    guard first >> 6 == FilterIndex.KeyKind.word.rawValue, first & 63 > 0,
      head.isLast, !head.hasSeveralPostings, head.anchor != nil
    else { return false }
    // The last byte of each number has its high bit clear.
    var stops = ~word & 0x8080_8080_8080_8000
    var program: UInt64 = 0
    var start: UInt64 = 8
    if head.hasTail {
      program = Self.number(word, &start, &stops)
    }
    let number = Self.number(word, &start, &stops)
    let rule = Self.number(word, &start, &stops)
    // A number that does not fit is returned as one too large.
    guard program | number | rule < 1 << 28, number < UInt64(classCount),
      rule < UInt64(info.ruleCount)
    else { return false }
    let size = keyEnd &+ Int(truncatingIfNeeded: start / 8) &- offset
    guard size <= bytesLeft else { return false }
    try programs.validate(UInt32(truncatingIfNeeded: program))
    bytesLeft &-= size
    offset &+= size
    return true
  }

  /// Returns the LEB128 number that begins at a bit of a word and ends at the next stop; one too
  /// large if it has more than four bytes or no end.
  @inline(__always)
  private static func number(
    _ word: UInt64,
    _ start: inout UInt64,
    _ stops: inout UInt64
  ) -> UInt64 {
    let end = UInt64(truncatingIfNeeded: stops.trailingZeroBitCount) &+ 1
    stops &= stops &- 1
    // The last byte's high bit is clear and is left out, so that no shift is by 64.
    let above = 65 &- end
    let bytes = ((word &<< above) &>> above) &>> start
    let isLong = end &- start > 32 || end > 64
    start = end
    let low = bytes & 0x7F | bytes &>> 1 & 0x3F80 | bytes &>> 2 & 0x1F_C000
    return low | bytes &>> 3 & 0xFE0_0000 | (isLong ? 1 << 32 : 0)
  }

  /// Checks the key record at an offset and advances past it.
  @inline(__always)
  mutating func validateKeyRecord(
    _ offset: inout Int,
    _ programs: inout ProgramValidator
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
      try validateDirectory(&offset, &programs)
    } else {
      while !(try validateKeyFilter(&offset, &programs)) {}
    }
    try spend(offset - record, at: record)
  }

  /// Checks the directory at an offset with all of its filters, and advances past them.
  private func validateDirectory(
    _ offset: inout Int,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) {
    let start = offset
    guard start + KeyDirectory.headerSize <= end else { throw fault(start) }
    let directory = KeyDirectoryView(image, at: start)
    // At farther offsets, reading the text could exceed the URL's padding.
    guard directory.filters <= end, directory.place < 8 else { throw fault(start) }
    offset = directory.filters
    if directory.hasLooseFilters {
      while !(try validateKeyFilter(&offset, &programs)) {}
    }
    for number in 0..<directory.textCount + directory.gramCount {
      guard directory.filter(image, number) == offset else { throw fault(start) }
      _ = try validateKeyFilter(&offset, &programs)
    }
  }

  /// Checks a filter behind a key and advances past it.
  ///
  /// - Returns: Whether it is marked as the last one.
  @inline(__always)
  private func validateKeyFilter(
    _ offset: inout Int,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) -> Bool {
    let head = KeyFilterHead(try head(&offset))
    guard head.anchor != nil else {
      throw fault(offset - 1)
    }
    if head.hasTail {
      try programs.validate(try varint(&offset))
    }
    try validatePostings(
      &offset,
      several: head.hasSeveralPostings
    )
    return head.isLast
  }

  /// Checks a gram's entry and the filter that it leads to.
  mutating func validateGram(
    _ entry: Int,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) {
    let gram = GramEntry(image.u64(entry))
    guard gram.offset < index.gramStride, index.filterRecords + gram.record < end else {
      throw fault(entry)
    }
    try validateFilterRecord(gram.record, alwaysRuns: false, &programs)
  }

  private mutating func validateFilterRecord(
    _ filter: Int,
    alwaysRuns: Bool,
    _ programs: inout ProgramValidator
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
    // Several grams lead to one filter, which is checked once.
    let bit: UInt64 = 1 << UInt64(filter & 63)
    if checkedFilters[filter >> 6] & bit != 0 { return }
    checkedFilters[filter >> 6] |= bit
    if hasLead {
      guard try varint(&offset) < FilterIndex.maximumDistance else { throw fault(record) }
    }
    let runsOnce = head.runsOnce
    if runsOnce {
      guard try varint(&offset) < info.stampCount else { throw fault(offset) }
    }
    let program = try varint(&offset)
    try programs.validate(program)
    if runsOnce, !head.runsFromStart {
      guard programs.isPieces(program) else { throw fault(record) }
    }
    try validatePostings(&offset, several: head.hasSeveralPostings)
    try spend(offset - record, at: record)
  }

  mutating func validateAlwaysRun(_ programs: inout ProgramValidator) throws(ByteCodeError) {
    var offset = index.alwaysRun
    guard offset < end else { throw fault(index.keyFilter - 12) }
    var last = -1
    for _ in 0..<(try varint(&offset)) {
      let place = offset
      let record = Int(inFile: try varint(&offset))
      // In order, and so none twice: opening a list reads the entries of each.
      guard record > last else { throw fault(place) }
      last = record
      try validateFilterRecord(record, alwaysRuns: true, &programs)
    }
  }
}
