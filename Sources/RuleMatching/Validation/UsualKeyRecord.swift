/// The usual kind of key record: a word with one filter, which has a program and one posting.
///
/// One word of eight bytes holds all numbers behind the key, so a few operations tell all about it.
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

  /// How far from a record's start it is read: the first byte, the longest key, the filter's head, and eight
  /// bytes.
  static let longestReach = 1 + FilterIndex.maximumWord + 1 + 8

  private let image: Image
  /// Where the key table and the records begin.
  private let table: Int
  private let records: Int
  /// Records may begin before this, from the records' start.
  private let end: UInt
  /// The bytes of the numbers together, and where those of the posting and of its rule begin, in bits.
  private let size: Int
  private let postingShift: UInt64
  private let ruleShift: UInt64
  private let programMask: UInt64
  private let postingMask: UInt64
  /// Without rules 0, so that each rule is read as 0.
  private let ruleMask: UInt64
  private let programLimit: UInt64
  private let postingLimit: UInt64
  private let ruleLimit: UInt64

  init(_ validator: RecordValidator, _ programs: borrowing ProgramValidator) {
    let index = validator.index
    let numbers = index.keyNumbers
    image = validator.image
    table = index.keyTable
    records = index.records
    size = Int(numbers.program) + numbers.ofPosting
    // Numbers that do not fit a word make every record one of another kind.
    let readable = size <= 8 ? validator.end - index.records - Self.longestReach : 0
    end = UInt(max(0, readable))
    postingShift = 8 * UInt64(numbers.program)
    ruleShift = min(63, postingShift + 8 * UInt64(numbers.posting))
    programMask = Self.mask(numbers.program)
    postingMask = Self.mask(numbers.posting)
    ruleMask = Self.mask(numbers.rule)
    programLimit = UInt64(programs.end - programs.start)
    let haveRules = index.postingsHaveRules
    postingLimit = UInt64(haveRules ? validator.classCount : validator.info.conditionCount)
    ruleLimit = haveRules ? UInt64(validator.info.ruleCount) : 1
  }

  private static func mask(_ size: UInt8) -> UInt64 { 1 << (8 * UInt64(size)) - 1 }

  /// Goes over slots that lead to records of this kind, to the first other one or to the end, and notes
  /// their programs.
  ///
  /// `end` must be a number of slots of the table.
  @unsafe
  @inline(__always)
  func advance(
    _ walk: inout Walk,
    unchecked end: Int,
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
      let first = unsafe image.u8(unchecked: records &+ place)
      let head = place &+ 1 &+ Int(first & 63)
      let filter = unsafe KeyFilterHead(image.u8(unchecked: records &+ head))
      let numbers = unsafe image.u64(unchecked: records &+ head &+ 1)
      let program = numbers & programMask
      let posting = numbers &>> postingShift & postingMask
      let rule = numbers &>> ruleShift & ruleMask
      guard first &- 1 < 63, filter.isUsual, program < programLimit, posting < postingLimit,
        rule < ruleLimit
      else { break }
      // In bounds: below the limit, which is at most the section's size.
      unsafe programs.note(unchecked: Int(truncatingIfNeeded: program))
      misplaced |= place ^ next
      next = FilterIndex.alignedKey(head &+ 1 &+ size)
      slot &+= 1
    }
    (walk.slot, walk.next, walk.misplaced) = (slot, next, misplaced)
  }
}
