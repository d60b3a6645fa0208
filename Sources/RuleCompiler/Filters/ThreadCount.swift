internal import ContentRules

/// Bounds the threads that a pattern may keep alive at once, which is its cost per character of a
/// URL.
///
/// A mandatory character ends the threads before it, so that a long plain pattern is cheap;
/// optional and repeated parts keep several places of the pattern alive. Counts only the threads of
/// one start.
struct ThreadCount {
  /// An upper bound on the threads.
  private(set) var most = 1
  private var sequences = [Sequence()]

  /// A sequence of terms being read: the pattern or an open group.
  private struct Sequence {
    /// How many characters may come first.
    var first = 0
    /// How many characters may come next behind its last mandatory one.
    var next = 0
    /// How many characters it has, which also bounds ``next``.
    var characters = 0
    /// Whether all terms so far are optional.
    var isOptional = true
    var end = 0
    var quantifier = Quantifier.one
  }

  /// Counts the threads of terms.
  ///
  /// - Complexity: O(*n*) for *n* terms, without recursion.
  init(_ terms: ArraySlice<Term>) {
    sequences[0].end = terms.endIndex
    for index in terms.indices {
      let term = terms[index]
      switch term.kind {
      case .characters:
        append(Sequence(first: 1, characters: 1, isOptional: false), term.quantifier)
      case .group(let count):
        sequences.append(Sequence(end: index + 1 + count, quantifier: term.quantifier))
      }
      while sequences.count > 1, let group = sequences.last, group.end == index + 1 {
        sequences.removeLast()
        append(group, group.quantifier)
      }
    }
  }

  private mutating func append(_ unit: Sequence, _ quantifier: Quantifier) {
    let isRepeated = quantifier == .zeroOrMore || quantifier == .oneOrMore
    let isOptional = unit.isOptional || quantifier.allowsZero
    let last = sequences.count - 1
    let reached = sequences[last].next + unit.first
    let next = min(unit.characters, unit.next + (isRepeated ? unit.first : 0))
    most = max(most, reached, next)
    if sequences[last].isOptional { sequences[last].first += unit.first }
    sequences[last].isOptional = sequences[last].isOptional && isOptional
    sequences[last].characters += unit.characters
    // Behind an optional unit, both what precedes it and its own end lead on.
    sequences[last].next = isOptional ? min(sequences[last].characters, reached + next) : next
  }
}
