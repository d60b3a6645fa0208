internal import ContentBlocking
internal import ContentRules
internal import PageTexts
internal import ResourceLoads
internal import WebURL

/// The findings about a list and some loads, for a template.
struct RulesAnswer: Sendable {
  /// How many diagnostics to show on a page.
  static let diagnosticsPerPage = 25
  /// How many matching rules of one load to show.
  static let matchesPerLoad = 20
  /// The longest list of which every rule that does not match is explained.
  static let smallList = 8

  let list: CheckedList
  let question: LoadQuestion
  /// The rule whose failure to match is to be explained.
  let asked: Int?
  /// The page of diagnostics, from 1.
  let page: Int?
  /// What is said about it, but for what the engine says itself.
  let texts: Texts

  /// Returns the values for the template.
  ///
  /// - Complexity: O(*n* · *m*) for *n* loads with at most *m* matching rules; runs on the bench.
  func values() -> [String: any Sendable] {
    let diagnostics = list.report.diagnostics
    let paging = Paging(count: diagnostics.count, perPage: Self.diagnosticsPerPage, page: page)
    let renderer = DiagnosticRenderer(fileName: list.name, lineWidth: 96)
    let verdict = verdict
    var values: [String: any Sendable] = [
      "verdict": verdict, "verdictShown": verdict.shown, "isAccepted": list.report.isAccepted,
      "hasDiagnostics": !diagnostics.isEmpty,
      "diagnostics": diagnostics[paging.range].map { diagnostic($0, renderer) },
      "pageCount": paging.pages, "page": paging.page,
      "loads": loads(), "hasLoads": !question.lines.isEmpty,
      "globalCount": texts.counted("rules_globals", list.globals.count),
      "hasGlobals": !list.globals.isEmpty,
    ]
    if paging.pages > 1 {
      var turns: [String: any Sendable] = [
        "page": texts.number(paging.page), "pages": texts.number(paging.pages),
      ]
      if paging.page > 1 { turns["before"] = ["number": paging.page - 1] }
      if paging.page < paging.pages { turns["next"] = ["number": paging.page + 1] }
      values["turns"] = turns
    }
    if let limit = list.limit { values["limit"] = ["message": limit] }
    if question.rest > 0 {
      values["rest"] = ["text": texts.counted("rules_rest", question.rest)]
    }
    return values
  }

  /// Whether the list is accepted, and how much was found.
  private var verdict: Phrase {
    let report = list.report
    let skipped = report.skippedRules.count
    let rules =
      skipped > 0
      ? texts.counted("rules_skipped", report.ruleCount, skipped)
      : texts.counted("rules", report.ruleCount)
    let counts = Dictionary(
      report.diagnostics.filter { $0.code != .moreOfTheSame }.map { ($0.severity, 1) },
      uniquingKeysWith: +
    )
    let kinds: [(Diagnostic.Severity, key: String)] = [
      (.error, key: "rules_errors"), (.warning, key: "rules_warnings"),
      (.note, key: "rules_notes"),
    ]
    let found = kinds.compactMap { severity, key in
      counts[severity].map { texts.counted(key, $0) }
    }
    let isAccepted = report.isAccepted
    guard let first = found.first else {
      return texts(isAccepted ? "rules_accepted" : "rules_refused", list.name, rules)
    }
    let all = found.dropFirst().reduce(first) { texts("rules_join", $0, $1) }
    let key = isAccepted ? "rules_accepted_findings" : "rules_refused_findings"
    return texts(key, list.name, rules, all)
  }

  private func diagnostic(
    _ diagnostic: Diagnostic,
    _ renderer: DiagnosticRenderer
  ) -> [String: any Sendable] {
    let location = diagnostic.location
    var values: [String: any Sendable] = [
      "severity": "\(diagnostic.severity)", "code": diagnostic.code.rawValue,
      "severityWord": texts("severity_\(diagnostic.severity)"),
      "message": DisplayText.line(diagnostic.message),
      "place": texts("rules_place", location.line, location.column), "line": location.line,
    ]
    if diagnostic.code != .moreOfTheSame {
      if let excerpt = renderer.excerpt(around: location, in: list.text.span) {
        values["excerpt"] = [
          "before": excerpt.before, "spot": excerpt.spot.isEmpty ? " " : excerpt.spot,
          "after": excerpt.after,
        ]
      }
      if !location.jsonPath.isEmpty {
        values["path"] = ["text": DisplayText.line(location.jsonPath)]
      }
    }
    if let hint = diagnostic.hint { values["hint"] = ["text": DisplayText.line(hint)] }
    if diagnostic.isWebKitError, let error = diagnostic.webKitError {
      let reason = diagnostic.reason.map { ", \($0)" } ?? ""
      values["webKit"] = ["text": "\(error.message) (\(error.rawValue)\(reason))"]
    }
    return values
  }

  private func loads() -> [[String: any Sendable]] {
    guard let compiled = list.compiled, let source = list.source else {
      return question.lines.isEmpty ? [] : [["isRefused": true]]
    }
    var blocker = ContentBlocker(lists: [compiled])
    return question.lines.map { line in
      switch line {
      case .fault(let text, let reason):
        return ["fault": ["url": DisplayText.line(text), "reason": reason.phrase(texts).shown]]
      case .load(let load):
        let explanation = blocker.explanation(for: load, sources: [source])
        return ["load": values(of: explanation, source)]
      }
    }
  }

  private func values(
    of explanation: Explanation,
    _ source: ListSource
  ) -> [String: any Sendable] {
    let load = explanation.load
    let decision = explanation.decision
    let reasons = reasons(explanation, source)
    var values: [String: any Sendable] = [
      "url": load.url.serialized, "decision": words(for: decision),
      "class": decision.isBlocked ? "blocked" : decision.words == "loaded" ? "loaded" : "changed",
      "facts": facts(of: load, isMatched: !explanation.matches.isEmpty).shown,
      "matches": decidingFirst(explanation, source).prefix(Self.matchesPerLoad).map { match in
        [
          "sentence": Self.capitalized(
            explanation.sentence(
              about: match,
              action: source.rule(at: match.rule)?.action,
              quoting: 60
            ) { _, rule in "\(rule) (\(list.place(of: rule)))" }
          ) + ".",
          "text": list.text(of: match.rule), "isIdle": match.fate != .applied,
        ] as [String: any Sendable]
      },
      "hasMatches": !explanation.matches.isEmpty,
    ]
    let own = reasons.filter { $0.rule == asked }.map { ["sentence": $0.sentence] }
    let others = reasons.filter { $0.rule != asked }.map { ["sentence": $0.sentence] }
    values["asked"] = own
    if !others.isEmpty {
      values["others"] =
        [
          "list": others, "count": texts.counted("rules_not_matching", others.count),
          "isOpen": explanation.matches.isEmpty,
        ] as [String: any Sendable]
    }
    if let address = decision.newURL { values["newURL"] = ["text": address.serialized] }
    let more = explanation.matches.count - Self.matchesPerLoad
    if more > 0 { values["more"] = ["text": texts.counted("rules_more_matches", more)] }
    return values
  }

  /// What happens to a load, in a few words.
  private func words(for decision: LoadDecision) -> Phrase {
    switch decision.words {
    case "BLOCKED": texts("decision_blocked")
    case "loaded": texts("decision_loaded")
    case "redirected": texts("decision_redirected")
    case "made https": texts("decision_https")
    case "no cookies": texts("decision_cookies")
    case "redirected, no cookies": texts("decision_redirected_cookies")
    case "made https, no cookies": texts("decision_https_cookies")
    default: .english(decision.words)
    }
  }

  /// What is known about a load beside its URL.
  private func facts(of load: ResourceLoad, isMatched: Bool) -> Phrase {
    texts(
      isMatched ? "load_facts" : "load_facts_unmatched",
      Phrase.code(LoadQuestion.word(for: load.resourceType)),
      texts(load.loadType == .firstParty ? "party_first" : "party_third"),
      texts(load.loadContext == .topFrame ? "load_from_top" : "load_from_child")
    )
  }

  /// Returns an English sentence with a capital first letter.
  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// The rules that matched a load: those that decide what happens to it come before the many that hide.
  private func decidingFirst(
    _ explanation: Explanation,
    _ source: ListSource
  ) -> [Explanation.Match] {
    let matches = explanation.matches.map { match in
      let action = source.rule(at: match.rule)?.action
      return (match, weight: Self.weight(action, isApplied: match.fate == .applied))
    }
    // Stable, so that rules of one weight stay in the list's order.
    let places = matches.indices.sorted {
      (matches[$0].weight, $0) < (matches[$1].weight, $1)
    }
    return places.map { matches[$0].0 }
  }

  /// How far down a rule that matched is shown.
  private static func weight(_ action: Action?, isApplied: Bool) -> Int {
    switch action {
    case .block: isApplied ? 0 : 3
    case .ignorePreviousRules, .ignoreFollowingRules: isApplied ? 2 : 3
    case .cssDisplayNone, .notify, nil: isApplied ? 4 : 5
    default: isApplied ? 1 : 3
    }
  }

  /// Explains why rules do not match: the one asked about, and all rules of a small list.
  private func reasons(
    _ explanation: Explanation,
    _ source: ListSource
  ) -> [(rule: Int, sentence: String)] {
    var rules: [Int] = []
    if source.ruleCount <= Self.smallList { rules = Array(0..<source.ruleCount) }
    if let asked, !rules.contains(asked) { rules.append(asked) }
    let matched = Set(explanation.matches.map(\.rule))
    return rules.filter { !matched.contains($0) }.compactMap { rule in
      let reason = NonMatch(rule: rule, of: source, load: explanation.load)
      guard reason != .none else { return nil }
      let sentence = DisplayText.line(reason.sentence(explanation.load))
      let place = source.rule(at: rule) == nil ? "" : " (\(list.place(of: rule)))"
      return (rule, "Not rule \(rule)\(place): \(sentence).")
    }
  }
}
