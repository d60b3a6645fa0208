package import ContentBlocking

/// What lists do to the load of an expectation, and which claims do not hold.
package struct ListTestVerdict: Sendable {
  /// A claim that does not hold.
  package struct Failure: Sendable {
    /// The reason why a claim does not hold.
    package enum Reason: Hashable, Sendable {
      /// Something else happens.
      case otherOutcome
      /// It happens, but by these rules, and not by the one that is named.
      case otherRules([ListedRule])
    }

    /// The claim.
    package var claim: ListClaim
    /// Why it does not hold.
    package var reason: Reason
  }

  /// What happens to the load.
  package var decision: LoadDecision
  /// The claims that do not hold; empty if the expectation is met.
  package var failures: [Failure]

  /// Whether all claims hold.
  package var holds: Bool { failures.isEmpty }
}
