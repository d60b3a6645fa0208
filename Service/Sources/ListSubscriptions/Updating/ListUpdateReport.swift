/// The result of updating one list.
public struct ListUpdateReport: Equatable, Sendable {
  /// What happened.
  public enum Outcome: Equatable, Sendable {
    /// Another list acts now; with the rules before, if there were any.
    case changed(rulesBefore: Int?)
    /// There is nothing new.
    case unchanged
    /// It failed, and what acted before acts on.
    case failed(SubscriptionError)
    /// It was not tried; the clause says why.
    case skipped(String)
  }

  /// The subscription as it is after the update.
  public var subscription: Subscription
  /// What happened.
  public var outcome: Outcome
  /// What else the user may want to know, in clauses.
  public var notes: [String] = []

  /// Whether it failed.
  public var isFailure: Bool {
    if case .failed = outcome { true } else { false }
  }
}
