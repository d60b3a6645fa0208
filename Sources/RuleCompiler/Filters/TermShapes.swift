internal import Automata
internal import ContentRules

/// Questions that lowering asks about terms.
extension Term {
  /// The set of a character term that is not quantified; `nil` for other terms.
  var singleSet: CharacterSet? {
    guard quantifier == .one, case .characters(let set) = kind else { return nil }
    return set
  }
}

extension CharacterSet {
  /// Returns the one character that the set stands for: its only member or, unless case-sensitive,
  /// the lower case of a letter of which it holds both cases.
  func character(isCaseSensitive: Bool) -> UInt8? {
    // Without counting bits, for which not every processor has an instruction.
    guard high != 0 else {
      let isOne = low & (low &- 1) == 0
      return isOne && low > 1 ? UInt8(truncatingIfNeeded: low.trailingZeroBitCount) : nil
    }
    guard low == 0 else { return nil }
    let upper = high.trailingZeroBitCount
    if high & (high &- 1) == 0 { return UInt8(truncatingIfNeeded: 64 + upper) }
    guard !isCaseSensitive else { return nil }
    guard 1...26 ~= upper, high == 1 << UInt64(upper) | 1 << UInt64(upper + 32) else { return nil }
    return UInt8(64 + upper + 32)
  }

  func isDisjoint(with other: CharacterSet) -> Bool {
    low & other.low == 0 && high & other.high == 0
  }

  func union(_ other: CharacterSet) -> CharacterSet {
    CharacterSet(low: low | other.low, high: high | other.high)
  }
}

/// Replaces unquantified groups at the top level by their contents, which mean the same.
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
      // A quantified group is copied whole.
      copied = count
    }
    result.append(term)
  }
  return result[...]
}

/// Returns the characters that a sequence of terms can begin with, and whether it can be empty.
///
/// - Complexity: O(*n*) for *n* terms.
func firstCharacters(of terms: ArraySlice<Term>) -> (set: CharacterSet, isNullable: Bool) {
  var set = CharacterSet()
  // The groups around `index`: where each ends, and its quantifier.
  var index = terms.startIndex
  var open: [(end: Int, quantifier: Quantifier)] = []
  while true {
    // The walk got to this group's end without having to read: what follows may come first, too.
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
      // This character cannot be left out, unless with the innermost optional group around it.
      guard let optional = open.last(where: { $0.quantifier.allowsZero }) else {
        return (set, false)
      }
      index = optional.end
      while let group = open.last, group.end != index { open.removeLast() }
    }
  }
}
