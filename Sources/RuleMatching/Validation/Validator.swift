/// Checks every record of a compiled file, so that the interpreter cannot leave its bounds.
///
/// Makes one pass over the file, and in one at fault another: each table slot leads to a record, each
/// number of a record is in range, each program that a filter names is valid. The bytes checked in a
/// section may not exceed its size, so overlapping records cannot make the pass long.
struct Validator {
  let image: Image
  let sections: SectionTable

  func validate() throws(ByteCodeError) {
    let infoStart = sections.start(.info)
    guard sections.size(.info) == ListInfo.size else {
      throw ByteCodeError(.badSection, at: infoStart)
    }
    let info = ListInfo(image, at: infoStart)
    // Scratches are sized by these counts, so each must be backed by bytes of the file.
    guard info.conditionCount < 1 << 24, info.stampCount < 1 << 24, info.threadCount < 1 << 24,
      Int(info.stampCount) <= sections.size(.urlIndex) + sections.size(.topURLIndex)
        + sections.size(.frameURLIndex),
      Int(info.threadCount) <= sections.size(.programs) / Opcode.threadSize
    else { throw ByteCodeError(.badRecord, at: infoStart) }
    // Audits and explanations have a record for each rule. A rule takes more than 8 bytes of the source; small
    // files, and those without a source, may claim as many rules as cost little memory.
    let ruleLimit = max(1 << 20, image.count, sections.size(.source) / 8)
    guard info.ruleCount <= UInt64(ruleLimit), info.skippedCount <= info.ruleCount else {
      throw ByteCodeError(.badRecord, at: infoStart)
    }
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
    do {
      try validateIndexes(info, together: true)
    } catch {
      // Walks from several places may have begun at wrong ones, and noted programs there that are none.
      try validateIndexes(info, together: false)
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

  /// Checks the indexes and the programs of their filters; see ``KeyWalk/validate(together:_:)``.
  private func validateIndexes(_ info: ListInfo, together: Bool) throws(ByteCodeError) {
    var programs = ProgramValidator(
      image: image,
      sections: sections,
      threadLimit: info.threadCount
    )
    for section in [Section.urlIndex, .topURLIndex, .frameURLIndex] {
      try validateIndex(section, info, together: together, &programs)
    }
    try programs.validate()
  }

  private func validateIndex(
    _ section: Section,
    _ info: ListInfo,
    together: Bool,
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
    let records = RecordValidator(
      image: image,
      index: index,
      end: end,
      info: info,
      classCount: UInt32(sections.size(.entryClasses) / EntryClass.size)
    )
    var keys = try KeyWalk(records, programs)
    let keySize = try keys.validate(together: together, &programs)
    var last: UInt32 = 0
    for bucket in 0...index.gramBuckets {
      let entry = image.u32(index.gramTable + 4 * bucket)
      guard entry >= last, entry <= index.gramEntryCount else {
        throw ByteCodeError(.badRecord, at: index.gramTable + 4 * bucket)
      }
      last = entry
    }
    try records.validateFilterRecords(bytesLeft: end - index.records - keySize, &programs)
  }
}
