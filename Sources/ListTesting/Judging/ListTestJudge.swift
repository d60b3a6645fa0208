package import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import RuleMatching
internal import WebURL

/// Judges expectations by the engine's decisions.
///
///     let judge = ListTestJudge(lists)
///     judge.grant(file.permissions)
///     for expectation in file.expectations where !judge.verdict(on: expectation).holds { … }
///
/// For one thread. Reads the lists' texts only when a rule has to be known by its pattern or
/// selector, or for coverage.
package final class ListTestJudge {
  /// The lists, in the order in which they decide.
  package let lists: [ContentRuleList]
  /// The lists' rules with their places, read on first use.
  package private(set) lazy var sources: [ListSource] =
    givenSources ?? lists.map { ListSource($0.source) }
  private let givenSources: [ListSource]?
  /// What the expectations exercise of each list; `nil` unless it is counted.
  package private(set) var coverage: [RuleCoverage]?
  private var blocker: ContentBlocker
  private lazy var hiding: [HidingRules] = sources.map { HidingRules($0) }
  /// The rules of each url filter, ascending: many failures may ask for them.
  private lazy var rulesOfPatterns: [String: [ListedRule]] = {
    var rules: [String: [ListedRule]] = [:]
    for list in sources.indices {
      for rule in 0..<sources[list].ruleCount {
        guard let filter = sources[list].rule(at: rule)?.trigger.urlFilter.text else { continue }
        rules[filter, default: []].append(ListedRule(list: list, rule: rule))
      }
    }
    return rules
  }()
  /// Answers about texts of selectors, which many failures may ask for again.
  private var similarSelectors: [String: [String]] = [:]
  /// What the last load hides, which several lines may ask about.
  private var lastHiding: (load: ResourceLoad, page: PageHiding)?

  /// Creates a judge.
  ///
  /// - Parameters:
  ///   - lists: The lists.
  ///   - sources: The lists' sources, if they have been read already.
  ///   - countsCoverage: Whether to count which rules take part in decisions.
  package init(
    _ lists: [ContentRuleList],
    sources: [ListSource]? = nil,
    countsCoverage: Bool = false
  ) {
    self.lists = lists
    givenSources = sources
    blocker = ContentBlocker(lists: lists)
    if countsCoverage { coverage = self.sources.map { RuleCoverage($0) } }
  }

  /// Lets all lists redirect the loads that any of the patterns matches.
  package func grant(_ patterns: [URLMatchPattern]) {
    blocker.permissions = Self.permissions(patterns, of: lists)
  }

  /// The address that stands for the extension's own files, to which `extension-path` redirects.
  package static let extensionBase = "safari-web-extension://extension/"

  /// Returns the permissions by which all lists redirect what the patterns match.
  package static func permissions(
    _ patterns: [URLMatchPattern],
    of lists: [ContentRuleList]
  ) -> [String: ContentBlocker.Permission] {
    guard !patterns.isEmpty else { return [:] }
    let permission = ContentBlocker.Permission(
      patterns: patterns,
      extensionBaseURL: WebURL(extensionBase)
    )
    return Dictionary(lists.map { ($0.identifier, permission) }) { first, _ in first }
  }

  /// Judges an expectation.
  ///
  /// - Complexity: That of deciding the load; a claim about a selector looks up once for a load
  ///   what is hidden.
  package func verdict(on expectation: ListExpectation) -> ListTestVerdict {
    let load = expectation.load
    let needsMatches = coverage != nil || expectation.claims.contains { $0.cause != nil }
    var matches: [Explanation.Match] = []
    let decision: LoadDecision
    if needsMatches {
      let explanation = blocker.explanation(for: load, sources: [], detail: [])
      matches = explanation.matches
      decision = explanation.decision
    } else {
      decision = blocker.decision(for: load, includesHiding: false)
    }
    if coverage != nil { cover(matches) }
    var failures: [ListTestVerdict.Failure] = []
    for claim in expectation.claims {
      if let reason = failure(of: claim, load, decision, matches) {
        failures.append(.init(claim: claim, reason: reason))
      }
    }
    return ListTestVerdict(decision: decision, failures: failures)
  }

  /// Returns why a claim does not hold; `nil` if it does.
  private func failure(
    of claim: ListClaim,
    _ load: ResourceLoad,
    _ decision: LoadDecision,
    _ matches: [Explanation.Match]
  ) -> ListTestVerdict.Failure.Reason? {
    let holds: Bool
    switch claim.outcome {
    case .load: holds = !decision.isBlocked
    case .block: holds = decision.isBlocked
    case .unchanged:
      holds =
        !decision.isBlocked && decision.newURL == nil && !decision.blocksCookies
        && decision.headerChanges.allSatisfy(\.requestHeaders.isEmpty)
    case .cookiesStripped: holds = decision.blocksCookies
    case .cookiesKept: holds = !decision.blocksCookies
    case .https:
      let scheme = decision.newURL?.scheme
      holds =
        (scheme == "https" || scheme == "wss")
        && decision.actions.contains { $0.kind == .makeHTTPS && $0.isEffective }
    case .redirect(let url):
      holds =
        decision.newURL == url
        && decision.actions.contains { $0.kind == .redirect && $0.isEffective }
    case .hide(let selector): return failure(ofHiding: selector, isHidden: true, claim, load)
    case .show(let selector): return failure(ofHiding: selector, isHidden: false, claim, load)
    }
    guard holds else { return .otherOutcome }
    guard let cause = claim.cause else { return nil }
    let rules = Self.deciders(of: claim.outcome, decision, matches)
    return rules.contains { isNamed($0, by: cause) } ? nil : .otherRules(rules)
  }

  /// Adds a rule to the coverage, if it is counted.
  func cover(_ rule: ListedRule, _ state: RuleCoverage.State = .exercised) {
    coverage?[rule.list].mark(rule.rule, state)
  }

  // MARK: Causes

  /// Returns the rules that a cause names.
  ///
  /// - Complexity: O(*n*) for *n* rules when it is asked for a pattern first, then O(1) for each rule that it returns.
  package func rules(named cause: ListClaim.Cause) -> [ListedRule] {
    switch cause {
    case .number(let rule):
      let isThere =
        sources.indices.contains(rule.list) && rule.rule < sources[rule.list].ruleCount
      return isThere ? [rule] : []
    case .pattern(let text):
      return PatternText.readings(of: text).flatMap { rulesOfPatterns[$0] ?? [] }
        .sorted { ($0.list, $0.rule) < ($1.list, $1.rule) }
    }
  }

  /// Returns the rules that hide a selector.
  package func rules(hiding selector: String) -> [ListedRule] {
    lists.indices.flatMap { list in
      hiding[list].rules(hiding: selector).map { ListedRule(list: list, rule: $0) }
    }
  }

  /// Returns selectors of the lists that contain a text, at most the given number.
  package func selectors(containing text: String, limit: Int) -> [String] {
    if let known = similarSelectors[text] { return Array(known.prefix(limit)) }
    let found = hiding.flatMap { $0.selectors(containing: text) }
    similarSelectors[text] = Array(found.prefix(limit))
    return Array(found.prefix(limit))
  }

  /// Returns the rules behind an outcome: those whose action takes effect, or the exceptions
  /// without which another outcome would be possible.
  private static func deciders(
    of outcome: ListClaim.Outcome,
    _ decision: LoadDecision,
    _ matches: [Explanation.Match]
  ) -> [ListedRule] {
    let kind: ActionKind
    switch outcome {
    case .block: kind = .block
    case .cookiesStripped: kind = .blockCookies
    case .https: kind = .makeHTTPS
    case .redirect: kind = .redirect
    case .load, .unchanged, .cookiesKept, .hide, .show: return exceptions(matches)
    }
    let effective = decision.actions.filter { $0.kind == kind && $0.isEffective }
    return Set(
      effective.flatMap { action in
        action.rules.map { ListedRule(list: action.list, rule: $0) }
      }
    ).sorted()
  }

  /// Returns the ignore rules that dropped the actions of others.
  private static func exceptions(_ matches: [Explanation.Match]) -> [ListedRule] {
    Set(
      matches.compactMap { match -> ListedRule? in
        switch match.fate {
        case .cancelled(let rule), .swallowed(let rule):
          return ListedRule(list: match.list, rule: rule)
        case .applied, .merged, .inert, .tooLate: return nil
        }
      }
    ).sorted()
  }

  /// Whether a claim's cause names a rule.
  private func isNamed(_ rule: ListedRule, by cause: ListClaim.Cause) -> Bool {
    switch cause {
    case .number(let number): return number == rule
    case .pattern(let pattern):
      guard let filter = sources[rule.list].rule(at: rule.rule)?.trigger.urlFilter.text else {
        return false
      }
      return PatternText.isSame(pattern, as: filter)
    }
  }

  /// Whether an exception is behind each outcome that needs no rule otherwise.
  func hasExceptions(for expectation: ListExpectation) -> Bool {
    let load = expectation.load
    return expectation.claims.allSatisfy { claim in
      let kind: ActionKind
      switch claim.outcome {
      case .load: kind = .block
      case .cookiesKept: kind = .blockCookies
      case .show(let selector): return !exceptions(for: rules(hiding: selector), load).0.isEmpty
      case .block, .unchanged, .cookiesStripped, .https, .redirect, .hide: return true
      }
      return blocker.explanation(for: load, sources: [], detail: []).matches.contains { match in
        guard let action = sources[match.list].rule(at: match.rule)?.action else { return false }
        switch match.fate {
        case .cancelled, .swallowed:
          return kind == .block ? action == .block : action == .blockCookies
        case .applied, .merged, .inert, .tooLate: return false
        }
      }
    }
  }

  // MARK: Hiding

  private func failure(
    ofHiding selector: String,
    isHidden: Bool,
    _ claim: ListClaim,
    _ load: ResourceLoad
  ) -> ListTestVerdict.Failure.Reason? {
    let page = hiding(of: load)
    var hidden: [ListedRule] = []
    var candidates: [ListedRule] = []
    for list in lists.indices {
      let rules = hiding[list].rules(hiding: selector)
      candidates += rules.map { ListedRule(list: list, rule: $0) }
      guard !rules.isEmpty else { continue }
      let acting = page.rules(ofList: list)
      for rule in rules {
        let acts =
          hiding[list].isGlobal(rule)
          ? page.attachesGlobalSheet[list] : acting.contains(sorted: rule)
        if acts { hidden.append(ListedRule(list: list, rule: rule)) }
      }
    }
    for rule in hidden { cover(rule) }
    guard hidden.isEmpty != isHidden else { return .otherOutcome }
    guard coverage != nil || claim.cause != nil else { return nil }
    var behind = hidden
    if !isHidden, !candidates.isEmpty {
      let (cancelled, exceptions) = exceptions(for: candidates, load)
      for rule in cancelled { cover(rule) }
      if !cancelled.isEmpty { for rule in exceptions { cover(rule) } }
      behind = exceptions
    }
    guard let cause = claim.cause else { return nil }
    return behind.contains { isNamed($0, by: cause) } ? nil : .otherRules(behind)
  }

  /// Returns what a load hides.
  private func hiding(of load: ResourceLoad) -> PageHiding {
    if let lastHiding, lastHiding.load == load { return lastHiding.page }
    var page = PageHiding(listCount: lists.count)
    blocker.addHiding(of: load, to: &page)
    lastHiding = (load, page)
    return page
  }

  /// Returns which of the given hiding rules are cancelled for a load, and the rules that do it.
  private func exceptions(
    for rules: [ListedRule],
    _ load: ResourceLoad
  ) -> (cancelled: [ListedRule], exceptions: [ListedRule]) {
    let wanted = Set(rules)
    let explanation = blocker.explanation(for: load, sources: [], detail: .hiding)
    var cancelled: Set<ListedRule> = []
    var exceptions: Set<ListedRule> = []
    for match in explanation.matches {
      let rule = ListedRule(list: match.list, rule: match.rule)
      guard wanted.contains(rule) else { continue }
      switch match.fate {
      case .cancelled(let cause), .swallowed(let cause):
        cancelled.insert(rule)
        exceptions.insert(ListedRule(list: match.list, rule: cause))
      case .applied, .merged, .inert, .tooLate: continue
      }
    }
    // The global sheet is attached as a whole, unless any ignore-previous-rules takes effect.
    for rule in rules where hiding[rule.list].isGlobal(rule.rule) {
      let last = explanation.matches.last { match in
        match.list == rule.list && match.fate == .applied
          && sources[match.list].rule(at: match.rule)?.action == .ignorePreviousRules
      }
      guard let last else { continue }
      cancelled.insert(rule)
      exceptions.insert(ListedRule(list: last.list, rule: last.rule))
    }
    return (cancelled.sorted(), exceptions.sorted())
  }
}

extension [Int] {
  /// Whether this ascending array has an element.
  ///
  /// - Complexity: O(log *n*).
  fileprivate func contains(sorted element: Int) -> Bool {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low < endIndex && self[low] == element
  }
}
