package import ContentBlocking
internal import RuleMatching

/// A rule, by the positions of its list and itself.
package struct RuleID: Hashable, Sendable {
  package var list: Int
  package var rule: Int

  /// Creates an identifier.
  package init(list: Int, rule: Int) {
    self.list = list
    self.rule = rule
  }
}

extension Explanation {
  /// The rule that decides the load.
  ///
  /// For a load that loads unchanged, the exception without which it would not; `nil` if no rule
  /// matters.
  package var decider: RuleID? {
    let isChanged = decision.newURL != nil
    for action in decision.actions where action.isEffective {
      switch action.kind {
      case .block where decision.isBlocked: return RuleID(list: action.list, rule: action.rules[0])
      case .redirect where isChanged, .makeHTTPS where isChanged:
        if !decision.isBlocked { return RuleID(list: action.list, rule: action.rules[0]) }
      default: continue
      }
    }
    if let action = decision.actions.first(where: { $0.kind == .blockCookies && $0.isEffective }) {
      return RuleID(list: action.list, rule: action.rules[0])
    }
    for match in matches {
      if let rule = exception(behind: match) { return RuleID(list: match.list, rule: rule) }
    }
    return nil
  }
}

extension Explanation.Fate {
  /// The fate in one word.
  package var word: String {
    switch self {
    case .applied: "applied"
    case .merged: "merged"
    case .cancelled: "cancelled"
    case .swallowed: "swallowed"
    case .inert: "inert"
    case .tooLate: "too-late"
    }
  }

  /// Returns the rule behind the fate.
  package func cause(list: Int) -> RuleID? {
    switch self {
    case .applied, .inert: nil
    case .merged(let rule), .cancelled(let rule), .swallowed(let rule):
      RuleID(list: list, rule: rule)
    case .tooLate(let list, let rule): RuleID(list: list, rule: rule)
    }
  }
}
