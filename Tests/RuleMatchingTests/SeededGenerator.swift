import Foundation

/// How much random tests do, and where their numbers begin.
///
///     TICKBIRD_EFFORT=100 TICKBIRD_SEED=7 swift test --filter RuleMatchingTests
enum Effort {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// How many times as many rounds are made.
  static let factor = max(1, number("TICKBIRD_EFFORT") ?? 1)
  /// What makes another run another one.
  static let seed = UInt64(max(1, number("TICKBIRD_SEED") ?? 1))
}

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

  /// A text of up to `maximum` characters of an alphabet.
  mutating func text(of alphabet: [UInt8], upTo maximum: Int) -> [UInt8] {
    (0..<Int.random(in: 0...maximum, using: &self)).map { _ in
      alphabet[Int.random(in: alphabet.indices, using: &self)]
    }
  }
}
