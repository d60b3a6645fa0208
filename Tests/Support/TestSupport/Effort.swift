internal import Foundation

/// How much random tests do, and where their numbers begin.
///
///     TICKBIRD_EFFORT=100 TICKBIRD_SEED=7 swift test --filter RuleMatchingTests
public enum Effort {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// How many times as many rounds are made.
  public static let factor = max(1, number("TICKBIRD_EFFORT") ?? 1)
  /// What makes another run another one.
  public static let seed = UInt64(max(1, number("TICKBIRD_SEED") ?? 1))

  /// Every so many-th of cases that take long, beginning at another one for each `TICKBIRD_SEED`; all where that is not
  /// set.
  ///
  /// `Scripts/check` sets a seed that changes every day, so that runs on successive days try all.
  ///
  /// - Parameters:
  ///   - cases: The cases.
  ///   - count: Of how many successive cases one is tried.
  /// - Returns: The cases to try, in their order.
  public static func sample<Cases: Collection>(of cases: Cases, every count: Int) -> [Cases.Element]
  {
    guard number("TICKBIRD_SEED") != nil else { return Array(cases) }
    // Two days are ten thousand seeds apart.
    let turn = Int((seed / 10_000 + seed % 10_000) % UInt64(count))
    return cases.enumerated().filter { $0.offset % count == turn }.map(\.element)
  }
}

extension RandomSource {
  /// A text of up to `maximum` characters of an alphabet.
  public mutating func text(of alphabet: [UInt8], upTo maximum: Int) -> [UInt8] {
    (0..<Int.random(in: 0...maximum, using: &self)).map { _ in
      alphabet[Int.random(in: alphabet.indices, using: &self)]
    }
  }
}
