extension URLFilterParser {
  /// Simplifies the top-level terms of a pattern in place.
  ///
  /// The four steps of the rule language, section 5.3, in their order; the leading `.*` of the
  /// second step is there already if the pattern is not anchored.
  ///
  /// - Parameters:
  ///   - terms: The terms as read; empty afterwards if the pattern matches everything.
  ///   - isAnchored: Whether the pattern begins with `^`.
  ///   - endsWithEndOfLine: Whether the engine takes the last top-level term for `$`.
  /// - Returns: Whether all remaining terms can be empty.
  static func simplify(
    _ terms: inout [Term],
    isAnchored: Bool,
    endsWithEndOfLine: Bool
  ) -> Bool {
    let dotStar = Term(.characters(.any), .zeroOrMore)
    // Everything before `write` is simplified. The last two top-level terms decide about `.*$`, and
    // `consumingEnd` is the end of the last term that must consume something.
    var write = isAnchored ? 0 : 1
    var read = write
    var isAfterDotStar = !isAnchored
    var consumingEnd = 0
    var topLevelCount = write
    var endOfLineFollowsDotStar = false

    while read < terms.count {
      // Most terms are one character that must be there.
      if terms[read].quantifier == .one, case .characters = terms[read].kind,
        !endsWithEndOfLine || read + 1 < terms.count
      {
        if write != read { terms[write] = terms[read] }
        write += 1
        read += 1
        topLevelCount += 1
        consumingEnd = write
        isAfterDotStar = false
        continue
      }
      let length = span(of: terms[read])
      let isEndOfLine = endsWithEndOfLine && read + length == terms.count
      topLevelCount += 1
      if isEndOfLine {
        endOfLineFollowsDotStar = isAfterDotStar
      } else if isKnownToMatchAnyString(terms, at: read) {
        read += length
        if isAfterDotStar {
          topLevelCount -= 1
        } else {
          terms[write] = dotStar
          write += 1
          isAfterDotStar = true
        }
        continue
      }
      isAfterDotStar = false
      let mustConsume = !isEndOfLine && mustConsumeCharacter(terms, at: read)
      if write != read {
        for offset in 0..<length { terms[write + offset] = terms[read + offset] }
      }
      write += length
      read += length
      if mustConsume { consumingEnd = write }
    }

    // Steps 3 and 4: `.*$` is removed, and without a final `$` whatever may be empty is.
    let keepsEndOfLine = endsWithEndOfLine && !(topLevelCount > 2 && endOfLineFollowsDotStar)
    let end = consumingEnd == 0 || !keepsEndOfLine ? consumingEnd : write
    terms.removeLast(terms.count - end)
    return consumingEnd == 0
  }

  /// Returns the number of elements of the flat array that a term takes, itself included.
  private static func span(of term: Term) -> Int {
    if case .group(let count) = term.kind { count + 1 } else { 1 }
  }

  /// Whether a term is one of those that the engine recognises as `.*`.
  ///
  /// Follows a chain of groups of one term each, which must end at the universal set.
  private static func isKnownToMatchAnyString(_ terms: [Term], at start: Int) -> Bool {
    var index = start
    var outer: Quantifier?
    var isKnown = false
    while true {
      let term = terms[index]
      switch (outer, term.quantifier) {
      case (.zeroOrMore, _), (.zeroOrOne, .oneOrMore), (.oneOrMore, .zeroOrOne): isKnown = true
      default: break
      }
      switch term.kind {
      case .characters(let set):
        return set == .any && (isKnown || term.quantifier == .zeroOrMore)
      case .group(let count):
        guard count > 0, span(of: terms[index + 1]) == count else { return false }
      }
      outer = term.quantifier
      index += 1
    }
  }

  /// Whether the engine considers that a term cannot match nothing.
  ///
  /// In a mandatory group, one member that must consume is enough.
  private static func mustConsumeCharacter(_ terms: [Term], at start: Int) -> Bool {
    let end = start + span(of: terms[start])
    var index = start
    while index < end {
      let term = terms[index]
      if term.quantifier.allowsZero {
        index += span(of: term)
        continue
      }
      if case .characters = term.kind { return true }
      index += 1
    }
    return false
  }
}
