internal import RuleMatching

/// A set of hashes that says "no" for certain and "yes" perhaps; see ``RuleMatching/FilterIndex``.
struct BitFilter {
  /// 2²² bits are 512 KiB, a second-level cache.
  static let largestBits = 22
  /// Bits for each hash where the size is not limited.
  private static let bitsPerHash = 10
  /// 2²⁴ bits are 2 MiB.
  static let largestBitsOfKeys = 24

  private(set) var words: [UInt64]
  let bits: Int

  init(bits: Int) {
    self.bits = bits
    words = Array(repeating: 0, count: 1 << (bits - 6))
  }

  /// log₂ of the number of bits for so many hashes.
  static func bits(for count: Int, largest: Int = largestBits) -> Int {
    var bits = 7
    while bits < largest, 1 << bits < count * bitsPerHash { bits += 1 }
    return bits
  }

  /// About the share of other hashes that a filter lets pass.
  static func shareOfPasses(entries: Int, bits: Int) -> Double {
    // Two bits of each hash; the chance that one is set by another, without needing `exp`.
    let load = 2 * Double(entries) / Double(1 << bits)
    let set = load / (1 + load)
    return set * set
  }

  mutating func insert(_ hash: UInt64) {
    words[Int(hash >> FilterIndex.filterShift(bits: UInt64(bits)))] |= FilterIndex.filterMask(hash)
  }
}
