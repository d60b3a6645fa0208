internal import ContentRules
internal import RuleProofs

/// Spellings of patterns that cost WebKit's compiler a fraction, and match the same URLs.
///
/// A pattern that ends in `([/:&?].*)?$`, as a converter once wrote them, makes WebKit build a large
/// automaton: 5,000 of them take several times as long to compile as with `[\0/:&?]` in that place, which
/// also means "one of these, or the end of the URL" (section 5.4 of the rule language).
struct CheaperSpelling {
  private let patterns: PatternTable
  private let ending = ".*)?$"

  init(_ patterns: PatternTable) {
    self.patterns = patterns
  }

  /// Returns a cheaper pattern that is proved to match the same URLs; `nil` if none is known.
  func pattern(for filter: URLFilter) -> URLFilter? {
    guard let text = rewritten(filter.text) else { return nil }
    let cheaper = URLFilter(text, isCaseSensitive: filter.isCaseSensitive)
    let parsed = URLFilterParser.parse(text, isCaseSensitive: filter.isCaseSensitive)
    guard case .success = parsed else { return nil }
    let (own, other) = (patterns.number(of: filter), patterns.number(of: cheaper))
    guard !patterns.isUniversal(own), !patterns.isUniversal(other),
      patterns.inclusion(of: own, in: other) == .proved,
      patterns.inclusion(of: other, in: own) == .proved
    else { return nil }
    return cheaper
  }

  /// Writes `…([…].*)?$` as `…[\0…]`; the proof comes later.
  private func rewritten(_ text: String) -> String? {
    guard text.hasSuffix(ending), let open = text.range(of: "([", before: text.endIndex) else {
      return nil
    }
    let inside = text[open.upperBound...].dropLast(ending.utf8.count)
    guard inside.utf8.last == UInt8(ascii: "]"), inside.utf8.first != UInt8(ascii: "^") else {
      return nil
    }
    let members = inside.dropLast()
    // A bracket in the middle would be another set.
    guard !members.isEmpty, !members.utf8.contains(UInt8(ascii: "]")) else { return nil }
    return text[..<open.lowerBound] + "[\\0" + members + "]"
  }
}

extension String {
  /// Returns the last place of a text of ASCII.
  fileprivate func range(of text: String, before end: Index) -> Range<Index>? {
    let bytes = utf8
    var place = end
    while place > bytes.startIndex {
      place = bytes.index(before: place)
      if bytes[place...].starts(with: text.utf8) {
        return place..<bytes.index(place, offsetBy: text.utf8.count)
      }
    }
    return nil
  }
}
