import Testing

@testable import RuleCompiler

@Suite("Hashes with a seed")
struct SeededHashTests {
  /// Grams whose first byte and the low bits of whose second one are the same, as a list's author can choose
  /// them.
  private static let grams = (0..<1 << 16 as Range<UInt32>).map { 113 | 1 << 8 | $0 << 10 }

  @Test("two grams have different hashes")
  func distinct() {
    #expect(Set(Self.grams.map(SeededHash.ofGram)).count == Self.grams.count)
  }

  @Test("grams that begin alike are spread over all of a table", arguments: [10, 14, 18, 20])
  func spread(bits: UInt32) {
    let parts: UInt32 = 16
    var counts = [Int](repeating: 0, count: Int(parts))
    for gram in Self.grams {
      let slot = SeededHash.ofGram(gram) & (1 << bits - 1)
      counts[Int(slot >> (bits - 4))] += 1
    }
    // 4,096 are expected in each.
    for count in counts { #expect((2_048...8_192).contains(count)) }
  }
}
