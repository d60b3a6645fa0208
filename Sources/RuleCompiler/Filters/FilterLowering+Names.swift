internal import ContentRules
internal import RuleMatching

/// Takes host names apart that have optional parts or classes, as lists write that merge filters.
///
///     ^[^:]+:(//)?([^/]+\.)?   s?metrics\.example\.com   →   metrics.example.com, smetrics.example.com
///
/// Each name has a key of its own, and nothing is left that needs an automaton.
extension FilterLowering {
  /// Longer patterns are left whole: a name has at most 253 characters, and each would be copied for each name.
  private static let longestTerms = 256
  /// More names would make a list's index many times as large.
  private static let mostNames = 8
  /// The most names under one key: all postings stand behind each, and one URL may have them all.
  private static let mostNamesOfKey = 2

  /// Takes the names apart that may follow a host anchor.
  ///
  /// - Parameters:
  ///   - anchor: The anchor.
  ///   - terms: What follows it.
  ///   - isCaseSensitive: Whether letters match only themselves.
  /// - Returns: A filter for each name; `nil` if there is only one or too many, if one has no key, or if
  ///   anything repeats but gaps.
  static func names(
    _ anchor: HostAnchor,
    _ terms: ArraySlice<Term>,
    _ isCaseSensitive: Bool
  ) -> [KeyFilter]? {
    guard terms.count <= longestTerms, let (beginnings, rest) = expanded(terms) else { return nil }
    var names: [[Term]] = []
    for beginning in beginnings {
      let name = beginning + rest
      for name in isCaseSensitive ? [name] : expandedClasses(name) where !names.contains(name) {
        guard names.count < mostNames else { return nil }
        names.append(name)
      }
    }
    guard names.count > 1 else { return nil }
    var filters: [KeyFilter] = []
    for name in names {
      guard let filter = key(anchor, name[...], isCaseSensitive) else { return nil }
      guard filters.count(where: { $0.key == filter.key }) < mostNamesOfKey else { return nil }
      filters.append(filter)
    }
    return filters
  }

  /// Expands terms from their first to the last one that is neither a single character nor a gap.
  ///
  /// - Returns: The texts of these terms, and what follows them; `nil` if there are too many, or if one of
  ///   the terms repeats.
  private static func expanded(
    _ terms: ArraySlice<Term>
  ) -> (texts: [[Term]], rest: ArraySlice<Term>)? {
    var end = terms.startIndex
    var last: Int?
    while end < terms.endIndex {
      let start = end
      end += 1
      if case .group(let count) = terms[start].kind { end += count }
      if !ProgramWriter.isPiece(terms[start]) { last = start }
    }
    guard let last else { return ([[]], terms) }
    var behind = last + 1
    if case .group(let count) = terms[last].kind { behind += count }
    // An ending such as `([^a-z].*)?$` is one character and is left as it is.
    if ProgramWriter.isPieces(terms[last...]) { behind = last }
    guard let texts = texts(of: terms[..<behind]) else { return nil }
    return (texts, terms[behind...])
  }

  /// Takes classes in a host's name apart, up to the first with which there would be too many names.
  private static func expandedClasses(_ name: [Term]) -> [[Term]] {
    var names = [name]
    for place in 0..<min(FilterIndex.maximumWord, name.count) {
      guard let set = name[place].singleSet else { break }
      if let character = set.character(isCaseSensitive: false) {
        guard FilterIndex.isWordByte(character) else { break }
        continue
      }
      guard let characters = charactersOfName(set), names.count * characters.count <= mostNames
      else { break }
      names = names.flatMap { name in
        characters.map { character in
          var name = name
          name[place] = Term(.characters(set.intersection(.letter(character))), .one)
          return name
        }
      }
    }
    return names
  }

  /// All characters of a class of a few, of which one at least may stand in a host's name; `nil` for another.
  static func charactersOfName(_ set: CharacterSet) -> [UInt8]? {
    guard let characters = alternatives(set) else { return nil }
    return characters.contains(where: FilterIndex.isWordByte) ? characters : nil
  }
}

extension CharacterSet {
  /// A character and, if it is a lower-case letter, its upper case.
  fileprivate static func letter(_ character: UInt8) -> CharacterSet {
    var set = CharacterSet()
    set.insert(character)
    if UInt8(ascii: "a")...UInt8(ascii: "z") ~= character { set.insert(character - 32) }
    return set
  }

  fileprivate func intersection(_ other: CharacterSet) -> CharacterSet {
    CharacterSet(low: low & other.low, high: high & other.high)
  }
}
