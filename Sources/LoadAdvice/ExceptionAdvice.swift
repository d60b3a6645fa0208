public import ContentBlocking
internal import ContentRules

/// A rule that lets one load through, tried on all loads of which it is one.
public struct ExceptionAdvice {
  /// The rule, as JSON.
  public let rule: String
  /// The lists that block the load, by their indexes: the rule has to be the last one of each.
  public let lists: [Int]
  /// Why it is not harmless; nil if it lets the load through and changes nothing else.
  public let objection: String?
  /// The other loads that it would change, by their indexes.
  public let changes: [Int]

  /// Why there is no advice.
  public enum Refusal: Error {
    /// The lists do not block the load.
    case notBlocked
    /// Its URL and page cannot be said by host and path.
    case notSayable
  }

  /// Tries the exception for a load.
  ///
  /// - Parameters:
  ///   - place: The index of the load.
  ///   - loads: All loads on which it is tried.
  ///   - lists: All lists.
  /// - Throws: A ``Refusal`` where there can be none.
  /// - Complexity: O(*n* + *r*) for *n* loads and *r* rules of all lists.
  public init(
    for place: Int,
    of loads: [ResourceLoad],
    by lists: [ContentRuleList]
  ) throws(Refusal) {
    guard let rule = LoadException.rule(for: loads[place]) else { throw .notSayable }
    self.rule = rule
    var blocker = ContentBlocker(lists: lists)
    let decision = blocker.decision(for: loads[place])
    let blocking = Set(
      decision.actions.filter { $0.kind == .block && $0.isEffective }.map(\.list)
    )
    guard decision.isBlocked, !blocking.isEmpty else { throw .notBlocked }
    self.lists = blocking.sorted()
    let sources = lists.map { ListSource($0.source) }
    var pages: [String: [Int]] = [:]
    for (number, load) in loads.enumerated() {
      pages[load.topURL.serialized, default: []].append(number)
    }
    let trial = ChangeTrial(
      loads,
      pages: pages.values.sorted { $0[0] < $1[0] },
      sources: sources,
      globalRules: sources.map(\.globalRules),
      &blocker
    )
    // The same rule lets other loads through, which are blocked as well.
    let wanted = loads.indices.filter { other in
      other == place
        || LoadException.rule(for: loads[other]) == rule
          && blocker.decision(for: loads[other]).isBlocked
    }
    switch trial.result(of: .append(rule, lists: blocking), wanted: Set(wanted)) {
    case .proven: (objection, changes) = (nil, [])
    case .refuted(let reason, let others): (objection, changes) = (reason, others)
    }
  }
}
