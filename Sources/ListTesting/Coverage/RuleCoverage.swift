package import ContentBlocking
internal import ContentRules

/// Which rules of a list the expectations exercise.
///
/// A rule is exercised if it took part in deciding a load: its action took effect, alone or merged
/// with equal ones; or an exception cancelled it; or it is an exception that cancelled something. A
/// rule that hides is exercised only by an expectation about its selector, since most of them act
/// on every page.
package struct RuleCoverage: Sendable {
  /// What became of a rule.
  package enum State: UInt8, Sendable {
    /// The list has no such rule, because its selector is not valid.
    case skipped
    /// No expectation's load matched it, or no expectation was about its selector.
    case untouched
    /// It matched, but had no effect.
    case idle
    /// It took part in a decision.
    case exercised
  }

  /// The numbers of a group of rules.
  package struct Count: Hashable, Sendable {
    /// The rules that are exercised.
    package var exercised = 0
    /// All rules.
    package var total = 0
  }

  /// The states of the list's rules.
  package private(set) var states: [State]

  init(_ source: ListSource) {
    states = [State](repeating: .untouched, count: source.ruleCount)
    for rule in source.skippedRules where rule < states.count { states[rule] = .skipped }
  }

  mutating func mark(_ rule: Int, _ state: State) {
    guard states.indices.contains(rule), states[rule].rawValue < state.rawValue else { return }
    states[rule] = state
  }

  /// Adds what other expectations of the same list exercised.
  package mutating func merge(_ other: RuleCoverage) {
    for (rule, state) in other.states.enumerated() { mark(rule, state) }
  }

  /// The numbers of the list.
  package var count: Count {
    var count = Count()
    for state in states where state != .skipped {
      count.total += 1
      if state == .exercised { count.exercised += 1 }
    }
    return count
  }

  /// Returns the numbers by the word of the rules' action, in the order of the most rules.
  package func groups(_ source: ListSource) -> [(action: String, count: Count)] {
    var counts: [String: Count] = [:]
    for (index, state) in states.enumerated() where state != .skipped {
      guard let word = source.rule(at: index)?.action.word else { continue }
      counts[word, default: Count()].total += 1
      if state == .exercised { counts[word, default: Count()].exercised += 1 }
    }
    return counts.sorted { ($1.value.total, $0.key) < ($0.value.total, $1.key) }
      .map { (action: $0.key, count: $0.value) }
  }
}

extension ListTestJudge {
  /// Adds the matches of a load, without those that hide, to the coverage of their lists.
  func cover(_ matches: [Explanation.Match]) {
    for match in matches {
      let rule = ListedRule(list: match.list, rule: match.rule)
      switch match.fate {
      case .applied, .merged:
        // An exception acts only if it cancels something.
        let action = sources[match.list].rule(at: match.rule)?.action
        let isException = action == .ignorePreviousRules || action == .ignoreFollowingRules
        cover(rule, isException ? .idle : .exercised)
      case .cancelled(let cause), .swallowed(let cause):
        cover(rule)
        cover(ListedRule(list: match.list, rule: cause))
      case .inert, .tooLate: cover(rule, .idle)
      }
    }
  }
}
