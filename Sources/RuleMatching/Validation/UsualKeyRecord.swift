/// The usual kind of key record: a word with one filter, which has a program and one posting.
///
/// Two words of eight bytes hold all that is behind the key, so a few operations tell all about it.
/// Its numbers are compared as they are: seven bits a byte, their high bits clear, they are in the order
/// of the numbers that they encode.
struct UsualKeyRecord {
  /// How far a walk over the slots of a key table has come.
  struct Walk {
    /// The next slot.
    var slot: Int
    /// Where its record must begin, from the records' start.
    var next: Int
    /// Not zero once a slot named another place.
    ///
    /// A branch for each record would make the processor, which reads several at once, wait for the end of
    /// the one before.
    var misplaced = 0
    var hasEmptySlot: Bool
  }

  /// How far from a record's start it is read: the first byte, the longest key, the filter's head, the
  /// longest program's number, and eight bytes.
  static let longestReach = 1 + FilterIndex.maximumWord + 1 + 5 + 8

  private let image: Image
  /// Where the key table and the records begin.
  private let table: Int
  private let records: Int
  /// Records may begin before this, from the records' start.
  private let end: UInt
  private let programLimit: UInt64
  private let numberLimit: UInt64
  private let ruleLimit: UInt64

  init(_ validator: RecordValidator, _ programs: borrowing ProgramValidator) {
    let index = validator.index
    image = validator.image
    table = index.keyTable
    records = index.records
    end = UInt(max(0, validator.end - index.records - Self.longestReach))
    let haveRules = validator.index.postingsHaveRules
    programLimit = Self.bytes(of: UInt32(clamping: min(programs.end - programs.start, 1 << 28)))
    numberLimit = Self.bytes(of: haveRules ? validator.classCount : validator.info.conditionCount)
    ruleLimit = haveRules ? Self.bytes(of: validator.info.ruleCount) : .max
  }

  /// A number's bytes as LEB128 has them, without the high bits.
  private static func bytes(of number: UInt32) -> UInt64 {
    (0..<5).reduce(0) { $0 | (UInt64(number) &>> UInt64(7 * $1) & 0x7F) &<< UInt64(8 * $1) }
  }

  /// Goes over slots that lead to records of this kind, to the first other one or to the end, and notes
  /// their programs.
  ///
  /// `end` must be a number of slots of the table. `haveRules` says whether postings do.
  @unsafe
  @inline(__always)
  func advance(
    _ walk: inout Walk,
    unchecked end: Int,
    haveRules: Bool,
    _ programs: inout ProgramValidator
  ) {
    var (slot, next, misplaced) = (walk.slot, walk.next, walk.misplaced)
    while slot < end {
      let value = unsafe image.u32(unchecked: table &+ 4 &* slot)
      if value == 0 {
        walk.hasEmptySlot = true
        slot &+= 1
        continue
      }
      let place = FilterIndex.keyPlace(value)
      // What is read of the record ends within the section.
      guard UInt(bitPattern: place) < self.end else { break }
      let size = unsafe size(unchecked: place, haveRules: haveRules, &programs)
      guard size > 0 else { break }
      misplaced |= place ^ next
      next = FilterIndex.alignedKey(place &+ size)
      slot &+= 1
    }
    (walk.slot, walk.next, walk.misplaced) = (slot, next, misplaced)
  }

  /// Returns a record's size, and notes its program; 0 if it is of another kind or at fault.
  ///
  /// `longestReach` bytes must be readable from the place on.
  @unsafe
  @inline(__always)
  private func size(
    unchecked place: Int,
    haveRules: Bool,
    _ programs: inout ProgramValidator
  ) -> Int {
    let first = unsafe image.u8(unchecked: records &+ place)
    let head = place &+ 1 &+ Int(first & 63)
    let word = unsafe image.u64(unchecked: records &+ head)
    // The last byte of a number has its high bit clear. A program's has at most five.
    let stops = ~word & 0x8080_8080_8000
    let postings = head &+ 1 &+ stops.trailingZeroBitCount &>> 3
    guard first &- 1 < 63, KeyFilterHead(UInt8(truncatingIfNeeded: word)).isUsual, stops != 0
    else { return 0 }
    let program = Self.upToFirst(stops, of: word & Self.groups) &>> 8
    // The numbers of a posting have at most six bytes together, so that none has more than five.
    let posting = unsafe image.u64(unchecked: records &+ postings)
    let firstStops = ~posting & (haveRules ? 0x8080_8080_8080 : 0x80_8080_8080)
    let secondStops = firstStops & (firstStops &- 1)
    let lastStops = haveRules ? secondStops : firstStops
    let number = Self.upToFirst(firstStops, of: posting & Self.groups)
    let numberEnd = UInt64(truncatingIfNeeded: firstStops.trailingZeroBitCount &+ 1)
    let rule = Self.upToFirst(secondStops, of: posting & Self.groups) &>> numberEnd
    guard program < programLimit, number < numberLimit, !haveRules || rule < ruleLimit,
      lastStops != 0
    else { return 0 }
    let low = program & 0x7F | program &>> 1 & 0x3F80 | program &>> 2 & 0x1F_C000
    // In bounds: below the limit, which is at most the section's size.
    unsafe programs.note(unchecked: Int(truncatingIfNeeded: low | program &>> 3 & 0xFE0_0000))
    return postings &+ 1 &+ lastStops.trailingZeroBitCount &>> 3 &- place
  }

  /// The seven bits of a number that each byte has.
  private static var groups: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

  /// Returns the bits of a word up to the first bit of another one.
  @inline(__always)
  private static func upToFirst(_ stop: UInt64, of word: UInt64) -> UInt64 {
    word & (stop ^ (stop &- 1))
  }
}
