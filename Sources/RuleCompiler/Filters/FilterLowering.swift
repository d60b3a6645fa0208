internal import ContentRules
internal import RuleMatching

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
  let gapAnchors: [GapAnchorTerms]

  struct GapAnchorTerms {
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

  /// Whether terms begin with others.
  private func begins(_ terms: [Term], with others: [Term]) -> Bool {
    // The last term first, since most patterns differ there.
    guard let last = others.indices.last, last < terms.count, terms[last] == others[last] else {
      return false
    }
    return terms.starts(with: others)
  }
}
