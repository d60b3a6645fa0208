// Hot when a list is opened: most of a list's bytes are key records. Guarded by `Scripts/count-instructions`;
// Documentation/Performance.md, "Opening".

/// Checks the key table of an index, and the key records, which follow one another from the records' start
/// in the order of their slots.
struct KeyWalk {
  /// What a range of slots leads to.
  struct Records {
    /// Where the first record begins and the last one ends, from the records' start; 0 and 0 without any.
    var places: Range<Int>
    var hasEmptySlot: Bool

    /// What these slots and the ones behind them lead to; nil if their records do not follow one another.
    func followed(by others: Records) -> Records? {
      let oneIsEmpty = places.isEmpty || others.places.isEmpty
      guard oneIsEmpty || places.upperBound == others.places.lowerBound else { return nil }
      return Records(
        places: places.isEmpty
          ? others.places
          : places.lowerBound..<max(places.upperBound, others.places.upperBound),
        hasEmptySlot: hasEmptySlot || others.hasEmptySlot
      )
    }
  }

  private let validator: RecordValidator
  private let usual: UsualKeyRecord

  private var image: Image { validator.image }
  private var index: FilterIndexView { validator.index }

  init(_ validator: RecordValidator, _ programs: borrowing ProgramValidator) {
    self.validator = validator
    usual = UsualKeyRecord(validator, programs)
  }

  /// Checks some slots of the table and the records that they lead to, one behind the other.
  ///
  /// - Parameters:
  ///   - slots: A range of the table's slots.
  ///   - found: What is noted of the records.
  /// - Returns: What the slots lead to.
  /// - Throws: Any fault, if there is one.
  func validate(
    _ slots: Range<Int>,
    _ found: inout RecordFindings
  ) throws(ByteCodeError) -> Records {
    precondition(0 <= slots.lowerBound && slots.upperBound <= index.keySlots, "no such slots")
    guard let first = slots.first(where: { slotValue($0) != 0 }) else {
      return Records(places: 0..<0, hasEmptySlot: !slots.isEmpty)
    }
    let start = FilterIndex.keyPlace(slotValue(first))
    var walk = UsualKeyRecord.Walk(
      slot: first,
      next: start,
      hasEmptySlot: first > slots.lowerBound
    )
    while true {
      // The slots are some of the table, whose bounds were checked above.
      unsafe usual.advance(
        &walk,
        unchecked: slots.upperBound,
        &found.programs
      )
      // Bounds the time: slots that lead into other records may not make a long one be read often.
      guard walk.misplaced == 0 else { throw fault(first) }
      guard walk.slot < slots.upperBound else { break }
      guard FilterIndex.keyPlace(slotValue(walk.slot)) == walk.next else { throw fault(walk.slot) }
      walk.next = try placeBehind(walk.next, &found)
      walk.slot += 1
    }
    return Records(places: start..<walk.next, hasEmptySlot: walk.hasEmptySlot)
  }

  /// Checks all slots and records, each before the next.
  ///
  /// - Parameter found: What is noted of the records.
  /// - Returns: How many bytes the records take.
  /// - Throws: The first fault in the order of the slots.
  func validateInOrder(_ found: inout RecordFindings) throws(ByteCodeError) -> Int {
    var next = 0
    var hasEmptySlot = false
    for slot in 0..<index.keySlots {
      let value = slotValue(slot)
      if value == 0 {
        hasEmptySlot = true
        continue
      }
      guard FilterIndex.keyPlace(value) == next else { throw fault(slot) }
      next = try placeBehind(next, &found)
    }
    // Searches end at an empty slot.
    guard hasEmptySlot || index.keySlots == 0 else {
      throw ByteCodeError(.badSection, at: index.keyTable)
    }
    return next
  }

  @inline(__always)
  private func slotValue(_ slot: Int) -> UInt32 {
    // In bounds: the section is larger than its tables.
    unsafe image.u32(unchecked: index.keyTable &+ 4 &* slot)
  }

  private func fault(_ slot: Int) -> ByteCodeError {
    ByteCodeError(.badRecord, at: index.keyTable + 4 * slot)
  }

  /// Checks a record of any kind, and returns where the next one may begin.
  @inline(never)
  private func placeBehind(
    _ place: Int,
    _ found: inout RecordFindings
  ) throws(ByteCodeError) -> Int {
    var offset = index.records + place
    guard place >= 0, offset < validator.end else {
      throw ByteCodeError(.badRecord, at: validator.end)
    }
    try validator.validateKeyRecord(&offset, &found)
    return FilterIndex.alignedKey(offset - index.records)
  }
}
