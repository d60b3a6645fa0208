internal import Automata
internal import RuleMatching

/// Distinct byte strings, numbered in the order of their first appearance.
///
/// Strings are stored back to back in one array and found by open addressing. Each process seeds
/// its hashes anew, so that no list can be written to make them collide; no output depends on them.
struct ByteStringTable {
  /// Reused memory: the string that ``numberOfDraft()`` looks up.
  var draft: [UInt8] = []
  /// All strings, one after the other.
  private(set) var bytes: [UInt8] = []
  /// Where each string ends; it begins at the end of the one before.
  private var ends: [Int] = []
  private var numbers = ProbingTable()

  /// The number of strings.
  var count: Int { ends.count }

  /// Makes room for so many strings, of so many bytes together, as are expected.
  mutating func reserve(_ count: Int, byteCount: Int) {
    bytes.reserveCapacity(byteCount)
    ends.reserveCapacity(count)
  }

  /// Returns a string's range in ``bytes``.
  func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

  /// Returns the number of the string in ``draft``, adding it if it is new.
  mutating func numberOfDraft() -> (number: Int, isNew: Bool) {
    // Taken out meanwhile, so that no reference to it is counted.
    var string: [UInt8] = []
    swap(&string, &draft)
    defer { swap(&string, &draft) }
    return number(of: string.span)
  }

  /// The hash of the string in ``draft``, for ``numberOfDraft(hash:)``.
  var hashOfDraft: UInt32 { UInt32(truncatingIfNeeded: SeededHash.of(draft.span)) }

  /// Returns the number of the string in ``draft``, which has this hash; `nil` if it is not here.
  func numberOfDraft(hash: UInt32) -> Int? {
    var probe = numbers.probe(hash)
    while let number = numbers.next(&probe) {
      if isEqual(number, draft.span) { return number }
    }
    return nil
  }

  /// Returns the number of a string, adding it if it is new.
  mutating func number(of string: Span<UInt8>) -> (number: Int, isNew: Bool) {
    number(of: string, hash: UInt32(truncatingIfNeeded: SeededHash.of(string)))
  }

  /// Returns the number of another table's string, adding it if it is new.
  mutating func number(
    ofString place: Int,
    in other: ByteStringTable
  ) -> (number: Int, isNew: Bool) {
    let string = other.bytes.span.extracting(other.range(place))
    return number(of: string, hash: other.numbers.hash(of: place))
  }

  private mutating func number(
    of string: Span<UInt8>,
    hash: UInt32
  ) -> (number: Int, isNew: Bool) {
    var probe = numbers.probe(hash)
    while let number = numbers.next(&probe) {
      if isEqual(number, string) { return (number, false) }
    }
    numbers.addNext(at: probe)
    bytes.append(string)
    ends.append(bytes.count)
    return (count - 1, true)
  }

  private func isEqual(_ number: Int, _ string: Span<UInt8>) -> Bool {
    let range = range(number)
    return bytes.span.isEqual(range.lowerBound, range.count, string)
  }
}

extension Span<UInt8> {
  /// Whether `count` bytes from `start` on equal another span.
  func isEqual(_ start: Int, _ count: Int, _ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    let (mine, others) = unsafe (extracting(start..<start + count).bytes, other.bytes)
    var offset = 0
    while offset + 8 <= count {
      let word = unsafe mine.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard
        unsafe word == others.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      else { return false }
      offset += 8
    }
    while offset < count {
      guard self[start + offset] == other[offset] else { return false }
      offset += 1
    }
    return true
  }
}

/// A hash of bytes with a seed that differs from process to process.
enum SeededHash {
  private static let seeds = (
    UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max) | 1
  )

  /// Returns the hash of a string: 128-bit products, folded to 64 bits.
  static func of(_ string: Span<UInt8>) -> UInt64 {
    let (first, second) = seeds
    let bytes = unsafe string.bytes
    let count = string.count
    var hash = first ^ UInt64(truncatingIfNeeded: count)
    var offset = 0
    while offset + 8 <= count {
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = fold(hash ^ UInt64(littleEndian: word), second)
      offset += 8
    }
    if offset < count {
      var word: UInt64 = 0
      if count >= 8 {
        let last = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        word = UInt64(littleEndian: last)
      } else {
        for place in 0..<count { word |= UInt64(string[place]) << UInt64(8 * place) }
      }
      hash = fold(hash ^ word, second)
    }
    return fold(hash, first | 1)
  }

  /// Returns the hash of an entry class.
  static func of(_ entryClass: EntryClass) -> UInt32 {
    let (first, second) = seeds
    let slotAndFlags = UInt64(entryClass.slot) << 32 | UInt64(entryClass.flagsAndKind)
    let hash = fold(fold(slotAndFlags ^ first, second) ^ UInt64(entryClass.condition), second)
    return UInt32(truncatingIfNeeded: fold(hash, first | 1))
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
