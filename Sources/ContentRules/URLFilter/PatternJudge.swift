/// Judges patterns: whether they are valid, what is odd about them, and what they cost at most.
struct PatternJudge {
  /// What is to be reported about a pattern.
  struct Verdict {
    var faults: [URLFilterFault] = []
    var findings: [URLFilterFinding] = []
  }

  private var shortcut = PatternShortcut()
  /// The terms of the pattern judged last; working memory.
  private var terms: [Term] = []

  /// Judges a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern's text.
  ///   - isCaseSensitive: Whether letters match only themselves.
  ///   - cost: What the pattern costs is added to it.
  /// - Returns: What is to be reported; `nil` for a pattern without fault or finding.
  mutating func verdict(
    _ pattern: Span<UInt8>,
    isCaseSensitive: Bool,
    _ cost: inout MatchingCost
  ) -> Verdict? {
    // It costs nothing: nobody has to search for it.
    if pattern.count == 2, pattern.matches(".*", at: 0) { return nil }
    if shortcut.isHarmless(pattern, isCaseSensitive: isCaseSensitive, &terms) {
      let parts = shortcut.parts
      cost.addHost(plain: parts.plain, ending: parts.ending, isRepeated: parts.isRepeated)
      cost.addNames(parts.names, length: parts.plain + parts.ending)
      return nil
    }
    cost.add(pattern)
    var verdict = Verdict()
    switch URLFilterParser.parse(pattern, isCaseSensitive: isCaseSensitive, into: &terms) {
    case .failure: verdict.faults = URLFilterParser.faults(in: pattern)
    case .success(let matchesEverything):
      guard PatternGlance.isWorthALook(pattern, matchesEverything: matchesEverything) else {
        return nil
      }
      verdict.findings = URLFilterLint.findings(pattern, isCaseSensitive: isCaseSensitive)
    }
    return verdict.faults.isEmpty && verdict.findings.isEmpty ? nil : verdict
  }

  /// Whether a mandatory term of the pattern judged last matches no character.
  var matchesNothing: Bool {
    var index = 0
    while index < terms.count {
      let term = terms[index]
      index += 1
      switch term.kind {
      case .characters(let set):
        if set.isEmpty, !term.quantifier.allowsZero { return true }
      case .group(let count):
        if term.quantifier.allowsZero { index += count }
      }
    }
    return false
  }
}
