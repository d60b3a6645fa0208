internal import ContentRules
internal import LoadDeciding
internal import ResourceLoads
package import RuleCompiler
internal import RuleMatching
package import RuleProofs

/// Tells which of many patterns match a URL, by the engine's own index.
///
/// It makes proofs affordable: a pattern can only be part of patterns that match its samples, and
/// the index finds those among a hundred thousand in microseconds.
package final class PatternFinder {
  private var decider: LoadDecider
  /// The patterns that run on every URL, for want of a text to look up.
  private var slowCount = 0
  /// The runs of such patterns that are left.
  private var runs = 600_000_000
  /// The URLs that were not looked up, because too many patterns run on each.
  package private(set) var givenUp = 0
  private let page = Array("https://page.test/".utf8)

  /// Compiles all patterns of a table that do not match everything.
  ///
  /// - Throws: ``RuleCompiler/CompileError`` if that exceeds the compiler's limits; its rule is the
  ///   pattern's number.
  /// - Complexity: That of compiling a list.
  package init(_ patterns: PatternTable) throws(CompileError) {
    var compilation = RuleListCompilation()
    for (number, filter) in patterns.filters.enumerated() where !patterns.isUniversal(number) {
      if patterns.longestText(of: number) < 3 { slowCount += 1 }
      try compilation.add(Rule(index: number, trigger: Trigger(urlFilter: filter), action: .block))
    }
    let file = try compilation.finish(source: [], ruleCount: patterns.filters.count)
    guard let list = try? CompiledRuleList(validating: file) else {
      preconditionFailure("a list that was just compiled is valid")
    }
    decider = LoadDecider([list], pages: 1)
  }

  /// Returns the numbers of the patterns that match a URL, in ascending order; none if the patterns
  /// without a text have run too often.
  ///
  /// - Complexity: That of deciding a load, and O(*m* log *m*) for *m* matches.
  package func patterns(matching url: String) -> [PatternTable.Number] {
    guard runs > 0 else {
      givenUp += 1
      return []
    }
    runs -= slowCount
    let bytes = Array(url.utf8)
    let page = page
    let prepared = decider.prepare(
      matchedURL: bytes.span,
      host: 0..<0,
      topURL: page.span,
      frameURL: page.span,
      LoadTraits(resourceType: .script, loadType: .thirdParty, loadContext: .topFrame)
    )
    guard case .checked(let properties) = prepared else { return [] }
    _ = decider.decide(properties, list: 0)
    return decider.matchedEntries.map { Int($0.rule) }.sorted()
  }
}
