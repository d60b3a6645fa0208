/// Checks every record of a compiled file, so that the interpreter cannot leave its bounds.
///
/// Each table slot leads to a record, each number of a record is in range, each program that a filter names is
/// valid. The bytes checked in a section may not exceed its size, so overlapping records cannot make it long.
struct Validator {
  private let image: Image
  private let sections: SectionTable
  private let info: ListInfo

  private static let indexes = [Section.urlIndex, .topURLIndex, .frameURLIndex]

  /// Checks a file.
  ///
  /// - Parameters:
  ///   - image: The file.
  ///   - mayLackSource: As of ``SectionTable/init(readingHeaderOf:mayLackSource:verifiesChecksum:)``.
  ///   - callBoth: What calls two functions, if each has much to do; each once, and waits for both.
  /// - Returns: Where the sections are, and where the postings of the filters begin that may be crowded.
  /// - Throws: ``ByteCodeError`` with the first fault in the order of ``validateInOrder()``.
  static func validate(
    _ image: Image,
    mayLackSource: Bool,
    callBoth: CallBoth
  ) throws(ByteCodeError) -> (SectionTable, crowds: [Int]) {
    if let result = try? validateInParts(image, mayLackSource: mayLackSource, callBoth) {
      return result
    }
    // Something is at fault, and what comes first is to be reported.
    let sections = try SectionTable(
      readingHeaderOf: image,
      mayLackSource: mayLackSource,
      verifiesChecksum: true
    )
    return (sections, try Validator(image, sections).validateInOrder())
  }

  private init(_ image: Image, _ sections: SectionTable) throws(ByteCodeError) {
    self.image = image
    self.sections = sections
    let infoStart = sections.start(.info)
    guard sections.size(.info) == ListInfo.size else {
      throw ByteCodeError(.badSection, at: infoStart)
    }
    info = ListInfo(image, at: infoStart)
    // Scratches are sized by these counts, so each must be backed by bytes of the file.
    guard info.conditionCount < 1 << 24, info.stampCount < 1 << 24, info.threadCount < 1 << 24,
      Int(info.stampCount) <= Self.indexes.reduce(0, { $0 + sections.size($1) }),
      Int(info.threadCount) <= sections.size(.programs) / Opcode.threadSize
    else { throw ByteCodeError(.badRecord, at: infoStart) }
    // Audits and explanations have a record for each rule. A rule takes more than 8 bytes of the source; small
    // files, and those without a source, may claim as many rules as cost little memory.
    let ruleLimit = max(1 << 20, image.count, sections.size(.source) / 8)
    guard info.ruleCount <= UInt64(ruleLimit), info.skippedCount <= info.ruleCount else {
      throw ByteCodeError(.badRecord, at: infoStart)
    }
  }

  /// Checks the tables, the indexes one after the other (keys, grams, filters), and the programs.
  ///
  /// - Returns: Where the postings of the filters begin that may be crowded.
  private func validateInOrder() throws(ByteCodeError) -> [Int] {
    try validateTables()
    var found = findings()
    for section in Self.indexes {
      let records = try records(of: section)
      let size = try KeyWalk(records, found.programs).validateInOrder(&found)
      _ = try records.validateFilterRecords(bytesLeft: records.size - size, &found)
    }
    try found.programs.validate()
    return found.crowds
  }

  /// Checks a file in two parts: the tables with most records of keys, and all else.
  ///
  /// Each checks the programs that it has met, at most all of them.
  ///
  /// - Throws: Any fault, if there is one.
  private static func validateInParts(
    _ image: Image,
    mayLackSource: Bool,
    _ callBoth: CallBoth
  ) throws(ByteCodeError) -> (SectionTable, crowds: [Int]) {
    let sections = try SectionTable(
      readingHeaderOf: image,
      mayLackSource: mayLackSource,
      verifiesChecksum: false
    )
    let validator = try Validator(image, sections)
    var all: [RecordValidator] = []
    for section in Self.indexes { all.append(try validator.records(of: section)) }
    let indexes = all
    let division = WorkDivision(sections, indexes)
    let first = Part(validator.findings())
    let second = Part(validator.findings())
    (division.isWorthBoth ? callBoth : callInTurn)(
      {
        first.check { part throws(ByteCodeError) in
          try validator.validateTables()
          if division.firstHasChecksum { try SectionTable.verifyChecksum(of: image) }
          for records in indexes {
            try part.validateKeys(records, division.slots(of: records).first)
          }
        }
      },
      {
        second.check { part throws(ByteCodeError) in
          if !division.firstHasChecksum { try SectionTable.verifyChecksum(of: image) }
          for records in indexes {
            try part.validateKeys(records, division.slots(of: records).second)
            part.bytesLeft.append(
              try records.validateFilterRecords(bytesLeft: records.size, &part.found)
            )
          }
        }
      }
    )
    if let fault = first.fault ?? second.fault { throw fault }
    for (place, records) in indexes.enumerated() {
      guard let keys = first.keys[place].followed(by: second.keys[place]),
        keys.places.lowerBound == 0,
        // Searches end at an empty slot.
        keys.hasEmptySlot || records.index.keySlots == 0,
        // Records of keys and of filters together take no more than there is.
        min(keys.places.upperBound, records.size) <= second.bytesLeft[place]
      else { throw ByteCodeError(.badSection, at: records.index.keyTable) }
    }
    return (sections, first.found.crowds + second.found.crowds)
  }

  /// What a part of the checks has found, which only its thread changes.
  private final class Part: @unchecked Sendable {
    var found: RecordFindings
    /// For each index what its slots lead to.
    var keys: [KeyWalk.Records] = []
    /// For each index how many bytes its filter records leave of all records.
    var bytesLeft: [Int] = []
    var fault: ByteCodeError?

    init(_ found: consuming RecordFindings) { self.found = found }

    /// Calls a function, and checks the programs that it has noted.
    func check(_ body: (Part) throws(ByteCodeError) -> Void) {
      do throws(ByteCodeError) {
        try body(self)
        try found.programs.validate()
      } catch { fault = error }
    }

    func validateKeys(
      _ records: RecordValidator,
      _ slots: Range<Int>
    ) throws(ByteCodeError) {
      keys.append(try KeyWalk(records, found.programs).validate(slots, &found))
    }
  }

  private func findings() -> RecordFindings {
    RecordFindings(
      programs: ProgramValidator(image: image, sections: sections, threadLimit: info.threadCount)
    )
  }

  /// Checks all but the indexes and the programs.
  private func validateTables() throws(ByteCodeError) {
    for (section, recordSize) in [
      (Section.slots, Slot.size), (.entryClasses, EntryClass.size), (.characterSets, 16),
    ] where sections.size(section) % recordSize != 0 {
      throw ByteCodeError(.badSection, at: sections.start(section))
    }
    if info.globalSheet != Slot.noText {
      try validateText(info.globalSheet, from: sections.start(.info))
    }
    try validateSlots()
    try validateClasses()
    try validateUniversal()
  }

  private func validateText(_ text: UInt32, from offset: Int) throws(ByteCodeError) {
    let start = sections.start(.texts) + Int(inFile: text)
    guard start + 4 <= sections.end(.texts),
      Int(inFile: image.u32(start)) <= sections.end(.texts) - start - 4
    else { throw ByteCodeError(.badRecord, at: offset) }
  }

  private func validateSlots() throws(ByteCodeError) {
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

  private func validateClasses() throws(ByteCodeError) {
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

  private func validateUniversal() throws(ByteCodeError) {
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

  /// What checks the records of an index, whose tables are in its section.
  private func records(of section: Section) throws(ByteCodeError) -> RecordValidator {
    let start = sections.start(section)
    let end = sections.end(section)
    guard end - start >= FilterIndex.headerSize,
      FilterIndex.filterBits ~= image.u32(start + 8),
      FilterIndex.filterBits ~= image.u32(start + 20),
      FilterIndex.tablesSize(image, at: start) < UInt64(end - start - FilterIndex.headerSize)
    else { throw ByteCodeError(.badSection, at: start) }
    let index = FilterIndexView(image, at: start)
    guard index.gramStride <= FilterIndex.strides.upperBound, image.u32(start + 4) < 1 << 3,
      image.u8(start + 40) == (section == .urlIndex ? 1 : 0),
      index.keyNumbers.areValid(haveRules: index.postingsHaveRules),
      index.anchors & ~(HostAnchor.atStart | HostAnchor.anywhere) == 0,
      index.anchors == 0 || index.keySlots > 0, index.gramStride == 0 || index.gramBuckets > 0,
      index.filterRecords <= end, index.filterRecords & 3 == index.records & 3
    else { throw ByteCodeError(.badSection, at: start) }
    return RecordValidator(
      image: image,
      index: index,
      end: end,
      info: info,
      classCount: UInt32(sections.size(.entryClasses) / EntryClass.size)
    )
  }
}
