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
