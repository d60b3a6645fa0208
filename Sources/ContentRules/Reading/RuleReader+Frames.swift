/// Reads rules whose text, apart from the url filter, is that of one read before.
extension RuleReader {
  /// Whether nothing but the text decides what is found in a rule, and the list's traps are not asked for: they
  /// look at each rule's values again.
  private var usesFrames: Bool {
    !options.rereadsRepetitions && !options.findsTraps && !looksAtAge
      && diagnostics.errorCount == 0
  }

  /// Reads the rule that begins at the scanner's position, if it has a known frame and nothing is to be reported.
  ///
  /// - Returns: The rule, with the scanner behind it; `nil` if it must be read as any other.
  mutating func readRuleOfKnownFrame(_ text: Span<UInt8>) -> Rule? {
    guard usesFrames, let match = frames.match(text, at: scanner.position) else { return nil }
    let filter =
      match.filterHasEscapes
      ? JSONText.decoded(text, match.filter) : JSONText.string(text.extracting(match.filter))
    let frame = frames.matched
    var cost = matchingCost
    let verdict = patternJudge.verdict(
      filter.utf8Span.span,
      isCaseSensitive: frame.rule.trigger.urlFilter.isCaseSensitive,
      &cost
    )
    guard verdict == nil else { return nil }
    cost.add(frame.conditionCost)
    matchingCost = cost
    let start = scanner.position
    var rule = frame.rule
    rule.index = ruleIndex
    rule.trigger.urlFilter.text = filter
    rule.sourceRange = start..<match.end
    shape.noteAgain(frame.action)
    scanner.skip(text, to: match.end, lastStringEnd: match.lastStringEnd)
    return rule
  }

  /// Keeps the frame of the rule whose values the scanner has listed, if nothing was reported about it.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - text: The list.
  ///   - reports: The number of reports before the rule.
  mutating func noteFrame(of rule: Rule, _ text: Span<UInt8>, reportsBefore reports: Int) {
    guard usesFrames, diagnostics.reportCount == reports, let urlFilter else { return }
    frames.note(
      rule,
      conditionCost,
      text,
      filter: node(urlFilter.index).contents,
      lastStringEnd: scanner.lastStringEnd
    )
  }
}
