// Hot when a list is opened: most of a list's bytes are key records. Where a record ends is known only
// when its numbers are found, so one walk waits for the processor at each record; four walks at once
// wait together. Guarded by `Scripts/count-instructions`; Documentation/Performance.md, "Opening".

/// Checks the key records of an index, which follow one another from the records' start, and that each
/// slot of the table leads to one of them.
struct KeyWalk: ~Copyable {
  private let validator: RecordValidator
  private let usual: UsualKeyRecord
  /// The records from which `usual` may begin to read end here, from the records' start.
  private let usualEnd: Int
  /// How many records there are.
  private let count: Int
  /// The places where records begin, in units of their alignment.
  private var begins: PlaceSet

  private var image: Image { validator.image }
  private var index: FilterIndexView { validator.index }

  init(_ validator: RecordValidator, _ programs: borrowing ProgramValidator) throws(ByteCodeError) {
    self.validator = validator
    let index = validator.index
    count = validator.image.countOfUsed(index.keySlots, at: index.keyTable)
    guard count < index.keySlots || index.keySlots == 0 else {
      throw ByteCodeError(.badSection, at: index.keyTable)
    }
    usual = UsualKeyRecord(validator, programs)
    usualEnd = validator.end - index.records - UsualKeyRecord.longestReach
    // Beyond the units of the section there are two more, see `validateSlots`.
    begins = PlaceSet(through: Self.units(validator) + 1)
  }

  private static func units(_ validator: RecordValidator) -> Int {
    (validator.end - validator.index.records + 1) / FilterIndex.keyAlignment
  }

  /// Checks records and slots.
  ///
  /// With `together`, the records are walked over from several places at once. In a file at fault some
  /// of these may be wrong, so that what is thrown and what was noted then means nothing; without it,
  /// the first fault in the file's order is thrown.
  ///
  /// - Returns: How many bytes the records take.
  mutating func validate(
    together: Bool,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) -> Int {
    var size = 0
    if together, let starts = starts() {
      size = try walk(from: starts, &programs)
    } else {
      for _ in 0..<count { try step(&size, &programs) }
    }
    try validateSlots()
    return size
  }

  @inline(__always)
  private static func aligned(_ place: Int) -> Int {
    (place &+ FilterIndex.keyAlignment &- 1) & ~(FilterIndex.keyAlignment &- 1)
  }

  /// Advances a place, where a record begins, to where the next one may.
  @inline(__always)
  private mutating func step(
    _ place: inout Int,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) {
    if place < usualEnd {
      // In bounds by the comparison, since no place is negative: what is read of the record ends within
      // the section.
      unsafe begins.insert(unchecked: place &>> 1)
      let size = unsafe usual.size(unchecked: place, &programs)
      place = Self.aligned(place &+ size)
      if size > 0 { return }
    }
    try stepUnusual(&place, &programs)
  }

  @inline(never)
  private mutating func stepUnusual(
    _ place: inout Int,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) {
    var offset = index.records + place
    guard offset < validator.end else { throw ByteCodeError(.badRecord, at: validator.end) }
    begins.insert(place &>> 1)
    try validator.validateKeyRecord(&offset, &programs)
    place = Self.aligned(offset - index.records)
  }

  /// Walks over the records from their start and from three other places at once.
  ///
  /// Each walk must end where the next one began, so that together they saw what a single one would:
  /// as many records, one behind the other.
  ///
  /// - Returns: Where the records end.
  private mutating func walk(
    from starts: (b: Int, c: Int, d: Int),
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) -> Int {
    var (a, b, c, d) = (0, starts.b, starts.c, starts.d)
    var left = count
    // Filter records follow the key records, perhaps behind some padding.
    let end = index.filterRecords - index.records - FilterIndex.filterAlignment
    while a < starts.b, b < starts.c, c < starts.d, d < end, left >= 4 {
      try step(&a, &programs)
      try step(&b, &programs)
      try step(&c, &programs)
      try step(&d, &programs)
      left &-= 4
    }
    try walk(&a, to: starts.b, &left, &programs)
    try walk(&b, to: starts.c, &left, &programs)
    try walk(&c, to: starts.d, &left, &programs)
    for _ in 0..<left { try step(&d, &programs) }
    return d
  }

  /// Walks over at most `left` records to a place where one must end.
  private mutating func walk(
    _ place: inout Int,
    to end: Int,
    _ left: inout Int,
    _ programs: inout ProgramValidator
  ) throws(ByteCodeError) {
    while place < end, left > 0 {
      try step(&place, &programs)
      left &-= 1
    }
    guard place == end else { throw ByteCodeError(.badRecord, at: index.records + place) }
  }

  /// Returns three places of records, near the quarters of what the records take, as some slots say.
  ///
  /// - Returns: `nil` for a table that is not worth it.
  private func starts() -> (b: Int, c: Int, d: Int)? {
    let samples = 256
    guard index.keySlots >= samples else { return nil }
    // Filter records follow the key records.
    let quarter = (index.filterRecords - index.records) / 4
    var found = (b: 0, c: 0, d: 0)
    // From all over the table, whose slots may be in the order of the records.
    for sample in 0..<samples {
      let slot = index.keySlots / samples * sample
      let place = index.keyRecord(image.u32(index.keyTable + 4 * slot)) - index.records
      guard place > 0 else { continue }
      func choose(_ best: inout Int, _ wanted: Int) {
        if abs(place - wanted) < abs(best - wanted) { best = place }
      }
      choose(&found.b, quarter)
      choose(&found.c, 2 * quarter)
      choose(&found.d, 3 * quarter)
    }
    return 0 < found.b && found.b < found.c && found.c < found.d ? found : nil
  }

  private mutating func validateSlots() throws(ByteCodeError) {
    // No record begins at unit `units`, so its bit stays clear: it stands for references out of
    // range. The bit after it is set: it stands for empty slots.
    let units = Self.units(validator)
    let unused = units + 1
    begins.insert(unused)
    for slot in 0..<index.keySlots {
      // No branch on whether a slot is in use, which is unpredictable: for an empty slot, 0 − 1 is
      // cut to `unused`, for any other to `units`.
      let value = image.u32(index.keyTable + 4 * slot)
      let limit = UInt32(truncatingIfNeeded: value == 0 ? unused : units)
      let unit = Int(min(value & FilterIndex.keyReference &- 1, limit))
      // In bounds: neither limit is above the set's last place.
      guard unsafe begins.contains(unchecked: unit) else {
        throw ByteCodeError(.badRecord, at: index.keyTable + 4 * slot)
      }
    }
  }
}

/// The usual kind of key record: a word with one filter, which has a program and one posting.
///
/// Two words of eight bytes hold all that is behind the key, so a few operations tell all about it.
/// Its numbers are compared as they are: seven bits a byte, their high bits clear, they are in the order
/// of the numbers that they encode.
@safe
struct UsualKeyRecord {
  /// How far from a record's start it is read: the first byte, the longest key, the filter's head, the
  /// longest program's number, and eight bytes.
  static let longestReach = 1 + FilterIndex.maximumWord + 1 + 5 + 8

  private let records: UnsafePointer<UInt8>
  private let hasRules: Bool
  private let programLimit: UInt64
  private let numberLimit: UInt64
  private let ruleLimit: UInt64

  init(_ validator: RecordValidator, _ programs: borrowing ProgramValidator) {
    unsafe records = validator.image.address(unchecked: validator.index.records)
    hasRules = validator.index.postingsHaveRules
    programLimit = Self.bytes(of: UInt32(clamping: min(programs.end - programs.start, 1 << 28)))
    numberLimit = Self.bytes(of: hasRules ? validator.classCount : validator.info.conditionCount)
    ruleLimit = hasRules ? Self.bytes(of: validator.info.ruleCount) : .max
  }

  /// A number's bytes as LEB128 has them, without the high bits.
  private static func bytes(of number: UInt32) -> UInt64 {
    (0..<5).reduce(0) { $0 | (UInt64(number) &>> UInt64(7 * $1) & 0x7F) &<< UInt64(8 * $1) }
  }

  /// Returns a record's size, and notes its program; 0 if it is of another kind or at fault.
  ///
  /// `longestReach` bytes must be readable from the place on.
  @unsafe
  @inline(__always)
  func size(unchecked place: Int, _ programs: inout ProgramValidator) -> Int {
    let first = unsafe records[place]
    let head = place &+ 1 &+ Int(first & 63)
    let word = unsafe eightBytes(head)
    // The last byte of a number has its high bit clear. A program's has at most five.
    let stops = ~word & 0x8080_8080_8000
    let postings = head &+ 1 &+ stops.trailingZeroBitCount &>> 3
    guard first &- 1 < 63, KeyFilterHead(UInt8(truncatingIfNeeded: word)).isUsual, stops != 0
    else { return 0 }
    let program = Self.upToFirst(stops, of: word & Self.groups) &>> 8
    // The numbers of a posting have at most six bytes together, so that none has more than five.
    let posting = unsafe eightBytes(postings)
    let firstStops = ~posting & (hasRules ? 0x8080_8080_8080 : 0x80_8080_8080)
    let secondStops = firstStops & (firstStops &- 1)
    let lastStops = hasRules ? secondStops : firstStops
    let number = Self.upToFirst(firstStops, of: posting & Self.groups)
    // Without rules this is any number, and the limit above all.
    let numberEnd = UInt64(truncatingIfNeeded: firstStops.trailingZeroBitCount &+ 1)
    let rule = Self.upToFirst(secondStops, of: posting & Self.groups) &>> numberEnd
    guard program < programLimit, number < numberLimit, rule < ruleLimit, lastStops != 0 else {
      return 0
    }
    let low = program & 0x7F | program &>> 1 & 0x3F80 | program &>> 2 & 0x1F_C000
    // In bounds: below the limit, which is at most the section's size.
    unsafe programs.note(unchecked: Int(truncatingIfNeeded: low | program &>> 3 & 0xFE0_0000))
    return postings &+ 1 &+ lastStops.trailingZeroBitCount &>> 3 &- place
  }

  @unsafe
  @inline(__always)
  private func eightBytes(_ place: Int) -> UInt64 {
    unsafe UInt64(
      littleEndian: UnsafeRawPointer(records).loadUnaligned(fromByteOffset: place, as: UInt64.self)
    )
  }

  /// The seven bits of a number that each byte has.
  private static var groups: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

  /// Returns the bits of a word up to the first bit of another one.
  @inline(__always)
  private static func upToFirst(_ stop: UInt64, of word: UInt64) -> UInt64 {
    word & (stop ^ (stop &- 1))
  }
}
