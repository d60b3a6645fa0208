internal import ContentRules

/// What makes rules the same: everything but their places.
struct RuleContent: Hashable {
  private let trigger: Trigger
  private let action: Action
  private let identifier: RuleIdentifier?

  /// Takes it from a rule.
  init(_ rule: Rule) {
    trigger = rule.trigger
    action = rule.action
    identifier = rule.identifier
  }
}
