/// Something about a rule that its author can do without, and the proof in words.
package struct ListFinding: Hashable, Sendable {
  /// What was found.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    /// No URL matches the rule's pattern.
    case neverMatches = "never-matches"
    /// The rule's conditions exclude each other.
    case contradiction
    /// Other rules leave it nothing to do.
    case shadowed
    /// Others do the same to whatever it matches.
    case redundant
    /// A later exception cancels whatever it does.
    case alwaysCancelled = "always-cancelled"
    /// There is nothing that the exception could cancel.
    case cancelsNothing = "cancels-nothing"
    /// Its pattern is another spelling of that of another rule.
    case samePattern = "same-pattern"
    /// A cheaper spelling means the same.
    case costly
  }

  /// The rule's number in its list.
  package var rule: Int
  /// What was found.
  package var code: Code
  /// The numbers of the rules that are the reason, ascending; empty if it is the rule itself.
  package var because: [Int]
  /// One sentence without a full stop.
  package var text: String
  /// Whether the list decides every load as before without the rule, whatever else is removed that
  /// has this set.
  package var isRemovable: Bool
}
