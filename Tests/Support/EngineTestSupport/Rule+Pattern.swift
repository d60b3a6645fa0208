package import ContentRules
package import ResourceLoads

extension Rule {
  /// A rule for a pattern.
  package init(
    _ index: Int,
    _ pattern: String,
    isCaseSensitive: Bool = false,
    flags: TriggerFlags = TriggerFlags(),
    condition: Condition? = nil,
    action: Action = .block,
    identifier: RuleIdentifier? = nil
  ) {
    self.init(
      index: index,
      trigger: Trigger(
        urlFilter: URLFilter(pattern, isCaseSensitive: isCaseSensitive),
        flags: flags,
        condition: condition
      ),
      action: action,
      identifier: identifier
    )
  }
}
