/// The properties of code points that processing a domain needs, decoded once from ``IDNAData``.
struct IDNATables: Sendable {
  /// The tables, decoded on first use in less than a millisecond.
  static let shared = IDNATables()

  /// How a code point may appear in a domain.
  enum Status: UInt32 {
    case valid
    case ignored
    case mapped
    case disallowed
  }

  /// The properties of a code point in one word.
  ///
  /// Bits 0–1 status, 2–5 bidi class, 6–8 joining type, 9 general category Mark, 10–17 canonical
  /// combining class. All but the status are zero unless the code point is valid: a label with any
  /// other is refused anyway.
  struct Properties: Sendable {
    var word: UInt32

    var status: Status { Status(rawValue: word & 3) ?? .disallowed }
    var bidiClass: BidiClass { BidiClass(rawValue: UInt8(word >> 2 & 15)) ?? .other }
    var joiningType: JoiningType { JoiningType(rawValue: UInt8(word >> 6 & 7)) ?? .none }
    var isMark: Bool { word & 1 << 9 != 0 }
    var combiningClass: UInt8 { UInt8(word >> 10 & 255) }
  }

  /// The bidi classes that a label may contain.
  enum BidiClass: UInt8 {
    case other, l, r, al, an, en, es, cs, et, on, bn, nsm
  }

  /// The joining types that the rule for joiners distinguishes.
  enum JoiningType: UInt8 {
    case none, left, right, dual, transparent
  }

  /// A canonical decomposition in one step; `second` is 0 for a single code point.
  struct Decomposition: Sendable {
    var composed: UInt32
    var first: UInt32
    var second: UInt32
  }

  private let runStarts: [UInt32]
  private let runProperties: [Properties]
  private let mappedCodes: [UInt32]
  /// The mapping of code *i* lies in the pool from entry *i* up to entry *i* + 1.
  private let mappingStarts: [Int]
  private let mappingPool: [UInt32]
  /// In the order of `composed`.
  private let decompositions: [Decomposition]
  /// Those that can be composed, in the order of (first, second).
  private let compositions: [Decomposition]

  private init() {
    var stream = NumberStream(base64: IDNAData.text)
    var kinds: [Properties] = []
    for _ in 0..<stream.next() { kinds.append(Properties(word: stream.next())) }
    var code: UInt32 = 0
    var starts: [UInt32] = []
    var properties: [Properties] = []
    for _ in 0..<stream.next() {
      code += stream.next()
      starts.append(code)
      properties.append(kinds[Int(stream.next())])
    }
    (runStarts, runProperties) = (starts, properties)

    code = 0
    var codes: [UInt32] = []
    var poolStarts = [0]
    var pool: [UInt32] = []
    for _ in 0..<stream.next() {
      code += stream.next()
      codes.append(code)
      var target = code
      for _ in 0..<stream.next() {
        target = stream.next(from: target)
        pool.append(target)
      }
      poolStarts.append(pool.count)
    }
    (mappedCodes, mappingStarts, mappingPool) = (codes, poolStarts, pool)

    code = 0
    var all: [Decomposition] = []
    var composing: [Decomposition] = []
    for _ in 0..<stream.next() {
      code += stream.next()
      let first = stream.next(from: code)
      let second = stream.next()
      let entry = Decomposition(composed: code, first: first, second: second >> 1)
      all.append(entry)
      if second & 1 != 0 { composing.append(entry) }
    }
    decompositions = all
    compositions = composing.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  /// Returns the properties of a code point.
  func properties(of code: UInt32) -> Properties {
    // The first run starts at 0, so there is always one before the partition point.
    let index = runStarts.partitionPoint { $0 > code } - 1
    return runProperties[index]
  }

  /// Returns the replacement of a mapped code point; empty for any other.
  func mapping(of code: UInt32) -> ArraySlice<UInt32> {
    let index = mappedCodes.partitionPoint { $0 >= code }
    guard index < mappedCodes.count, mappedCodes[index] == code else { return [] }
    return mappingPool[mappingStarts[index]..<mappingStarts[index + 1]]
  }

  /// Returns one step of the canonical decomposition of a code point, apart from Hangul.
  func decomposition(of code: UInt32) -> Decomposition? {
    let index = decompositions.partitionPoint { $0.composed >= code }
    guard index < decompositions.count, decompositions[index].composed == code else { return nil }
    return decompositions[index]
  }

  /// Returns the code point that two others compose to, apart from Hangul.
  func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
    let index = compositions.partitionPoint { ($0.first, $0.second) >= (first, second) }
    guard index < compositions.count, compositions[index].first == first,
      compositions[index].second == second
    else { return nil }
    return compositions[index].composed
  }
}

extension Array {
  /// Returns the first index whose element satisfies a condition that all later elements satisfy,
  /// too.
  fileprivate func partitionPoint(_ isBehind: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Numbers in groups of seven bits, read from base64 text; past the end all numbers are zero.
private struct NumberStream {
  private var bytes: [UInt8] = []
  private var index = 0

  init(base64 text: StaticString) {
    bytes.reserveCapacity(text.utf8CodeUnitCount / 4 * 3)
    text.withUTF8Buffer { text in
      var bits: UInt32 = 0
      var count = 0
      for position in text.indices {
        guard let value = Self.value(unsafe text[position]) else { continue }
        bits = bits << 6 | value
        count += 6
        if count >= 8 {
          count -= 8
          bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
      }
    }
  }

  mutating func next() -> UInt32 {
    var value: UInt32 = 0
    var shift: UInt32 = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      value |= UInt32(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return value
  }

  /// Returns a number that is stored as the difference from a reference.
  mutating func next(from reference: UInt32) -> UInt32 {
    let value = next()
    return value & 1 == 0 ? reference &+ value >> 1 : reference &- (value >> 1 + 1)
  }

  private static func value(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
