internal import Automata
internal import ContentRules

/// What lowering asks about terms.
extension Term {
  /// The set of an unquantified character term.
  var singleSet: CharacterSet? {
    guard quantifier == .one, case .characters(let set) = kind else { return nil }
    return set
  }
}

extension CharacterSet {
  /// The one character that the set stands for in a text of the given case: itself alone, or a
  /// letter in both cases, as its lower case, where the text is folded.
  func character(isCaseSensitive: Bool) -> UInt8? {
    let count = low.nonzeroBitCount + high.nonzeroBitCount
    if count == 1 {
      let character = UInt8(low != 0 ? low.trailingZeroBitCount : 64 + high.trailingZeroBitCount)
      return character == 0 ? nil : character
    }
    guard count == 2, low == 0, !isCaseSensitive else { return nil }
    let upper = high.trailingZeroBitCount
    guard 1...26 ~= upper, high >> UInt64(upper + 32) == 1 else { return nil }
    return UInt8(64 + upper + 32)
  }

  func isDisjoint(with other: CharacterSet) -> Bool {
    low & other.low == 0 && high & other.high == 0
  }

  func union(_ other: CharacterSet) -> CharacterSet {
    CharacterSet(low: low | other.low, high: high | other.high)
  }
}

/// Terms without groups that say nothing: an unquantified group at the top level is its contents.
func flattened(_ terms: ArraySlice<Term>) -> ArraySlice<Term> {
  var place = terms.startIndex
  // Most patterns have no such group.
  while place < terms.endIndex {
    if case .group(let count) = terms[place].kind {
      if terms[place].quantifier == .one { break }
      place += count
    }
    place += 1
  }
  guard place < terms.endIndex else { return terms }
  var result: [Term] = []
  result.reserveCapacity(terms.count)
  var copied = 0
  for term in terms {
    if copied > 0 {
      copied -= 1
    } else if case .group(let count) = term.kind {
      if term.quantifier == .one { continue }
      // A quantified group is taken over whole, with all that is in it.
      copied = count
    }
    result.append(term)
  }
  return result[...]
}

/// The characters that a sequence of terms can begin with, and whether it can be empty.
///
/// - Complexity: O(*n*) for *n* terms.
func firstCharacters(of terms: ArraySlice<Term>) -> (set: CharacterSet, isNullable: Bool) {
  var set = CharacterSet()
  // Groups that are open: where they end and whether they were nullable up to here.
  var index = terms.startIndex
  var open: [(end: Int, quantifier: Quantifier)] = []
  while true {
    // A group that ends here was passed without reading: what follows it may come first too.
    while let group = open.last, group.end == index { open.removeLast() }
    guard index < terms.endIndex else { return (set, true) }
    let term = terms[index]
    switch term.kind {
    case .group(let count):
      open.append((index + 1 + count, term.quantifier))
      index += 1
    case .characters(let characters):
      set = set.union(characters)
      if term.quantifier.allowsZero {
        index += 1
        continue
      }
      // Something must be read here, unless the nearest group that can be left out is.
      guard let optional = open.last(where: { $0.quantifier.allowsZero }) else {
        return (set, false)
      }
      index = optional.end
      while let group = open.last, group.end != index { open.removeLast() }
    }
  }
}
