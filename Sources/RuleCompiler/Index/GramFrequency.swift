internal import RuleMatching

/// How often grams, groups of four bytes, occur in real URLs.
///
/// A literal is indexed under its rarest grams, because every occurrence of a gram costs a look-up
/// whether the rest of the literal is there or not.
struct GramFrequency {
  /// The share, per 1024 URLs, assumed for grams that the table lacks.
  private static let rare: UInt16 = 1

  /// An open-addressing table, at most half full: the gram, and how many of 1024 URLs contain it.
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
        // The middle of the level's range, one URL in 2ⁿ to one in 2ⁿ⁺¹: 1024 · ¾ / 2ⁿ.
        shares[slot] = max(Self.rare, UInt16(768 >> level))
      }
    }
  }

  /// Returns how many of 1024 URLs contain a gram of folded bytes, little-endian; never 0.
  func share(of gram: UInt32) -> Int {
    let slot = slot(of: gram)
    return grams[slot] == gram ? Int(shares[slot]) : Int(Self.rare)
  }

  /// Estimates how many of 1024 URLs contain a literal, by its rarest gram.
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

  /// Whether at least every third URL contains the literal, as far as its grams tell.
  func isNearlyEverywhere(_ run: LiteralRun) -> Bool { share(of: run) > 340 }

  /// Returns the gram's slot, or the free slot where it belongs.
  private func slot(of gram: UInt32) -> Int {
    let mask = grams.count - 1
    var slot = Int((gram &* 0x9E37_79B1) >> 12) & mask
    while grams[slot] != 0, grams[slot] != gram { slot = (slot + 1) & mask }
    return slot
  }
}
