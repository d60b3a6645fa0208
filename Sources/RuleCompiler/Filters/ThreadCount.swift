internal import ContentRules

/// How many threads a pattern may keep alive at once, which is what each character of a URL costs.
///
/// A character that must be there ends the threads before it, so that a long pattern is cheap by
/// itself; what may be left out, and what is repeated, lets many places of the pattern be next. Only
/// threads of one place where the pattern began are counted.
struct ThreadCount {
  /// A bound on the threads, never too small.
  private(set) var most = 1
  private var sequences = [Sequence()]

  /// A sequence of terms that is read.
  private struct Sequence {
    /// The characters that may come first.
    var first = 0
    /// The characters that may come next behind the last one that must be there.
    var next = 0
    /// How many characters it has, and so the most that may come next.
    var characters = 0
    /// Whether all terms so far may be left out.
    var isOptional = true
    var end = 0
    var quantifier = Quantifier.one
  }

  /// Counts the threads of terms.
  ///
  /// - Complexity: O(*n*) for *n* terms; groups that are open are kept in an array.
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
    // Behind a unit that may be left out, what came before it and its own end both lead on.
    sequences[last].next = isOptional ? min(sequences[last].characters, reached + next) : next
  }
}
