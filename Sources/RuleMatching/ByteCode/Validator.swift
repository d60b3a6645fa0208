/// Checks every record of a compiled file, so that the interpreter cannot leave its bounds.
///
/// One pass over the file: each table slot leads to a record, each record's numbers are in range,
/// and each program that a filter names was checked. What is checked together may not be longer
/// than the section it lies in, so records that overlap cannot make the pass a long one.
struct Validator {
  let image: Image
  let sections: SectionTable

  func validate() throws(ByteCodeError) {
    let infoStart = sections.start(.info)
    guard sections.size(.info) == ListInfo.size else {
      throw ByteCodeError(.badSection, at: infoStart)
    }
    let info = ListInfo(image, at: infoStart)
    // Working memory is made by these counts, so the file must have something to show for them.
    guard info.conditionCount < 1 << 24, info.stampCount < 1 << 24, info.threadCount < 1 << 24,
      Int(info.stampCount) <= sections.size(.urlIndex) + sections.size(.topURLIndex)
        + sections.size(.frameURLIndex),
      Int(info.threadCount) <= sections.size(.programs) / Opcode.threadSize
    else { throw ByteCodeError(.badRecord, at: infoStart) }
    for (section, recordSize) in [
      (Section.slots, Slot.size), (.entryClasses, EntryClass.size), (.characterSets, 16),
    ] where sections.size(section) % recordSize != 0 {
      throw ByteCodeError(.badSection, at: sections.start(section))
    }
    if info.globalSheet != Slot.noText {
      try validateText(info.globalSheet, from: infoStart)
    }
    try validateSlots(info)
    try validateClasses(info)
    try validateUniversal(info)
    var programs = ProgramValidator(
      image: image,
      sections: sections,
      threadLimit: info.threadCount
    )
    for section in [Section.urlIndex, .topURLIndex, .frameURLIndex] {
      try validateIndex(section, info, &programs)
    }
  }

  private func validateText(_ text: UInt32, from offset: Int) throws(ByteCodeError) {
    let start = sections.start(.texts) + Int(inFile: text)
    guard start + 4 <= sections.end(.texts),
      Int(inFile: image.u32(start)) <= sections.end(.texts) - start - 4
    else { throw ByteCodeError(.badRecord, at: offset) }
  }

  private func validateSlots(_ info: ListInfo) throws(ByteCodeError) {
    let slots = sections.start(.slots)
    for number in 0..<sections.size(.slots) / Slot.size {
      let offset = slots + number * Slot.size
      guard ActionKind(rawValue: image.u8(offset)) != nil else {
        throw ByteCodeError(.badRecord, at: offset)
      }
      let slot = Slot(image, at: offset)
      if slot.text != Slot.noText { try validateText(slot.text, from: offset) }
      guard slot.firstRule < info.ruleCount else { throw ByteCodeError(.badRecord, at: offset) }
    }
  }

  private func validateClasses(_ info: ListInfo) throws(ByteCodeError) {
    let slotCount = UInt32(sections.size(.slots) / Slot.size)
    let slots = sections.start(.slots)
    let classes = sections.start(.entryClasses)
    for number in 0..<sections.size(.entryClasses) / EntryClass.size {
      let offset = classes + number * EntryClass.size
      let slot = image.u32(offset)
      let condition = image.u32(offset + 8)
      guard slot < slotCount,
        UInt32(image.u8(slots + Int(slot) * Slot.size))
          == image.u32(offset + 4) >> 24,
        condition == 0 || (condition - 1) / 2 < info.conditionCount
      else { throw ByteCodeError(.badRecord, at: offset) }
    }
  }

  private func validateUniversal(_ info: ListInfo) throws(ByteCodeError) {
    let start = sections.start(.universal)
    let offsets = start + UniversalTable.headerSize
    let entries = offsets + 4 * (Int(info.conditionCount) + 1)
    guard entries <= sections.end(.universal) else {
      throw ByteCodeError(.badSection, at: start)
    }
    let always = image.u32(start)
    let count = image.u32(start + 8)
    guard image.u32(start + 4) <= always,
      UInt64(count) * UInt64(UniversalTable.entrySize)
        == UInt64(sections.end(.universal) - entries)
    else {
      throw ByteCodeError(.badSection, at: start)
    }
    var last = always
    for condition in 0...Int(info.conditionCount) {
      let first = image.u32(offsets + 4 * condition)
      guard first >= last, first <= count else {
        throw ByteCodeError(.badRecord, at: offsets + 4 * condition)
      }
      last = first
    }
    for entry in 0..<Int(count) {
      let offset = entries + entry * UniversalTable.entrySize
      try checkClass(image.u32(offset), at: offset)
      guard image.u32(offset + 4) < info.ruleCount else {
        throw ByteCodeError(.badRecord, at: offset)
      }
    }
  }

  private func checkClass(_ number: UInt32, at offset: Int) throws(ByteCodeError) {
    guard number < UInt32(sections.size(.entryClasses) / EntryClass.size) else {
      throw ByteCodeError(.badRecord, at: offset)
    }
  }

  // MARK: Indexes

  private func validateIndex(
    _ section: Section,
    _ info: ListInfo,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) {
    let start = sections.start(section)
    let end = sections.end(section)
    guard end - start >= FilterIndex.headerSize,
      FilterIndex.filterBits ~= image.u32(start + 8),
      FilterIndex.filterBits ~= image.u32(start + 20),
      FilterIndex.tablesSize(image, at: start) < UInt64(end - start - FilterIndex.headerSize)
    else { throw ByteCodeError(.badSection, at: start) }
    let index = FilterIndexView(image, at: start)
    guard index.gramStride <= FilterIndex.strides.upperBound, image.u32(start + 4) < 1 << 3,
      index.postingsHaveRules == (section == .urlIndex),
      index.anchors & ~(HostAnchor.atStart | HostAnchor.anywhere) == 0,
      index.anchors == 0 || index.keySlots > 0, index.gramStride == 0 || index.gramBuckets > 0,
      index.filterRecords <= end, index.filterRecords & 3 == index.records & 3
    else { throw ByteCodeError(.badSection, at: start) }
    var reader = RecordValidator(
      image: image,
      index: index,
      end: end,
      info: info,
      classCount: UInt32(sections.size(.entryClasses) / EntryClass.size),
      bytesLeft: end - index.records,
      checkedFilters: Array(repeating: 0, count: (end - index.records + 63) / 64)
    )
    try validateKeys(index, end, &reader, &programs)
    var last: UInt32 = 0
    for bucket in 0...index.gramBuckets {
      let entry = image.u32(index.gramTable + 4 * bucket)
      guard entry >= last, entry <= index.gramEntryCount else {
        throw ByteCodeError(.badRecord, at: index.gramTable + 4 * bucket)
      }
      last = entry
    }
    for entry in 0..<index.gramEntryCount {
      try reader.validateGram(index.gramEntries + GramEntry.size * entry, &programs)
    }
    try reader.validateAlwaysRun(&programs)
  }

  /// Checks the key records, which lie one after the other from the records' beginning, and that
  /// each slot of the table leads to one of them.
  private func validateKeys(
    _ index: FilterIndexView,
    _ end: Int,
    _ reader: inout RecordValidator,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) {
    let used = image.countOfUsed(index.keySlots, at: index.keyTable)
    guard used < index.keySlots || index.keySlots == 0 else {
      throw ByteCodeError(.badSection, at: index.keyTable)
    }
    let units = (end - index.records + 1) / FilterIndex.keyAlignment
    var begins = [UInt64](repeating: 0, count: (units + 1) / 64 + 1)
    begins[units >> 6] |= 1 << UInt64(units & 63)
    var offset = index.records
    for _ in 0..<used {
      let unit = (offset - index.records + 1) / FilterIndex.keyAlignment
      offset = index.records + unit * FilterIndex.keyAlignment
      guard offset < end else { throw ByteCodeError(.badRecord, at: end) }
      begins[unit >> 6] |= 1 << UInt64(unit & 63)
      if try reader.validateShortKeyRecord(&offset, &programs) { continue }
      try reader.validateKeyRecord(&offset, &programs)
    }
    for slot in 0..<index.keySlots {
      // Without a branch for slots that are not in use, which are hard to foretell: 0 less one is
      // a unit that no file has, and stands for a bit that is set.
      let value = image.u32(index.keyTable + 4 * slot)
      let limit = UInt32(truncatingIfNeeded: value == 0 ? units : units + 1)
      let unit = Int(min(value & FilterIndex.keyReference &- 1, limit))
      guard begins[unit >> 6] >> UInt64(unit & 63) & 1 != 0 else {
        throw ByteCodeError(.badRecord, at: index.keyTable + 4 * slot)
      }
    }
  }
}

/// Checks the records of one index.
private struct RecordValidator {
  let image: Image
  let index: FilterIndexView
  let end: Int
  let info: ListInfo
  let classCount: UInt32
  /// Bytes of records that may still be checked; records do not overlap.
  var bytesLeft: Int
  /// One bit for each byte of the records: a filter record that begins here was checked.
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

  /// Checks the key record at an offset and moves behind it, if it is like most: one filter with
  /// one posting, and numbers below 2²⁸.
  ///
  /// One word holds all behind the key, so that where the next record begins is known soon.
  ///
  /// - Returns: Whether it is such a record; if not, nothing was done.
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
    let head = UInt8(truncatingIfNeeded: word)
    let shape = head & (FilterIndex.Head.isLast | FilterIndex.Head.hasSeveralPostings)
    guard first >> 6 == FilterIndex.KeyKind.word.rawValue, first & 63 > 0,
      shape == FilterIndex.Head.isLast,
      Int(head & FilterIndex.Head.anchorMask) < HostAnchor.allCases.count
    else { return false }
    // The last byte of each number is the one whose high bit is not set.
    var stops = ~word & 0x8080_8080_8080_8000
    var program: UInt64 = 0
    var start: UInt64 = 8
    if head & FilterIndex.Head.hasTail != 0 {
      program = Self.number(word, &start, &stops)
    }
    let number = Self.number(word, &start, &stops)
    let rule = Self.number(word, &start, &stops)
    // A number that was not there is larger than any.
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

  /// The LEB128 number that begins at a bit of a word and ends at the next stop; too large a number
  /// if it has more than four bytes or no end.
  @inline(__always)
  private static func number(
    _ word: UInt64,
    _ start: inout UInt64,
    _ stops: inout UInt64
  ) -> UInt64 {
    let end = UInt64(truncatingIfNeeded: stops.trailingZeroBitCount) &+ 1
    stops &= stops &- 1
    // The high bit of the last byte is not set, and left out so that no shift is by 64.
    let above = 65 &- end
    let bytes = ((word &<< above) &>> above) &>> start
    let isLong = end &- start > 32 || end > 64
    start = end
    let low = bytes & 0x7F | bytes &>> 1 & 0x3F80 | bytes &>> 2 & 0x1F_C000
    return low | bytes &>> 3 & 0xFE0_0000 | (isLong ? 1 << 32 : 0)
  }

  /// Checks the key record at an offset and moves behind it.
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
    if image.u8(offset) & FilterIndex.Head.anchorMask == FilterIndex.Head.directory {
      try validateDirectory(&offset, &programs)
    } else {
      while !(try validateKeyFilter(&offset, &programs)) {}
    }
    try spend(offset - record, at: record)
  }

  /// Checks the directory at an offset with all of its filters and moves behind them.
  private func validateDirectory(
    _ offset: inout Int,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) {
    let start = offset
    guard start + KeyDirectory.headerSize <= end else { throw fault(start) }
    let directory = KeyDirectoryView(image, at: start)
    // Later places could lie beyond any text's padding.
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

  /// Checks a filter behind a key and moves behind it.
  ///
  /// - Returns: Whether it is marked as the last one.
  @inline(__always)
  private func validateKeyFilter(
    _ offset: inout Int,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) -> Bool {
    let head = try head(&offset)
    guard HostAnchor(rawValue: head & FilterIndex.Head.anchorMask) != nil else {
      throw fault(offset - 1)
    }
    if head & FilterIndex.Head.hasTail != 0 {
      try programs.validate(try varint(&offset))
    }
    try validatePostings(
      &offset,
      several: head & FilterIndex.Head.hasSeveralPostings != 0
    )
    return head & FilterIndex.Head.isLast != 0
  }

  /// Checks the filter that a gram's entry leads to.
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
    let head = try head(&offset)
    guard GapAnchor(rawValue: head >> FilterIndex.Head.gapAnchorShift & 3) != nil else {
      throw fault(record)
    }
    // Without a place to start at, a program has to search.
    let hasLead = head & FilterIndex.Head.hasLead != 0
    guard alwaysRuns ? head & FilterIndex.Head.runsFromStart != 0 && !hasLead : hasLead else {
      throw fault(record)
    }
    // Several grams lead to one filter.
    let bit: UInt64 = 1 << UInt64(filter & 63)
    if checkedFilters[filter >> 6] & bit != 0 { return }
    checkedFilters[filter >> 6] |= bit
    if hasLead {
      guard try varint(&offset) < FilterIndex.maximumDistance else { throw fault(record) }
    }
    let runsOnce = head & FilterIndex.Head.runsOnce != 0
    if runsOnce {
      guard try varint(&offset) < info.stampCount else { throw fault(offset) }
    }
    let program = try varint(&offset)
    try programs.validate(program)
    if runsOnce, head & FilterIndex.Head.runsFromStart == 0 {
      guard programs.isPieces(program) else { throw fault(record) }
    }
    try validatePostings(&offset, several: head & FilterIndex.Head.hasSeveralPostings != 0)
    try spend(offset - record, at: record)
  }

  mutating func validateAlwaysRun(_ programs: inout ProgramValidator) throws(ByteCodeError) {
    var offset = index.alwaysRun
    guard offset < end else { throw fault(index.keyFilter - 12) }
    for _ in 0..<(try varint(&offset)) {
      try validateFilterRecord(Int(inFile: try varint(&offset)), alwaysRuns: true, &programs)
    }
  }
}
