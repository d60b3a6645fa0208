/// The rules of one JSON array, in order, without those that the engine skips.
///
/// > Source: the rule language, section 1. WebKit: `parseRuleList`.
public struct RuleList: Hashable, Sendable {
  /// The active rules, in the list's order; ``Rule/index`` still counts skipped ones.
  public var rules: [Rule]

  /// Creates a list of the given rules.
  public init(rules: [Rule]) {
    self.rules = rules
  }
}
