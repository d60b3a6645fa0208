package import ContentBlocking

/// The rules of audited lists, for reports on those that never matched: an audit has no texts of these.
package struct AuditedRules: Sendable {
  private let sources: [ListSource]

  /// Reads the rules of the lists that were audited, in their order.
  package init(_ lists: [ContentRuleList]) { sources = lists.map { ListSource($0.source) } }

  /// Returns what a rule is, with nothing counted; `nil` if there is no such rule.
  func record(list: Int, rule: Int) -> AuditedList.RuleRecord? {
    guard sources.indices.contains(list) else { return nil }
    return sources[list].rule(at: rule).map { AuditedList.RuleRecord(describing: $0) }
  }
}
