internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ListTesting
internal import ResourceLoads
internal import WebURL

/// A line of what a failure says.
struct ReasonLine {
  /// The text, on one line.
  var text: String
  /// Whether it quotes a rule.
  var isQuote = false
}

/// Says why expectations are not met, with the rules, their places, and what overrode them.
struct FailureReasons: ~Copyable {
  private let judge: ListTestJudge
  private var explainer: Explainer

  /// The most rules to name for one reason.
  private static let ruleLimit = 3
  /// The most matches of a load to show.
  private static let matchLimit = 8

  init(_ judge: ListTestJudge, _ explainer: consuming Explainer) {
    self.judge = judge
    self.explainer = explainer
  }

  /// Returns the reasons why an expectation is not met.
  mutating func lines(
    for expectation: ListExpectation,
    _ failures: [ListTestVerdict.Failure]
  ) -> [ReasonLine] {
    var lines: [ReasonLine] = []
    var isExplained = false
    let explanation = explainer.explanation(for: expectation.load, detail: .ranges)
    for failure in failures {
      lines.append(ReasonLine(text: headline(failure, explanation.decision)))
      switch failure.claim.outcome {
      case .hide(let selector):
        lines += hidingLines(selector, failure, expectation.load, isHidden: true)
      case .show(let selector):
        lines += hidingLines(selector, failure, expectation.load, isHidden: false)
      default:
        if !isExplained { lines += matches(explanation) }
        isExplained = true
        lines += absences(failure, explanation)
      }
    }
    return lines
  }

  // MARK: What happened

  private func headline(
    _ failure: ListTestVerdict.Failure,
    _ decision: LoadDecision
  ) -> String {
    let expected = "expected \(Shown.line(failure.claim.text))"
    switch failure.reason {
    case .otherRules(let rules):
      guard !rules.isEmpty else { return "\(expected), and it is so, but by no rule" }
      let names = rules.prefix(Self.ruleLimit).map { explainer.name(RuleID($0)) }
      let more = rules.count > Self.ruleLimit ? " and \(rules.count - Self.ruleLimit) more" : ""
      return "\(expected), and it is so, but by rule \(names.joined(separator: ", "))\(more)"
    case .otherOutcome:
      switch failure.claim.outcome {
      case .hide: return "\(expected), but it is not hidden"
      case .show: return "\(expected), but it is hidden"
      default: break
      }
      let words = decision.words
      var actual = words == "BLOCKED" ? "it is blocked" : "it is \(words)"
      switch failure.claim.outcome {
      case .redirect, .unchanged:
        guard let newURL = decision.newURL else { break }
        actual += ", and ends up at \(Shown.shortened(newURL.serialized, to: 200))"
      default: break
      }
      let headers = Set(decision.headerChanges.flatMap(\.requestHeaders).map(\.header)).sorted()
      if case .unchanged = failure.claim.outcome, !headers.isEmpty, !decision.isBlocked {
        let names = headers.prefix(8).map { Shown.line($0) }.joined(separator: ", ")
        actual += ", with other headers: \(names)"
      }
      return "\(expected), but \(actual)"
    }
  }

  private func matches(_ explanation: Explanation) -> [ReasonLine] {
    guard !explanation.matches.isEmpty else {
      return [ReasonLine(text: "no rule matches the load")]
    }
    var lines: [ReasonLine] = []
    for match in explanation.matches.prefix(Self.matchLimit) {
      let id = RuleID(list: match.list, rule: match.rule)
      lines.append(ReasonLine(text: sentence(match, explanation)))
      lines += quotes(id)
    }
    let rest = explanation.matches.count - Self.matchLimit
    if rest > 0 { lines.append(ReasonLine(text: "and \(Shown.count(rest, "more rule")) match")) }
    return lines
  }

  /// Returns a rule's text, below the filter that it was converted from.
  private func quotes(_ id: RuleID) -> [ReasonLine] {
    (explainer.filter(id).map { [ReasonLine(text: "filter \($0)", isQuote: true)] } ?? [])
      + [ReasonLine(text: explainer.text(id), isQuote: true)]
  }

  private func sentence(_ match: Explanation.Match, _ explanation: Explanation) -> String {
    explanation.sentence(
      about: match,
      action: explainer.rule(RuleID(list: match.list, rule: match.rule))?.action,
      quoting: 60
    ) { explainer.name(RuleID(list: $0, rule: $1)) }
  }

  // MARK: What did not happen

  /// Returns why the rules that were expected to act did not match.
  private mutating func absences(
    _ failure: ListTestVerdict.Failure,
    _ explanation: Explanation
  ) -> [ReasonLine] {
    if case .redirect = failure.claim.outcome,
      explanation.matches.contains(where: { $0.fate == .inert })
    {
      let host = explanation.load.url.host ?? "*"
      return [
        ReasonLine(
          text:
            "to try it as a web extension with permission, write permission: *://\(host)/* at the "
            + "file's beginning"
        )
      ]
    }
    if let cause = failure.claim.cause {
      let rules = judge.rules(named: cause)
      guard !rules.isEmpty else {
        switch cause {
        case .number(let rule):
          return [
            ReasonLine(
              text: explainer.sources.indices.contains(rule.list)
                ? "list \(rule.list) has no rule \(rule.rule); it has "
                  + Shown.count(explainer.sources[rule.list].ruleCount, "rule") + ", from 0"
                : "there is no list \(rule.list); the lists are 0 to "
                  + "\(explainer.sources.count - 1)"
            )
          ]
        case .pattern(let pattern):
          return [ReasonLine(text: "no rule has the url-filter \"\(Shown.line(pattern))\"")]
        }
      }
      return nonMatches(rules, explanation.load)
    }
    guard let kind = Self.kind(of: failure.claim.outcome),
      !explanation.matches.contains(where: {
        explainer.rule(RuleID(list: $0.list, rule: $0.rule)).map { kind($0.action) } ?? false
      })
    else { return [] }
    return nonMatches(nearMisses(of: explanation.load, kind), explanation.load)
  }

  /// Returns for each rule that does not match why not.
  private func nonMatches(_ rules: [ListedRule], _ load: ResourceLoad) -> [ReasonLine] {
    var lines: [ReasonLine] = []
    for rule in rules.prefix(Self.ruleLimit) {
      let reason = NonMatch(rule: rule.rule, of: explainer.sources[rule.list], load: load)
      guard reason != .none else { continue }
      lines.append(
        ReasonLine(text: "not rule \(explainer.name(RuleID(rule))): \(reason.sentence(load))")
      )
    }
    let rest = rules.count - Self.ruleLimit
    if rest > 0, !lines.isEmpty {
      lines.append(ReasonLine(text: "nor \(Shown.count(rest, "other rule")) like it"))
    }
    return lines
  }

  /// Returns rules that would have acted if the load had another type, party or context.
  private mutating func nearMisses(
    of load: ResourceLoad,
    _ kind: (Action) -> Bool
  ) -> [ListedRule] {
    var variants: [ResourceLoad] = []
    for (_, type) in ResourceType.words where type != load.resourceType {
      var variant = load
      variant.resourceType = type
      variants.append(variant)
    }
    var other = load
    other.loadTypeOverride = load.loadType == .firstParty ? .thirdParty : .firstParty
    variants.append(other)
    other = load
    other.loadContext = load.loadContext == .topFrame ? .childFrame : .topFrame
    variants.append(other)
    var rules: [ListedRule] = []
    for variant in variants {
      for match in explainer.explanation(for: variant, detail: []).matches {
        let id = RuleID(list: match.list, rule: match.rule)
        let rule = ListedRule(list: match.list, rule: match.rule)
        guard let action = explainer.rule(id)?.action, kind(action), !rules.contains(rule)
        else { continue }
        rules.append(rule)
        if rules.count > Self.ruleLimit { return rules }
      }
    }
    return rules
  }

  /// Returns whether an action has an outcome; `nil` for outcomes that need no action.
  private static func kind(of outcome: ListClaim.Outcome) -> ((Action) -> Bool)? {
    switch outcome {
    case .block: { $0 == .block }
    case .cookiesStripped: { $0 == .blockCookies }
    case .https: { $0 == .makeHTTPS }
    case .redirect: { if case .redirect = $0 { true } else { false } }
    case .load, .unchanged, .cookiesKept, .hide, .show: nil
    }
  }

  // MARK: What is hidden

  private mutating func hidingLines(
    _ selector: String,
    _ failure: ListTestVerdict.Failure,
    _ load: ResourceLoad,
    isHidden: Bool
  ) -> [ReasonLine] {
    let rules = judge.rules(hiding: selector)
    guard !rules.isEmpty else {
      var text = "no rule has the selector \(Shown.line(selector))"
      let similar = judge.selectors(containing: selector, limit: Self.ruleLimit)
      if !similar.isEmpty {
        text += "; selectors are compared as texts, and there are "
        text += similar.map { Shown.shortened(Shown.line($0), to: 60) }.joined(separator: " and ")
      }
      return [ReasonLine(text: text)]
    }
    let explanation = explainer.explanation(for: load, detail: .hiding)
    let isCancelled = explanation.decision.lists.map { !$0.attachesGlobalSheet }
    var lines: [ReasonLine] = []
    for rule in rules {
      let id = RuleID(rule)
      if let match = explanation.matches.first(where: {
        $0.list == rule.list && $0.rule == rule.rule
      }) {
        lines.append(ReasonLine(text: sentence(match, explanation)))
      } else if let found = explainer.rule(id), explainer.sources[rule.list].isGlobal(found) {
        let isOff = isCancelled.indices.contains(rule.list) && isCancelled[rule.list]
        lines.append(
          ReasonLine(
            text: "rule \(explainer.name(id)) hides it on every page"
              + (isOff ? ", but not here, because an ignore-previous-rules takes effect" : "")
          )
        )
      } else if isHidden || failure.claim.cause != nil {
        lines += nonMatches([rule], load)
      } else {
        continue
      }
      lines += quotes(id)
      if lines.count >= 2 * Self.matchLimit { break }
    }
    if isHidden, isCancelled.contains(true) {
      lines += matches(explainer.explanation(for: load, detail: .ranges))
    }
    if let cause = failure.claim.cause, judge.rules(named: cause).isEmpty {
      lines.append(ReasonLine(text: "no rule is the one that by names"))
    }
    return lines
  }
}

extension RuleID {
  init(_ rule: ListedRule) { self.init(list: rule.list, rule: rule.rule) }
}
