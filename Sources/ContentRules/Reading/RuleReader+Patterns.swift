/// Checks the patterns of a rule.
///
/// WebKit does so after reading the whole list; the collector keeps that order.
///
/// > Source: the rule language, sections 4 and 5. WebKit: `compileRuleList`.
extension RuleReader {
  /// Checks the url filter and the entries of the effective condition.
  mutating func checkPatterns(_ text: Span<UInt8>, _ members: Members, isSkipped: Bool) {
    if let value = members[TriggerKey.urlFilter], node(value).kind == .string,
      !node(value).contents.isEmpty
    {
      let isCaseSensitive = isTrue(members[TriggerKey.urlFilterIsCaseSensitive])
      checkPattern(
        text,
        value,
        "url-filter",
        isCaseSensitive: isCaseSensitive,
        isSkipped: isSkipped
      )
    }
    let cost = matchingCost
    checkConditionPatterns(text, members, isSkipped: isSkipped)
    conditionCost = matchingCost.since(cost)
  }

  private mutating func checkConditionPatterns(
    _ text: Span<UInt8>,
    _ members: Members,
    isSkipped: Bool
  ) {
    guard let key = TriggerKey.conditions.first(where: { members[$0] != nil }),
      let array = members[key], node(array).kind == .array
    else { return }
    let flag: TriggerKey =
      key.subject == .frameURL ? .frameURLFilterIsCaseSensitive : .topURLFilterIsCaseSensitive
    guard key.subject != .domain else {
      return checkDomainPatterns(text, array, isSkipped: isSkipped)
    }
    let isCaseSensitive = isTrue(members[flag])
    for element in elements(of: array)
    where node(element).kind == .string && !node(element).contents.isEmpty {
      checkPattern(
        text,
        element,
        key.word,
        isCaseSensitive: isCaseSensitive,
        isSkipped: isSkipped
      )
    }
  }

  /// Checks the entries of a domain condition, and keeps it if nothing was reported since its reading began.
  private mutating func checkDomainPatterns(
    _ text: Span<UInt8>,
    _ array: Int,
    isSkipped: Bool
  ) {
    if let cost = domains?.cost { return matchingCost.add(cost) }
    let before = matchingCost
    let areOrdinary = domains?.areOrdinary ?? false
    for element in elements(of: array)
    where node(element).kind == .string && !node(element).contents.isEmpty {
      if areOrdinary, !node(element).hasEscapes {
        matchingCost.addDomain(length: node(element).contents.count)
      } else {
        checkDomainPattern(text, element, isSkipped: isSkipped)
      }
    }
    guard let domains, domains.reports == diagnostics.reportCount else { return }
    knownConditions.insert(
      node(array).range,
      domains.entries,
      matchingCost.since(before),
      digest: domains.digest
    )
  }

  private func isTrue(_ value: Int?) -> Bool { value.map { node($0).kind == .true } ?? false }

  private mutating func checkPattern(
    _ text: Span<UInt8>,
    _ value: Int,
    _ key: String,
    isCaseSensitive: Bool,
    isSkipped: Bool
  ) {
    let contents = node(value).contents
    var verdict: PatternJudge.Verdict?
    // Moved out meanwhile, because the pattern is read through the same memory.
    var judge = PatternJudge()
    swap(&judge, &patternJudge)
    var cost = matchingCost
    withPattern(text, value) { pattern in
      verdict = judge.verdict(pattern, isCaseSensitive: isCaseSensitive, &cost)
    }
    swap(&judge, &patternJudge)
    matchingCost = cost
    guard let verdict else { return }
    let (faults, findings) = (verdict.faults, verdict.findings)
    // All places at once: a long pattern may have tens of thousands of findings.
    let places = JSONText.sourceRanges(
      of: faults.map { $0.range } + findings.map { $0.range },
      in: text,
      contents
    )
    for (fault, place) in zip(faults, places) {
      report(
        text,
        isSkipped ? .invalidPatternInSkippedRule : .invalidPattern,
        at: value,
        range: place,
        reason: fault.status.rawValue,
        "\(key) is refused: \(fault.message)",
        hint: fault.hint
      )
    }
    if findings.isEmpty { return }
    let matchesNothing = patternJudge.matchesNothing
    for (finding, place) in zip(findings, places.dropFirst(faults.count)) {
      let isFatal = finding.code == .emptySet && matchesNothing
      report(
        text,
        isFatal ? .patternMatchesNothing : DiagnosticCode(finding.code),
        at: value,
        range: place,
        severity: finding.severity == .warning ? .warning : .note,
        isFatal ? "no URL matches \(key): \(finding.message)" : "\(key): \(finding.message)",
        hint: finding.hint
      )
    }
  }

  /// Calls `body` with the bytes of a pattern.
  @inline(__always)
  private func withPattern(_ text: Span<UInt8>, _ value: Int, _ body: (Span<UInt8>) -> Void) {
    // The url filter has just been read; but in a faulty text it may differ from the source, since ill-formed
    // UTF-8 was replaced.
    if let urlFilter, urlFilter.index == value, diagnostics.errorCount == 0 {
      body(urlFilter.text.utf8Span.span)
    } else {
      withContents(text, value, body)
    }
  }

  /// Checks a domain entry by the pattern that WebKit makes of it.
  ///
  /// A plain entry needs no check: its characters stand for themselves, and what surrounds them is
  /// a valid pattern.
  private mutating func checkDomainPattern(_ text: Span<UInt8>, _ value: Int, isSkipped: Bool) {
    let contents = node(value).contents
    var cost = matchingCost
    let rewritten: [UInt8]? = withContents(text, value) { domain in
      guard !DomainEntry.isPlain(domain) else {
        cost.addDomain(length: domain.count)
        return nil
      }
      guard DomainEntry.isLowerCaseASCII(domain) else { return nil }
      let pattern = DomainPattern.pattern(forDomain: domain)
      cost.add(pattern.span)
      return pattern
    }
    matchingCost = cost
    guard let rewritten else { return }
    let fault = URLFilterParser.firstFault(in: rewritten.span, scratch: &termScratch)
    guard let fault else { return }
    let culprit = withContents(text, value) { DomainPattern.range(in: $0, of: fault.range) }
    report(
      text,
      isSkipped ? .invalidPatternInSkippedRule : .invalidPattern,
      at: value,
      range: JSONText.sourceRange(of: culprit, in: text, contents),
      reason: fault.status.rawValue,
      "a domain entry is read as a pattern, and this one is refused: \(fault.message)",
      hint: "write the domain alone"
    )
  }
}

extension DiagnosticCode {
  /// The code of a finding in a pattern, whose own begins with `pattern-`.
  init(_ code: URLFilterFinding.Code) {
    self.init(rawValue: "pattern-" + code.rawValue)
  }
}
