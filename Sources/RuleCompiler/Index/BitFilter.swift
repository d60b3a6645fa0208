internal import RuleMatching

/// A Bloom filter: `contains` may say yes for a hash that was never inserted, but never no for one
/// that was; see ``RuleMatching/FilterIndex``.
struct BitFilter {
  /// Caps a filter at 2²² bits, which are 512 KiB and fit a second-level cache.
  static let largestBits = 22
  /// Bits per inserted hash, until the cap is reached.
  private static let bitsPerHash = 10
  /// Caps the key filter at 2²⁴ bits, which are 2 MiB.
  static let largestBitsOfKeys = 24

  private(set) var words: [UInt32]
  let bits: Int

  init(bits: Int) {
    self.bits = bits
    words = Array(repeating: 0, count: 1 << (bits - 5))
  }

  /// Returns log₂ of the number of bits for `count` hashes.
  static func bits(for count: Int, largest: Int = largestBits) -> Int {
    var bits = 7
    while bits < largest, 1 << bits < count * bitsPerHash { bits += 1 }
    return bits
  }

  /// Estimates the false-positive rate: the share of hashes not inserted that pass anyway.
  static func shareOfPasses(entries: Int, bits: Int) -> Double {
    // Each hash sets two bits. 1 − e^−x is approximated by x / (1 + x): `exp` would need the C
    // library.
    let load = 2 * Double(entries) / Double(1 << bits)
    let set = load / (1 + load)
    return set * set
  }

  mutating func insert(_ hash: UInt64) {
    words[Int(hash >> FilterIndex.filterShift(bits: UInt64(bits)))] |= FilterIndex.filterMask(hash)
  }
}
