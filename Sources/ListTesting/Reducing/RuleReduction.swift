package import ContentBlocking
internal import ContentRules
internal import RuleMatching

/// Finds the fewest rules of a list that still do what is expected.
///
/// Starts from the rules that match the loads, since no other rule takes part in a decision, and
/// tries lists of them, each compiled and asked as a list of its own. First whole parts are left out
/// (delta debugging), then single rules, until none can be left out; then all smaller sets are tried,
/// if there are not too many.
///
/// - Complexity: O(*m*²) small lists for *m* rules that match, mostly O(*m*); the list itself is
///   asked once for each load.
package struct RuleReduction {
  /// What was found.
  package struct Result: Sendable {
    /// The rules, ascending.
    package var rules: [Int]
    /// The number of rules that match a load.
    package var matchedCount: Int
    /// The number of lists that were tried.
    package var trialCount: Int
    /// Whether all smaller sets were tried; otherwise no single rule can be left out.
    package var isFewest: Bool
  }

  /// Why there is no result.
  package enum Failure: Error {
    /// The whole list does not meet these expectations.
    case notMet([(expectation: ListExpectation, verdict: ListTestVerdict)])
    /// The expectations are met without any rule.
    case noRuleNeeded
    /// The rules that match the loads do not meet the expectations without the others.
    case notReproduced
  }

  /// The most smaller sets to try.
  private static let smallerSetLimit = 2_000

  private let list: ContentRuleList
  private let source: ListSource
  private let expectations: [ListExpectation]
  private let permissions: [URLMatchPattern]
  /// Whether an outcome that needs no rule counts only if an exception is behind it.
  private var wantsExceptions: Bool
  private var trialCount = 0
  /// The expectation to try first: the one that failed last, since neighbours often depend on
  /// neighbouring rules.
  private var firstTried = 0

  /// Creates a reduction.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - source: Its source, if it has been read already.
  ///   - expectations: What must still hold.
  ///   - permissions: The loads that the list may redirect.
  ///   - wantsExceptions: Whether `load`, `cookies kept` and `show` hold only if an exception is
  ///     behind them; otherwise no rule is needed for them.
  package init(
    _ list: ContentRuleList,
    source: ListSource? = nil,
    _ expectations: [ListExpectation],
    permissions: [URLMatchPattern] = [],
    wantsExceptions: Bool
  ) {
    self.list = list
    self.source = source ?? ListSource(list.source)
    self.expectations = expectations
    self.permissions = permissions
    self.wantsExceptions = wantsExceptions
  }

  /// Finds the rules.
  ///
  /// - Parameter progress: Called before each trial with the number of those before.
  /// - Returns: The rules.
  /// - Throws: ``Failure`` if there are none.
  package mutating func result(
    progress: (Int) -> Void = { _ in }
  ) throws(Failure) -> Result {
    let judge = ListTestJudge([list], sources: [source])
    judge.grant(permissions)
    var unmet: [(expectation: ListExpectation, verdict: ListTestVerdict)] = []
    for expectation in expectations {
      let verdict = judge.verdict(on: expectation)
      if !verdict.holds { unmet.append((expectation, verdict)) }
    }
    guard unmet.isEmpty else { throw .notMet(unmet) }
    // Without any exception in the whole list, there is none to keep.
    wantsExceptions =
      wantsExceptions && expectations.allSatisfy { judge.hasExceptions(for: $0) }
    let candidates = candidates(judge)
    if holds([]) { throw .noRuleNeeded }
    guard holds(candidates) else { throw .notReproduced }
    var rules = candidates
    var parts = 2
    // Leaves out one part of the rules after the other, in ever smaller parts.
    while rules.count > 1 {
      let size = (rules.count + parts - 1) / parts
      var isSmaller = false
      for start in stride(from: 0, to: rules.count, by: size) {
        progress(trialCount)
        let rest = Array(rules[..<start] + rules[min(rules.count, start + size)...])
        guard !rest.isEmpty, holds(rest) else { continue }
        rules = rest
        parts = max(2, parts - 1)
        isSmaller = true
        break
      }
      if isSmaller { continue }
      // With parts of one rule, none can be left out.
      if size == 1 { break }
      parts = min(rules.count, parts * 2)
    }
    var isFewest = rules.count == 1
    var size = 1
    while size < rules.count {
      guard Self.combinations(candidates.count, size) <= Self.smallerSetLimit else { break }
      if let smaller = firstSet(of: size, candidates, progress) {
        rules = smaller
        isFewest = true
        break
      }
      size += 1
      isFewest = size == rules.count
    }
    return Result(
      rules: rules.sorted(),
      matchedCount: candidates.count,
      trialCount: trialCount,
      isFewest: isFewest
    )
  }

  // MARK: Candidates

  /// Returns the rules that can take part, ascending: those that match, and of those that hide only
  /// those with a selector that is asked for.
  private func candidates(_ judge: ListTestJudge) -> [Int] {
    var rules: Set<Int> = []
    var blocker = ContentBlocker(lists: [list])
    for expectation in expectations {
      let selectors = expectation.claims.compactMap { claim -> String? in
        switch claim.outcome {
        case .hide(let selector), .show(let selector): selector
        default: nil
        }
      }
      let hiding = Set(selectors.flatMap { judge.rules(hiding: $0) }.map(\.rule))
      let explanation = blocker.explanation(
        for: expectation.load,
        sources: [],
        detail: hiding.isEmpty ? [] : .hiding
      )
      for match in explanation.matches {
        if case .cssDisplayNone = source.rule(at: match.rule)?.action,
          !hiding.contains(match.rule)
        {
          continue
        }
        rules.insert(match.rule)
      }
      for rule in hiding {
        if let found = source.rule(at: rule), source.isGlobal(found) { rules.insert(rule) }
      }
    }
    return rules.sorted()
  }

  // MARK: Trials

  /// Whether a list of the given rules alone meets all expectations.
  private mutating func holds(_ rules: [Int]) -> Bool {
    trialCount += 1
    // An empty list is refused, and does what a rule does that matches nothing here.
    let text = rules.isEmpty ? Self.idleList : text(of: rules)
    do throws(RuleListError) {
      let list = try ContentRuleList(identifier: list.identifier, encodedContentRuleList: text)
      let judge = ListTestJudge([list])
      judge.grant(permissions)
      for offset in expectations.indices {
        let place = (firstTried + offset) % expectations.count
        let holds =
          judge.verdict(on: expectations[place]).holds
          && (!wantsExceptions || judge.hasExceptions(for: expectations[place]))
        guard holds else {
          firstTried = place
          return false
        }
      }
      return true
    } catch {
      return false
    }
  }

  private static let idleList =
    #"[{"trigger":{"url-filter":"^tickbird-none:$"},"action":{"type":"block"}}]"#

  /// Returns rules as a list, with their own text.
  package func text(of rules: [Int]) -> String {
    let texts = rules.compactMap { source.rule(at: $0).map { "  " + source.text(of: $0) } }
    return "[\n" + texts.joined(separator: ",\n") + "\n]\n"
  }

  // MARK: Smaller sets

  /// Returns the number of sets of a size; `Int.max` if it is large.
  private static func combinations(_ count: Int, _ size: Int) -> Int {
    var number = 1
    for step in 0..<size {
      let (product, overflows) = number.multipliedReportingOverflow(by: count - step)
      guard !overflows else { return .max }
      number = product / (step + 1)
    }
    return number
  }

  /// Returns the first set of a size that meets the expectations; `nil` if there is none.
  private mutating func firstSet(
    of size: Int,
    _ candidates: [Int],
    _ progress: (Int) -> Void
  ) -> [Int]? {
    guard size <= candidates.count else { return nil }
    var places = Array(0..<size)
    while true {
      progress(trialCount)
      let rules = places.map { candidates[$0] }
      if holds(rules) { return rules }
      guard
        let last = places.indices.last(where: { places[$0] < candidates.count - size + $0 })
      else { return nil }
      places[last] += 1
      for place in places.indices where place > last { places[place] = places[place - 1] + 1 }
    }
  }
}
