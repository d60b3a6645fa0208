internal import ContentRules
internal import RuleMatching

/// The literals by which patterns are indexed.
extension FilterLowering {
  func literalFilter(_ terms: [Term], _ isCaseSensitive: Bool) -> LiteralFilter {
    for candidate in gapAnchors where candidate.isCaseSensitive == isCaseSensitive {
      let isSchemeAlone = candidate.anchor != .none && terms == candidate.termsOfScheme
      guard isSchemeAlone || terms.starts(with: candidate.terms) else { continue }
      let body = ProgramWriter.withPlainEnd(flattened(terms.dropFirst(candidate.terms.count)))
      let piece = body.prefix { $0.singleSet != nil }
      let runs = literalRuns(body, within: piece.count, isCaseSensitive)
      let isBounded = body.allSatisfy { $0.quantifier == .one || $0.quantifier == .zeroOrOne }
      if piece.count == body.count || isBounded {
        return LiteralFilter(
          terms: body,
          runs: runs,
          extent: .fixed,
          gapAnchor: candidate.anchor
        )
      }
      let isPieces = body.allSatisfy { $0.singleSet != nil || $0.isGap }
      if isPieces, !runs.isEmpty, !isMuchRarerBehind(piece.count, body, runs, isCaseSensitive) {
        return LiteralFilter(
          terms: body,
          runs: runs,
          extent: .firstPiece,
          gapAnchor: candidate.anchor
        )
      }
      // Searching behind the anchor, the program begins with the gap.
      let gap = [Term(.characters(.any), .zeroOrMore)]
      return LiteralFilter(
        terms: gap + body,
        runs: literalRuns(body, within: body.count, isCaseSensitive),
        extent: .whole,
        gapAnchor: candidate.anchor
      )
    }
    let whole = flattened(terms[...])
    return LiteralFilter(
      terms: whole,
      runs: literalRuns(whole, within: whole.count, isCaseSensitive),
      extent: .whole
    )
  }

  /// Whether a literal behind the first piece is so much rarer in URLs that running the whole
  /// pattern from the start is cheaper than trying its first piece more often.
  private func isMuchRarerBehind(
    _ count: Int,
    _ body: ArraySlice<Term>,
    _ runs: [LiteralRun],
    _ isCaseSensitive: Bool
  ) -> Bool {
    let share = runs.map(GramFrequency.ofURLs.share(of:)).min() ?? 0
    let rest = body.dropFirst(count)
    let others = literalRuns(rest, within: rest.count, isCaseSensitive)
      .filter(GramPlan.isAlwaysFound)
    let shareOfOthers = others.map(GramFrequency.ofURLs.share(of:)).min() ?? .max
    return shareOfOthers < share / 8
  }

  /// The most alternatives for one character of a literal.
  private static let mostAlternatives = 10

  /// Returns the runs of characters outside of quantified groups, in the first `count` terms, by which a pattern
  /// may be indexed.
  ///
  /// A run takes in one character of what follows it, if that must be one of a few: in `/ad(s)?x/`
  /// the run is `/ad`, then `s` or `x`.
  func literalRuns(
    _ terms: ArraySlice<Term>,
    within count: Int,
    _ isCaseSensitive: Bool
  ) -> [LiteralRun] {
    var runs: [LiteralRun] = []
    var run = LiteralRun()
    var skipped = 0
    func flush() {
      // A literal of nearly every URL is useless: filters that always run are at least reduced to those that the
      // page allows.
      if run.text.count >= FilterIndex.gramLength, !GramFrequency.ofURLs.isNearlyEverywhere(run) {
        runs.append(run)
      }
      run = LiteralRun()
    }
    func append(_ character: UInt8, at place: Int) {
      if run.text.isEmpty { run.place = place }
      run.text.append(character)
    }
    for (place, term) in terms.prefix(count).enumerated() {
      if skipped > 0 {
        skipped -= 1
        continue
      }
      if let set = term.singleSet {
        if let character = set.character(isCaseSensitive: isCaseSensitive) {
          append(Self.folded(character), at: place)
          continue
        }
        if let characters = Self.alternatives(set) {
          if characters.count > 1 { run.several[run.text.count] = characters }
          append(characters[0], at: place)
          continue
        }
      }
      extend(&run, by: terms.dropFirst(place))
      flush()
      if case .group(let count) = term.kind { skipped = count }
    }
    if count < terms.count { extend(&run, by: terms.dropFirst(count)) }
    flush()
    return runs
  }

  /// Extends a run by the character that must follow it, if it is one of a few.
  private func extend(_ run: inout LiteralRun, by rest: ArraySlice<Term>) {
    guard !run.text.isEmpty else { return }
    let first = firstCharacters(of: rest)
    guard !first.isNullable, let characters = Self.alternatives(first.set) else { return }
    if characters.count > 1 { run.several[run.text.count] = characters }
    run.text.append(characters[0])
  }

  private static func folded(_ character: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= character ? character + 32 : character
  }

  /// Returns the characters of a small set, letters folded; `nil` for large sets and those with the
  /// end of the URL, behind which there are no grams.
  static func alternatives(_ set: CharacterSet) -> [UInt8]? {
    let count = set.low.nonzeroBitCount + set.high.nonzeroBitCount
    guard 1...2 * mostAlternatives ~= count, !set.contains(0) else { return nil }
    var characters: [UInt8] = []
    var seen = CharacterSet()
    for (half, offset) in [(set.low, 0 as UInt8), (set.high, 64)] {
      var rest = half
      while rest != 0 {
        let folded = folded(offset + UInt8(truncatingIfNeeded: rest.trailingZeroBitCount))
        rest &= rest &- 1
        if seen.contains(folded) { continue }
        seen.insert(folded)
        characters.append(folded)
      }
    }
    return characters.count <= mostAlternatives ? characters : nil
  }
}
