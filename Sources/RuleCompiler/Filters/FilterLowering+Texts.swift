internal import ContentRules
internal import RuleMatching

/// Patterns with optional parts, expanded to the texts that they stand for.
extension FilterLowering {
  /// The most texts that a pattern is expanded to.
  private static let mostTexts = 16

  /// Expands a pattern with optional parts to the texts that it stands for; `nil` unless there are
  /// at least two, not too many, and each has a literal to be indexed by.
  ///
  /// Converters of filter lists merge filters into such patterns. Expanded, each text is found by
  /// its own rarest literal and compared, without an automaton.
  func alternatives(
    of filter: LiteralFilter,
    _ isCaseSensitive: Bool
  ) -> [LiteralFilter]? {
    var terms = filter.terms
    switch filter.extent {
    case .fixed: break
    case .firstPiece: return nil
    case .whole:
      // Only a pattern that may match anywhere has a first piece that may occur anywhere.
      guard let gap = terms.first, gap.isGap else { return nil }
      terms = terms.dropFirst()
    }
    // Without either it stands for one text alone.
    guard terms.contains(where: { $0.singleSet == nil && !$0.isGap }),
      let texts = Self.texts(of: terms), texts.count > 1
    else { return nil }
    var filters: [LiteralFilter] = []
    for text in texts {
      let piece = text.prefix { !$0.isGap }
      let runs = literalRuns(text[...], within: piece.count, isCaseSensitive)
      guard runs.contains(where: GramPlan.isAlwaysFound) else { return nil }
      filters.append(
        LiteralFilter(
          terms: text[...],
          runs: runs,
          extent: .firstPiece,
          gapAnchor: filter.gapAnchor,
          hasRest: piece.count < text.count
        )
      )
    }
    // All or none are tried on their own: they share one stamp otherwise.
    let hasRest = filters.contains { $0.hasRest }
    for place in filters.indices { filters[place].hasRest = hasRest }
    return filters
  }

  /// Expands terms to sequences of single characters and gaps; `nil` if there are too many, or if
  /// terms other than gaps repeat.
  static func texts(of terms: ArraySlice<Term>, depth: Int = 0) -> [[Term]]? {
    // Untrusted patterns may nest groups thousands deep.
    guard depth < 16 else { return nil }
    var texts: [[Term]] = [[]]
    var index = terms.startIndex
    while index < terms.endIndex {
      let term = terms[index]
      index += 1
      if term.isGap || term.singleSet != nil {
        for place in texts.indices { texts[place].append(term) }
        continue
      }
      guard term.quantifier == .one || term.quantifier == .zeroOrOne else { return nil }
      var parts: [[Term]]
      switch term.kind {
      case .characters(let set): parts = [[Term(.characters(set), .one)]]
      case .group(let count):
        guard let inner = Self.texts(of: terms[index..<index + count], depth: depth + 1) else {
          return nil
        }
        parts = inner
        index += count
      }
      if term.quantifier == .zeroOrOne { parts.insert([], at: 0) }
      guard texts.count * parts.count <= mostTexts else { return nil }
      if parts.count == 1 {
        // In place, without a copy: a pattern may be a million characters long.
        for place in texts.indices { texts[place] += parts[0] }
      } else {
        texts = texts.flatMap { text in parts.map { text + $0 } }
      }
    }
    return texts
  }
}
