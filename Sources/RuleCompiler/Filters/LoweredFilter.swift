internal import ContentRules
internal import RuleMatching

/// How a pattern is indexed, and the terms that are left to match.
enum LoweredFilter {
  /// Indexed under a key behind a host anchor.
  case key(KeyFilter)
  /// Several names, each indexed under its own key behind a host anchor.
  case names([KeyFilter])
  /// Indexed by one of its literals; runs on every URL if none is long enough.
  case literal(LiteralFilter)
  /// Several alternative texts, each indexed by one of its own literals.
  case alternatives([LiteralFilter])
}

/// A pattern that is indexed under a key.
struct KeyFilter {
  var anchor: HostAnchor
  var kind: FilterIndex.KeyKind
  /// The text behind the anchor.
  var key: [UInt8]
  /// What must match behind the key.
  var tail: ArraySlice<Term>
}

/// A pattern that is indexed by one of its literals.
struct LiteralFilter {
  /// Where the pattern's program runs.
  enum Extent {
    /// Around the literal, at each of its occurrences: what precedes it has a fixed length, and no
    /// term repeats, so that an attempt is cheap.
    case fixed
    /// From the first piece on, which contains the literal and has a fixed length; the rest is
    /// searched for behind it.
    case firstPiece
    /// From the URL's start.
    case whole
  }

  /// The terms that the program matches, without the leading gap unless the extent is
  /// ``Extent/whole``.
  var terms: ArraySlice<Term>
  /// The literals by which the pattern can be indexed.
  var runs: [LiteralRun]
  /// Where the program runs.
  var extent: Extent
  /// Where the gap before the terms begins.
  var gapAnchor = GapAnchor.none
  /// Whether something is searched for behind the first piece.
  var hasRest = false
}

/// A run of characters in a pattern, each of which is one of a few.
struct LiteralRun {
  /// The characters, letters folded to lower case; at a place in ``several``, the first
  /// alternative.
  var text: [UInt8] = []
  /// The alternatives, for each place of the text that has more than one.
  var several: [Int: [UInt8]] = [:]
  /// The index of the first character's term: its distance from the match's start if what precedes
  /// it has a fixed length.
  var place = 0

  /// Returns the characters that may stand at a place.
  func characters(at place: Int) -> [UInt8] { several[place] ?? [text[place]] }

  /// The length of the longest row of places without alternatives.
  var longestRow: Int {
    if several.isEmpty { return text.count }
    var longest = 0
    var row = 0
    for place in text.indices {
      row = several[place] == nil ? row + 1 : 0
      longest = max(longest, row)
    }
    return longest
  }
}

/// Decides for each pattern how it is indexed.
struct FilterLowering {
  /// An anchor with its terms.
  struct AnchorTerms {
    var anchor: HostAnchor
    var isCaseSensitive: Bool
    var terms: [Term]
  }

  /// Recognises most patterns without parsing them.
  var shapes: HostShapes
  /// Memory for the terms of the pattern at hand.
  var terms: [Term] = []
  /// The anchors' terms, longest first, so that an anchor wins over a shorter one that it begins
  /// with.
  private let anchors: [AnchorTerms]
  /// The gap anchors' terms, in the order of the cases.
  private let gapAnchors: [GapAnchorTerms]

  private struct GapAnchorTerms {
    var anchor: GapAnchor
    var isCaseSensitive: Bool
    var terms: [Term]
    /// What the parser leaves of a pattern of the scheme alone: it drops the final gap.
    var termsOfScheme: [Term]
  }

  init() {
    var gapAnchors: [GapAnchorTerms] = []
    for anchor in GapAnchor.allCases {
      for isCaseSensitive in [false, true] {
        let terms = Self.terms(of: "\(anchor.pattern)", isCaseSensitive: isCaseSensitive)
        gapAnchors.append(
          GapAnchorTerms(
            anchor: anchor,
            isCaseSensitive: isCaseSensitive,
            terms: terms,
            termsOfScheme: terms.dropLast()
          )
        )
      }
    }
    self.gapAnchors = gapAnchors
    var anchors: [AnchorTerms] = []
    for anchor in HostAnchor.allCases {
      for isCaseSensitive in anchor.allowsCaseSensitive ? [false, true] : [false] {
        let terms = Self.terms(of: "\(anchor.pattern)", isCaseSensitive: isCaseSensitive)
        anchors.append(
          AnchorTerms(anchor: anchor, isCaseSensitive: isCaseSensitive, terms: terms)
        )
      }
    }
    self.anchors = anchors.sorted { $0.terms.count > $1.terms.count }
    shapes = HostShapes(self.anchors)
  }

  /// Returns the terms of an anchor's pattern, including optional ones at its end.
  static func terms(of pattern: String, isCaseSensitive: Bool) -> [Term] {
    // The parser drops optional terms at a pattern's end; the `x` keeps them.
    switch URLFilterParser.parse(pattern + "x", isCaseSensitive: isCaseSensitive) {
    case .success(let filter): filter.terms.dropLast()
    case .failure: preconditionFailure("an anchor's pattern is refused: \(pattern)")
    }
  }

  /// Decides how to index a pattern, which must not match everything.
  func lower(_ terms: [Term], isCaseSensitive: Bool) -> LoweredFilter {
    for candidate in anchors
    where candidate.isCaseSensitive == isCaseSensitive && begins(terms, with: candidate.terms) {
      let rest = flattened(terms[candidate.terms.count...])
      let key = Self.key(candidate.anchor, rest, isCaseSensitive)
      if let key, key.kind == .word, ProgramWriter.isPieces(key.tail) { return .key(key) }
      if let names = Self.names(candidate.anchor, rest, isCaseSensitive) { return .names(names) }
      if let key { return .key(key) }
    }
    let filter = literalFilter(terms, isCaseSensitive)
    if let texts = alternatives(of: filter, isCaseSensitive) {
      return .alternatives(texts)
    }
    return .literal(filter)
  }

  /// The most texts that a pattern is expanded to.
  private static let mostTexts = 16

  /// Expands a pattern with optional parts to the texts that it stands for; `nil` unless there are
  /// at least two, not too many, and each has a literal to be indexed by.
  ///
  /// Converters of filter lists merge filters into such patterns. Expanded, each text is found by
  /// its own rarest literal and compared, without an automaton.
  private func alternatives(
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

  /// Whether terms begin with others.
  private func begins(_ terms: [Term], with others: [Term]) -> Bool {
    // The last term first, since most patterns differ there.
    guard let last = others.indices.last, last < terms.count, terms[last] == others[last] else {
      return false
    }
    return terms.starts(with: others)
  }

  private func literalFilter(_ terms: [Term], _ isCaseSensitive: Bool) -> LiteralFilter {
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

  // MARK: Keys

  static func key(
    _ anchor: HostAnchor,
    _ terms: ArraySlice<Term>,
    _ isCaseSensitive: Bool
  ) -> KeyFilter? {
    var text: [UInt8] = []
    for term in terms {
      guard let character = term.singleSet?.character(isCaseSensitive: isCaseSensitive),
        // The scanner compares keys with the folded URL.
        !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= character)
      else { break }
      text.append(character)
    }
    // A key of kind `word` needs a character behind it that cannot be part of a word.
    let wordCount = text.prefix { FilterIndex.isWordByte($0) }.count
    let endsWord = wordCount == text.count && Self.endsWord(terms.dropFirst(wordCount))
    guard let (kind, length) = key(of: text.span, endsWord: endsWord) else { return nil }
    return KeyFilter(
      anchor: anchor,
      kind: kind,
      key: Array(text.prefix(length)),
      tail: terms.dropFirst(length)
    )
  }

  /// Returns the key for a pattern whose host begins with plain text.
  ///
  /// - Parameters:
  ///   - text: The text, not empty, letters folded.
  ///   - endsWord: Whether what follows the text ends a word.
  /// - Returns: The kind of key and its length; `nil` if the pattern cannot have a key.
  static func key(
    of text: Span<UInt8>,
    endsWord: Bool
  ) -> (kind: FilterIndex.KeyKind, length: Int)? {
    var word = 0
    while word < text.count, FilterIndex.isWordByte(text[word]) { word += 1 }
    // The scanner never looks for hosts behind surplus slashes.
    guard word > 0 else { return nil }
    // A short word such as `com` would collect many filters that differ only in their paths.
    let isCrowded = word < shortWord && text.count >= 8
    if word <= FilterIndex.maximumWord, !isCrowded, word < text.count || endsWord {
      return (.word, word)
    }
    return text.count >= 8 ? (.prefix8, 8) : text.count >= 4 ? (.prefix4, 4) : nil
  }

  /// Whether terms must begin with a character that cannot be part of a word.
  static func endsWord(_ terms: ArraySlice<Term>) -> Bool {
    let first = firstCharacters(of: terms)
    return !first.isNullable && first.set.isDisjoint(with: wordSet)
  }

  /// Shorter words are indexed by their first eight bytes, with whatever follows the word.
  private static let shortWord = 6

  /// The characters of words, as the scanner sees them: in the folded text or, for case-sensitive
  /// filters, in the exact one.
  private static let wordSet: CharacterSet = {
    var set = CharacterSet()
    for byte: UInt8 in 0..<128 where FilterIndex.isWordByte(byte) { set.insert(byte) }
    return set
  }()

  // MARK: Literals

  /// The most alternatives for one character of a literal.
  private static let mostAlternatives = 10

  /// Returns the runs of characters outside of quantified groups, in the first `count` terms.
  ///
  /// A run takes in one character of what follows it, if that must be one of a few: in `/ad(s)?x/`
  /// the run is `/ad`, then `s` or `x`.
  private func literalRuns(
    _ terms: ArraySlice<Term>,
    within count: Int,
    _ isCaseSensitive: Bool
  ) -> [LiteralRun] {
    var runs: [LiteralRun] = []
    var run = LiteralRun()
    var skipped = 0
    func flush() {
      if run.text.count >= FilterIndex.gramLength { runs.append(run) }
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
