internal import Automata

/// Distinct byte strings, numbered in the order of their first appearance.
///
/// The strings lie one after the other in one array and are found by open addressing. Hashes are
/// seeded differently in each process, so that no list can be written to make them collide; nothing
/// that is compiled depends on them.
struct ByteStringTable {
  /// Memory for the string that ``numberOfDraft()`` asks for.
  var draft: [UInt8] = []
  /// All strings, one after the other.
  private(set) var bytes: [UInt8] = []
  /// Where each string ends; it begins where the one before ends.
  private var ends: [Int] = []
  private var numbers = ProbingTable()

  /// How many strings there are.
  var count: Int { ends.count }

  /// A string's place in ``bytes``.
  func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

  /// The number of the string in ``draft``, which is added if it is new.
  mutating func numberOfDraft() -> (number: Int, isNew: Bool) {
    let string = draft
    return number(of: string.span)
  }

  /// The number of a string, which is added if it is new.
  mutating func number(of string: Span<UInt8>) -> (number: Int, isNew: Bool) {
    var probe = numbers.probe(UInt32(truncatingIfNeeded: SeededHash.of(string)))
    while let number = numbers.next(&probe) {
      if isEqual(number, string) { return (number, false) }
    }
    numbers.add(count, at: probe)
    unsafe string.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    ends.append(bytes.count)
    return (count - 1, true)
  }

  private func isEqual(_ number: Int, _ string: Span<UInt8>) -> Bool {
    let range = range(number)
    return bytes.span.isEqual(range.lowerBound, range.count, string)
  }
}

extension Span<UInt8> {
  /// Whether so many bytes from a place on are those of another span.
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

  /// The hash of a string: products of 128 bits, folded.
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

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
