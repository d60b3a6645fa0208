/// Recognises valid, unsuspicious patterns without reading all of them.
///
/// Nearly all patterns of large lists are one of a few beginnings, plain text, and one of a few
/// endings. Beginnings and endings go through the parser once each; in doubt it reads the whole
/// pattern. A test compares the two.
struct PatternShortcut {
  /// How converters of filter lists write "this host or one below it"; none depends on what
  /// follows.
  private static let beginnings = [
    #"^[^:]+://+([^:/]+\.)?"#, #"^[^:]+:(//)?([^/]+\.)?"#, #"^https?://([^/]+\.)?"#,
    #"^https?://([^/:]*\.)?"#, #"^https?:/+([^/:]+\.)?"#, #"^https?://"#,
    #"^[htpsw]+:\/\/([a-z0-9-]+\.)?"#, #"^[htpsw]+:\/\/"#, #"^https?:\/\/"#,
  ].map { Array($0.utf8) }

  /// A cached ending.
  private struct Ending {
    var text: [UInt8]
    var isCaseSensitive: Bool
    var isHarmless: Bool
    var isRepeated: Bool
    var names: Int
  }

  private var endings: [Ending] = []
  /// The last pattern's parts, if it is harmless: the bytes of its plain text and of its ending,
  /// whether the ending repeats anything, and into how many names it may be taken apart.
  private(set) var parts = (plain: 0, ending: 0, isRepeated: false, names: 1)
  /// Longer endings, and more of them, are not cached.
  private static let longestEnding = 24
  private static let mostEndings = 16

  /// Whether a pattern is accepted, and ``URLFilterLint`` finds nothing in it.
  ///
  /// False for any pattern of another shape.
  mutating func isHarmless(
    _ pattern: Span<UInt8>,
    isCaseSensitive: Bool,
    _ scratch: inout [Term]
  ) -> Bool {
    guard pattern.count <= 4_096, let start = Self.endOfBeginning(pattern),
      let end = Self.endOfText(pattern, from: start)
    else { return false }
    parts = (end - start, pattern.count - end, false, 1)
    if end == pattern.count { return true }
    guard pattern.count - end <= Self.longestEnding else { return false }
    let known = endings.firstIndex {
      $0.isCaseSensitive == isCaseSensitive && pattern.ends($0.text, from: end)
    }
    if let known {
      parts.isRepeated = endings[known].isRepeated
      parts.names = endings[known].names
      let isHarmless = endings[known].isHarmless
      if known > 0 { endings.swapAt(known, known - 1) }
      return isHarmless
    }
    // Frequent endings have moved to the front.
    if endings.count == Self.mostEndings { endings.removeLast() }
    var text: [UInt8] = []
    for index in end..<pattern.count { text.append(pattern[index]) }
    let isHarmless = Self.isHarmless(text, isCaseSensitive: isCaseSensitive, &scratch)
    endings.append(
      Ending(
        text: text,
        isCaseSensitive: isCaseSensitive,
        isHarmless: isHarmless,
        isRepeated: Self.isRepeated(text),
        names: Self.isEndOrAnything(text) ? 1 : MatchingCost.names(text.span, from: 0)
      )
    )
    parts.isRepeated = endings[endings.count - 1].isRepeated
    parts.names = endings[endings.count - 1].names
    return isHarmless
  }

  /// Whether an ending has a repetition that costs a matcher anything; `([/:].*)?$` has none, since
  /// it is equivalent to a character of the set or the end.
  private static func isRepeated(_ ending: [UInt8]) -> Bool {
    !isEndOrAnything(ending)
      && ending.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "+") }
  }

  /// Whether an ending is the end or a character of a set, and then anything.
  private static func isEndOrAnything(_ ending: [UInt8]) -> Bool {
    ending.starts(with: "([".utf8) && ending.suffix(6).elementsEqual("].*)?$".utf8)
      && !ending.dropFirst(2).dropLast(6).contains(UInt8(ascii: "]"))
  }

  static func endOfBeginning(_ pattern: Span<UInt8>) -> Int? {
    for beginning in beginnings {
      let count = beginning.count
      guard pattern.count > count, pattern[count - 1] == beginning[count - 1] else { continue }
      var index = 0
      while index < count, pattern[index] == beginning[index] { index += 1 }
      if index == count { return count }
    }
    return nil
  }

  /// Returns the end of the plain text; `nil` if there is none or it is in any way odd.
  private static func endOfText(_ pattern: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < pattern.count {
      if pattern[index] == UInt8(ascii: "\\") {
        index += 1
        guard index < pattern.count, isEscapable(pattern[index]) else { return nil }
      } else if !isPlain(pattern[index]) {
        break
      }
      index += 1
    }
    guard index > start else { return nil }
    // At the end, these look as if they made something optional.
    switch pattern[index - 1] {
    case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "}"): return nil
    default: return index
    }
  }

  /// Whether a character always stands for itself and may occur in a URL.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "="), UInt8(ascii: "&"),
      UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "~"),
      UInt8(ascii: "!"), UInt8(ascii: "@"):
      true
    default: false
    }
  }

  /// Whether a character stands for itself behind a backslash, without a finding.
  private static func isEscapable(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "$"),
      UInt8(ascii: "_"):
      false
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// Whether an ending is valid and unsuspicious behind plain text.
  private static func isHarmless(
    _ ending: [UInt8],
    isCaseSensitive: Bool,
    _ scratch: inout [Term]
  ) -> Bool {
    switch ending.first {
    // A quantifier would apply to the plain text's last character.
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"): return false
    default: break
    }
    // A backreference would mean something else here, without the groups before it.
    for index in ending.indices where ending[index] == UInt8(ascii: "\\") {
      guard index + 1 < ending.count, isEscapable(ending[index + 1]) else { return false }
    }
    let pattern = Array("^x".utf8) + ending
    let parsed = URLFilterParser.parse(
      pattern.span,
      isCaseSensitive: isCaseSensitive,
      into: &scratch
    )
    guard case .success(let matchesEverything) = parsed else { return false }
    return !PatternGlance.isWorthALook(pattern.span, matchesEverything: matchesEverything)
  }
}

extension Span<UInt8> {
  /// Whether the bytes from a position to the end are the given ones.
  fileprivate func ends(_ text: [UInt8], from start: Int) -> Bool {
    guard text.count == count - start else { return false }
    for index in text.indices where self[start + index] != text[index] { return false }
    return true
  }
}
