public import ReferenceMatcher
public import TestSupport

/// Generates entries of domain conditions that are not domains at all.
///
/// WebKit makes a pattern of each, escaping too few characters, and `[` once too often.
public struct OddDomainGenerator: Sendable {
  private static let pieces =
    "abzk.-*:/@~!#$%&'()+,;<=>?^_`{|}\\\" 09".map(String.init)
    + [
      "[", "[", "[", "]", "[r-k", "[a-z", "[^", "[]", "\\d", "\\b", "xn--", "{1}", "{0,1}",
      "\\u0041", "(?:", "(?=", "[[:/", "[z-:", "[\\", "[:-/", "[--", "-]", "[0-", "(?<a>", "\\k<a>",
    ]

  /// Makes a generator.
  public init() {}

  /// An entry that may or may not make WebKit refuse its list.
  public func entry(using random: inout RandomSource) -> String {
    let front = random.chance(70) ? random.pick(["a", "*a", "x."]) : ""
    let middle = (0..<random.number(in: 1...7)).map { _ in random.pick(Self.pieces) }.joined()
    return front + middle + (random.chance(50) ? random.pick([".de", ".test", "b"]) : "")
  }

  /// A list of one rule with one such entry.
  public func list(using random: inout RandomSource) -> JSONValue {
    let key = random.pick(["if-domain", "unless-domain"])
    let entry = entry(using: &random)
    return .array([
      .object([
        "trigger": .object(["url-filter": .string(".*"), key: .array([.string(entry)])]),
        "action": .object(["type": .string("block")]),
      ])
    ])
  }
}
