internal import ContentRules

/// Comparisons of patterns by their terms, without automata.
enum PatternShape {
  /// Whether the terms of a pattern occur, one after the other, in those of another one, so that
  /// it matches whatever the other one matches.
  ///
  ///     /ads/   is part of   ^https://cdn\.test/ads/[0-9]
  ///
  /// - Complexity: O(*n* · *m*) for *n* and *m* terms at worst; most patterns differ at once.
  static func isPart(_ part: [Term], of whole: [Term]) -> Bool {
    guard let first = part.first else { return true }
    guard first.isGap else { return begins(whole, 0, with: part, 0) }
    // Behind a gap the rest may begin at each term of the other pattern's top level.
    var place = 0
    while place < whole.count {
      if begins(whole, place, with: part, 1) { return true }
      if case .group(let count) = whole[place].kind { place += count }
      place += 1
    }
    return false
  }

  /// Returns the length of the longest text that every match contains.
  static func longestText(in terms: [Term]) -> Int {
    var (longest, length, place) = (0, 0, 0)
    while place < terms.count {
      switch terms[place].kind {
      case .characters(let set)
      where terms[place].quantifier == .one
        && set.low.nonzeroBitCount + set.high.nonzeroBitCount <= 2:
        length += 1
        longest = max(longest, length)
      case .group(let count):
        length = 0
        place += count
      default: length = 0
      }
      place += 1
    }
    return longest
  }

  /// Whether from a place on each term stands for no more than the part's term.
  private static func begins(
    _ whole: [Term],
    _ place: Int,
    with part: [Term],
    _ start: Int
  ) -> Bool {
    var place = place
    var own = start
    while own < part.count {
      guard place < whole.count else { return false }
      switch (whole[place].kind, part[own].kind) {
      case (.characters(let narrow), .characters(let wide)):
        guard narrow.low & ~wide.low == 0, narrow.high & ~wide.high == 0,
          isWithin(whole[place].quantifier, part[own].quantifier)
        else { return false }
      case (.group(let count), .group(let ownCount)):
        guard count == ownCount, isWithin(whole[place].quantifier, part[own].quantifier),
          place + count < whole.count, own + count < part.count,
          whole[(place + 1)..<(place + 1 + count)] == part[(own + 1)..<(own + 1 + count)]
        else { return false }
        place += count
        own += count
      default: return false
      }
      place += 1
      own += 1
    }
    return true
  }

  private static func isWithin(_ narrow: Quantifier, _ wide: Quantifier) -> Bool {
    switch (narrow, wide) {
    case (.one, _), (_, .zeroOrMore): true
    default: narrow == wide
    }
  }
}
