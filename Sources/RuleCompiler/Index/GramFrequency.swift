internal import RuleMatching

/// How often groups of four bytes occur in URLs at large.
///
/// What a literal is filed under should be rare, since looking for it finds something wherever it
/// occurs, whether the rest of the literal is there or not.
struct GramFrequency {
  /// How many of 1024 URLs contain a group that the table does not have, about.
  private static let rare: UInt16 = 1

  /// Open addressing, at most half full: the gram, and how many of 1024 URLs contain it.
  private var grams: [UInt32]
  private var shares: [UInt16]

  /// The frequencies of ``GramFrequencyData``.
  static let ofURLs = GramFrequency(levels: GramFrequencyData.levels)

  private init(levels: [StaticString]) {
    let count = levels.reduce(0) { $0 + $1.utf8CodeUnitCount / 4 }
    var slots = 64
    while slots < 2 * count { slots *= 2 }
    grams = Array(repeating: 0, count: slots)
    shares = Array(repeating: Self.rare, count: slots)
    for (level, text) in levels.enumerated() {
      let bytes = Array("\(text)".utf8)
      for place in stride(from: 0, to: bytes.count - 3, by: 4) {
        let gram = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
        let slot = slot(of: gram)
        grams[slot] = gram
        // Between one URL in 2ⁿ and one in 2ⁿ⁺¹.
        shares[slot] = max(Self.rare, UInt16(768 >> level))
      }
    }
  }

  /// How many of 1024 URLs contain a group of four folded bytes, little-endian; never 0.
  func share(of gram: UInt32) -> Int {
    let slot = slot(of: gram)
    return grams[slot] == gram ? Int(shares[slot]) : Int(Self.rare)
  }

  /// How many of 1024 URLs contain the rarest group of a literal, about.
  func share(of run: LiteralRun) -> Int {
    var rarest = Int.max
    for place in 0...max(0, run.text.count - FilterIndex.gramLength) {
      var gram: UInt32 = 0
      for index in 0..<FilterIndex.gramLength where place + index < run.text.count {
        gram |= UInt32(run.text[place + index]) << UInt32(8 * index)
      }
      rarest = min(rarest, share(of: gram))
    }
    return rarest
  }

  /// Whether every third URL or more contains a literal, as far as its groups tell.
  func isNearlyEverywhere(_ run: LiteralRun) -> Bool { share(of: run) > 340 }

  /// The slot of a group, or the free one where it belongs.
  private func slot(of gram: UInt32) -> Int {
    let mask = grams.count - 1
    var slot = Int((gram &* 0x9E37_79B1) >> 12) & mask
    while grams[slot] != 0, grams[slot] != gram { slot = (slot + 1) & mask }
    return slot
  }
}
