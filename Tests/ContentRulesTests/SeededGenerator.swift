/// A generator of the same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// Bytes made of pieces of the given texts, with some bytes replaced by others.
  mutating func mutation(of sources: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...3, using: &self) {
      guard let source = sources.randomElement(using: &self) else { continue }
      let start = Int.random(in: 0...source.count, using: &self)
      bytes += source[start..<Int.random(in: start...source.count, using: &self)]
    }
    for _ in 0..<Int.random(in: 0...3, using: &self) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &self)
      bytes[index] = UInt8.random(in: 0...255, using: &self)
    }
    return bytes
  }
}
