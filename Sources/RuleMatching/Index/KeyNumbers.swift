/// In how many bytes the numbers of a filter behind a key are stored, the same for all filters of an index.
///
/// Each kind of number takes as many bytes as the largest of the index needs. Numbers of one size are found and
/// checked by few instructions, and nine of ten filters have a key; nearly all take as many bytes in LEB128.
@frozen
public struct KeyNumbers: Hashable, Sendable {
  /// The bytes of a program's number, 1 to 4.
  let program: UInt8
  /// The bytes of a single posting's entry class or condition, 1 to 4.
  let posting: UInt8
  /// The bytes of a single posting's rule, 1 to 4; 0 if postings have none.
  let rule: UInt8

  /// Creates the sizes that the largest numbers need.
  ///
  /// - Parameters:
  ///   - program: The largest number of a program.
  ///   - posting: The largest number of an entry class or condition.
  ///   - rule: The largest number of a rule; `nil` if postings have none.
  public init(largestProgram program: UInt32, posting: UInt32, rule: UInt32?) {
    self.program = Self.size(of: program)
    self.posting = Self.size(of: posting)
    self.rule = rule.map(Self.size(of:)) ?? 0
  }

  /// Reads the sizes from the uppermost 24 bits of an index's field.
  init(field: UInt32) {
    program = UInt8(truncatingIfNeeded: field &>> 8)
    posting = UInt8(truncatingIfNeeded: field &>> 16)
    rule = UInt8(truncatingIfNeeded: field &>> 24)
  }

  /// The sizes as the index's field has them, in its uppermost 24 bits.
  public var field: UInt32 { UInt32(program) << 8 | UInt32(posting) << 16 | UInt32(rule) << 24 }

  /// Whether the sizes are ones that the format has.
  func areValid(haveRules: Bool) -> Bool {
    1...4 ~= program && 1...4 ~= posting && (haveRules ? 1...4 ~= rule : rule == 0)
  }

  /// The bytes of a single posting.
  @inline(__always)
  var ofPosting: Int { Int(posting) &+ Int(rule) }

  /// Appends a program's number.
  public func append(program number: UInt32, to records: inout [UInt8]) {
    Self.append(number, program, to: &records)
  }

  /// Appends a single posting; the rule is ignored if postings have none.
  public func append(posting number: UInt32, rule: UInt32, to records: inout [UInt8]) {
    Self.append(number, posting, to: &records)
    Self.append(rule, self.rule, to: &records)
  }

  private static func append(_ number: UInt32, _ size: UInt8, to records: inout [UInt8]) {
    for byte in 0..<UInt32(size) {
      records.append(UInt8(truncatingIfNeeded: number &>> (8 &* byte)))
    }
  }

  private static func size(of number: UInt32) -> UInt8 {
    UInt8(max(1, (39 - number.leadingZeroBitCount) / 8))
  }
}

extension Image {
  /// Reads a number of 0 to 4 bytes and advances the offset past it.
  ///
  /// Reads four bytes, which lie within the file because the universal table follows all records.
  @inline(__always)
  func number(_ offset: inout Int, size: UInt8) -> UInt32 {
    let word = UInt64(u32(offset))
    offset &+= Int(size)
    return UInt32(truncatingIfNeeded: word & (1 &<< (8 &* UInt64(size)) &- 1))
  }
  /// Reads the single posting of a filter behind a key and advances the offset past it.
  @inline(__always)
  func posting(_ offset: inout Int, _ sizes: KeyNumbers) -> Posting {
    let posting = number(&offset, size: sizes.posting)
    return Posting(number: posting, rule: number(&offset, size: sizes.rule))
  }
}
