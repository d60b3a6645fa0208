internal import ContentRules
package import RuleCompiler
package import RuleProofs

/// Sample URLs of patterns, and which patterns are wider than others.
package final class PatternSamples {
  private let patterns: PatternTable
  private let finder: PatternFinder
  /// The most patterns that are compared with one.
  private static let candidateLimit = 1_024
  private var known: [PatternTable.Number: Samples] = [:]
  private var widerPatterns: [PatternTable.Number: [PatternTable.Number]] = [:]

  /// What is known of the URLs of a pattern.
  package enum Samples {
    /// Some URLs that it matches.
    case some([String])
    /// It matches none.
    case none
    /// A search was given up.
    case undecided
  }

  /// Prepares all patterns that a table has now.
  ///
  /// - Throws: ``RuleCompiler/CompileError`` if they exceed the compiler's limits.
  package init(_ patterns: PatternTable) throws(CompileError) {
    self.patterns = patterns
    finder = try PatternFinder(patterns)
  }

  /// Returns URLs that a pattern matches.
  package func samples(of number: PatternTable.Number) -> Samples {
    if let samples = known[number] { return samples }
    let samples = newSamples(of: number)
    known[number] = samples
    return samples
  }

  private func newSamples(of number: PatternTable.Number) -> Samples {
    if patterns.isUniversal(number) { return .some(["https://a.test/", "http://x.test/z"]) }
    guard let automaton = patterns.automaton(number) else { return .undecided }
    var urls: [String] = []
    for variant in 0..<SampleURL.variantCount {
      if let url = SampleURL.url(automaton, variant: variant) { urls.append(url) }
    }
    if urls.isEmpty {
      switch patterns.url(matching: [number]) {
      case .found(let url): urls.append(url)
      case .none: return .none
      case .undecided: return .undecided
      }
    }
    return .some(urls)
  }

  /// Returns the patterns that are proved to match whatever a pattern matches, itself included,
  /// without those that match everything.
  package func wider(_ number: PatternTable.Number) -> [PatternTable.Number] {
    if let known = widerPatterns[number] { return known }
    var wider: [PatternTable.Number] = []
    if !patterns.isUniversal(number) {
      // What is wider than a wider pattern is wider as well.
      var proved: Set<PatternTable.Number> = [number]
      wider = candidates(number).filter { other in
        if proved.contains(other) { return true }
        guard patterns.inclusion(of: number, in: other) == .proved else { return false }
        proved.insert(other)
        proved.formUnion(widerPatterns[other] ?? [])
        return true
      }
    }
    widerPatterns[number] = wider
    return wider
  }

  private func candidates(_ number: PatternTable.Number) -> [PatternTable.Number] {
    guard case .some(let urls) = samples(of: number) else { return [number] }
    var all: [PatternTable.Number]?
    for url in urls {
      guard all?.count != 1 else { break }
      let matching = finder.patterns(matching: url)
      if let known = all {
        let set = Set(matching)
        all = known.filter(set.contains)
      } else {
        all = matching
      }
    }
    guard let all, !all.isEmpty else { return [number] }
    // The pattern itself is one of them, and nothing is proved of those that are left out.
    return all.count <= Self.candidateLimit
      ? all
      : [number] + all.lazy.filter { $0 != number }.prefix(Self.candidateLimit)
  }

  /// The look-ups of URLs that were given up.
  package var givenUp: Int { finder.givenUp }

  /// Returns the patterns that match a URL, without those that match everything.
  package func patterns(matching url: String) -> [PatternTable.Number] {
    finder.patterns(matching: url)
  }
}
