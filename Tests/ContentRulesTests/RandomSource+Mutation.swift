import TestSupport

extension RandomSource {
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
