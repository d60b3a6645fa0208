internal import ContentRules
internal import RuleMatching

/// How a pattern is found and decided: what the index files it under, and its terms left to match.
enum LoweredFilter {
  /// Behind a host anchor, under a key; the tail must match behind the key.
  case key(HostAnchor, FilterIndex.KeyKind, key: [UInt8], tail: ArraySlice<Term>)
  /// Found by one of its literals. Terms of a fixed length match around the literal, so
  /// `fromStart` is false and their place follows from the literal's; others run from the start.
  case literal(terms: ArraySlice<Term>, runs: [LiteralRun], fromStart: Bool)
}

/// A run of single characters in a pattern.
struct LiteralRun {
  /// The characters, letters folded to lower case.
  var text: [UInt8]
  /// The place of the first character in the terms; its distance from the match's start where the
  /// terms have a fixed length.
  var place: Int
}

/// Sorts patterns by how they are found.
struct FilterLowering {
  /// The anchors' terms, longest first, so that an anchor is preferred to its own beginning.
  private let anchors: [(anchor: HostAnchor, isCaseSensitive: Bool, terms: [Term])]

  init() {
    var anchors: [(anchor: HostAnchor, isCaseSensitive: Bool, terms: [Term])] = []
    for anchor in HostAnchor.allCases {
      for isCaseSensitive in anchor.allowsCaseSensitive ? [false, true] : [false] {
        // The `x` keeps terms that can be empty from being tidied away at the end.
        let pattern = "\(anchor.pattern)x"
        if case .success(let filter) = URLFilterParser.parse(
          pattern,
          isCaseSensitive: isCaseSensitive
        ) {
          anchors.append((anchor, isCaseSensitive, filter.terms.dropLast()))
        }
      }
    }
    self.anchors = anchors.sorted { $0.terms.count > $1.terms.count }
  }

  /// Decides how a pattern that does not match everything is found.
  func lower(_ terms: [Term], isCaseSensitive: Bool) -> LoweredFilter {
    for candidate in anchors
    where candidate.isCaseSensitive == isCaseSensitive && terms.starts(with: candidate.terms) {
      let rest = flattened(terms[candidate.terms.count...])
      if let lowered = key(candidate.anchor, ArraySlice(rest), isCaseSensitive) {
        return lowered
      }
    }
    let terms = flattened(terms)
    if let first = terms.first, first.isGap,
      terms.dropFirst().allSatisfy({ $0.singleSet != nil })
    {
      let fixed = terms.dropFirst()
      return .literal(
        terms: fixed,
        runs: literalRuns(fixed, isCaseSensitive),
        fromStart: false
      )
    }
    return .literal(
      terms: ArraySlice(terms),
      runs: literalRuns(terms[...], isCaseSensitive),
      fromStart: true
    )
  }

  // MARK: Keys

  private func key(
    _ anchor: HostAnchor,
    _ terms: ArraySlice<Term>,
    _ isCaseSensitive: Bool
  ) -> LoweredFilter? {
    var text: [UInt8] = []
    for term in terms {
      guard let character = term.singleSet?.character(isCaseSensitive: isCaseSensitive),
        // The scanner compares keys with the folded URL.
        !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= character)
      else { break }
      text.append(character)
    }
    let word = text.prefix { FilterIndex.isWordByte($0) }
    // The scanner's places do not lie behind surplus slashes.
    guard !word.isEmpty else { return nil }
    if word.count <= FilterIndex.maximumWord {
      let tail = terms.dropFirst(word.count)
      let first = firstCharacters(of: tail)
      if !first.isNullable, first.set.isDisjoint(with: Self.wordSet) {
        return .key(anchor, .word, key: Array(word), tail: tail)
      }
    }
    if text.count >= 8 {
      return .key(anchor, .prefix8, key: Array(text.prefix(8)), tail: terms.dropFirst(8))
    }
    if text.count >= 4 {
      return .key(anchor, .prefix4, key: Array(text.prefix(4)), tail: terms.dropFirst(4))
    }
    return nil
  }

  private static let wordSet: CharacterSet = {
    var set = CharacterSet()
    for byte: UInt8 in 0..<128 where FilterIndex.isWordByte(byte) {
      set.insert(byte)
      // Upper-case letters too: a filter that is not case-sensitive reads the folded text, one
      // that is may have them in its sets, and the scanner's word then goes on.
      if UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte { set.insert(byte - 32) }
    }
    return set
  }()

  // MARK: Literals

  /// The runs of single characters outside of quantified groups.
  private func literalRuns(
    _ terms: ArraySlice<Term>,
    _ isCaseSensitive: Bool
  ) -> [LiteralRun] {
    var runs: [LiteralRun] = []
    var run = LiteralRun(text: [], place: 0)
    var skipped = 0
    func flush() {
      if run.text.count >= FilterIndex.gramLength { runs.append(run) }
      run.text = []
    }
    for (place, term) in terms.enumerated() {
      if skipped > 0 {
        skipped -= 1
        continue
      }
      if let character = term.singleSet?.character(isCaseSensitive: isCaseSensitive) {
        if run.text.isEmpty { run.place = place }
        let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= character
        run.text.append(isUpper ? character + 32 : character)
      } else {
        flush()
        if case .group(let count) = term.kind { skipped = count }
      }
    }
    flush()
    return runs
  }
}
