/// Takes lines of filter lists apart.
///
/// Reads what all three blockers write; every line has a meaning or a fault. Never traps, and
/// allocates only for modifiers and names of hosts.
package enum FilterParser {
  /// Reads one line.
  ///
  /// - Parameters:
  ///   - text: The list's bytes.
  ///   - range: The line, without white space around it.
  ///   - dialect: How the list is read.
  /// - Returns: What it is.
  /// - Complexity: O(*n*) for a line of *n* bytes.
  package static func parse(
    _ text: [UInt8],
    _ range: Range<Int>,
    dialect: FilterDialect
  ) -> Filter {
    guard !range.isEmpty else { return .comment }
    let first = text[range.lowerBound]
    if first == UInt8(ascii: "!") { return .comment }
    if dialect == .hosts { return hosts(text, range) }
    if first == UInt8(ascii: "["), isHeader(text, range) { return .comment }
    if first == UInt8(ascii: "#"), !FilterText.isHidingMark(text, range, dialect: dialect) {
      return .comment
    }
    let filter = filter(text, range)
    return ShortFilter.fault(of: filter, text, range, dialect) ?? filter
  }

  private static func filter(_ text: [UInt8], _ range: Range<Int>) -> Filter {
    if let mark = hidingMark(in: text, range) { return hiding(text, range, mark) }
    // Lines of hosts files stand in lists of all kinds, and mean nothing else there.
    if text[range].contains(where: { $0 <= 0x20 }), let names = HostsLine.names(in: text, range) {
      return names.isEmpty ? .localNames : .hosts(names)
    }
    return network(text, range)
  }

  private static func hosts(_ text: [UInt8], _ range: Range<Int>) -> Filter {
    if text[range.lowerBound] == UInt8(ascii: "#") { return .comment }
    guard let names = HostsLine.names(in: text, range) else {
      return .faulty("a line of a hosts file is an address and names, or one domain")
    }
    return names.isEmpty ? .localNames : .hosts(names)
  }

  /// Whether a line is `[Adblock Plus 2.0]` or the like.
  private static func isHeader(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    text[range.upperBound - 1] == UInt8(ascii: "]") && !FilterText.starts(text, range, "[$")
      && FilterText.position(in: text, range, of: "##") == nil
  }

  // MARK: Hiding

  private struct Mark {
    var start: Int
    var end: Int
    var kind: HidingFilter.Kind
    var isException: Bool
  }

  /// Finds `##` or one of its kin; only what can be domains stands in front of it.
  private static func hidingMark(in text: [UInt8], _ range: Range<Int>) -> Mark? {
    var index = range.lowerBound
    if FilterText.starts(text, range, "[$") {
      guard let end = PrefixModifiers.end(in: text, range) else { return nil }
      index = end
    }
    let start = index
    while index < range.upperBound {
      switch text[index] {
      case UInt8(ascii: "#"):
        if let mark = numberSignMark(text, index, range.upperBound) { return mark }
        return nil
      case UInt8(ascii: "$"):
        let rest = index..<range.upperBound
        if FilterText.starts(text, rest, "$$") {
          return Mark(start: index, end: index + 2, kind: .html, isException: false)
        }
        if FilterText.starts(text, rest, "$@$") {
          return Mark(start: index, end: index + 3, kind: .html, isException: true)
        }
        return nil
      case UInt8(ascii: "|"), UInt8(ascii: "@"), UInt8(ascii: "\""), UInt8(ascii: "!"),
        UInt8(ascii: "="), UInt8(ascii: "^"), UInt8(ascii: "?"):
        return nil
      case UInt8(ascii: "/") where index > start:
        return nil
      default: index += 1
      }
    }
    return nil
  }

  /// Reads `#`, any of `@?$%`, `#`.
  private static func numberSignMark(_ text: [UInt8], _ start: Int, _ end: Int) -> Mark? {
    var index = start + 1
    var isException = false
    var isExtended = false
    var kind = HidingFilter.Kind.elements
    while index < end, index <= start + 4 {
      switch text[index] {
      case UInt8(ascii: "@") where index == start + 1: isException = true
      case UInt8(ascii: "?"): isExtended = true
      case UInt8(ascii: "$"): kind = .style
      case UInt8(ascii: "%"): kind = .script
      case UInt8(ascii: "#"):
        if kind == .elements, isExtended { kind = .extendedElements }
        return Mark(start: start, end: index + 1, kind: kind, isException: isException)
      default: return nil
      }
      index += 1
    }
    return nil
  }

  private static func hiding(_ text: [UInt8], _ range: Range<Int>, _ mark: Mark) -> Filter {
    let body = FilterText.trim(text, mark.end..<range.upperBound)
    guard !body.isEmpty else { return .faulty("nothing follows the mark that ends the domains") }
    var filter = HidingFilter(
      kind: mark.kind,
      isException: mark.isException,
      domains: FilterText.trim(text, range.lowerBound..<mark.start),
      body: body
    )
    if let end = PrefixModifiers.end(in: text, range) {
      filter.modifiers = range.lowerBound + 2..<end - 1
      filter.domains = FilterText.trim(text, end..<mark.start)
    }
    if mark.kind == .elements {
      if FilterText.starts(text, body, "+js(") || FilterText.starts(text, body, "script:inject(") {
        filter.kind = .script
      } else if text[body.lowerBound] == UInt8(ascii: "^") {
        filter.kind = .html
      }
    }
    return .hiding(filter)
  }

  // MARK: Network filters

  private static func network(_ text: [UInt8], _ range: Range<Int>) -> Filter {
    var pattern = range
    let isException = FilterText.starts(text, range, "@@")
    if isException { pattern = range.lowerBound + 2..<range.upperBound }
    var modifiers: [FilterModifier] = []
    if !isWholeRegex(text, pattern), let dollar = modifiersStart(in: text, pattern) {
      modifiers = read(text, dollar + 1..<pattern.upperBound)
      pattern = pattern.lowerBound..<dollar
    }
    pattern = FilterText.trim(text, pattern)
    let isRegex =
      pattern.count > 2 && text[pattern.lowerBound] == UInt8(ascii: "/")
      && text[pattern.upperBound - 1] == UInt8(ascii: "/")
    if isRegex { pattern = pattern.lowerBound + 1..<pattern.upperBound - 1 }
    if pattern.isEmpty, modifiers.isEmpty { return .faulty("the filter is empty") }
    if !isException, !FilterText.starts(text, pattern, "|"),
      text[pattern].contains(UInt8(ascii: "#")), hasHidingMark(text, pattern)
    {
      return .faulty("only names of domains can stand in front of the mark of a hiding filter")
    }
    return .network(
      NetworkFilter(
        isException: isException,
        pattern: pattern,
        isRegex: isRegex,
        modifiers: modifiers
      )
    )
  }

  /// Whether all of a filter is a regular expression, so that a `$` in it begins no modifiers.
  ///
  /// It is not if known modifiers follow, of which the last may have a slash at its end:
  /// `/a$/$header=server:/x/`.
  private static func isWholeRegex(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count > 2, text[range.lowerBound] == UInt8(ascii: "/"),
      text[range.upperBound - 1] == UInt8(ascii: "/")
    else { return false }
    var index = range.lowerBound + 1
    while let dollar = FilterText.position(in: text, index..<range.upperBound, of: "$") {
      index = dollar + 1
      if areModifiers(text, index..<range.upperBound), isKnown(text, index..<range.upperBound) {
        return false
      }
    }
    return true
  }

  /// Whether `##` or one of its kin stands somewhere in a range.
  private static func hasHidingMark(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    FilterText.contains(text, range, "##") || FilterText.contains(text, range, "#@#")
      || FilterText.contains(text, range, "#?#") || FilterText.contains(text, range, "#$#")
      || FilterText.contains(text, range, "#%#")
  }

  /// Returns the place of the `$` that begins the modifiers: the last one that known ones follow,
  /// or the last one that modifiers can follow.
  private static func modifiersStart(in text: [UInt8], _ range: Range<Int>) -> Int? {
    var index = range.upperBound
    var last: Int?
    while index > range.lowerBound {
      index -= 1
      guard text[index] == UInt8(ascii: "$") else { continue }
      if index > range.lowerBound, text[index - 1] == UInt8(ascii: "\\") { continue }
      let rest = index + 1..<range.upperBound
      guard areModifiers(text, rest) else { continue }
      if isKnown(text, rest) { return index }
      if last == nil { last = index }
    }
    return last
  }

  /// Whether the first of some modifiers has a name that some blocker knows.
  private static func isKnown(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    let name = text[range].drop { $0 == UInt8(ascii: "~") }.prefix { isNamePart($0) }
    return FilterModifierKind.named(name) != .unknown
  }

  /// Whether a text begins as modifiers do: a name, and then its end, `,` or `=`.
  private static func areModifiers(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    if index < range.upperBound, text[index] == UInt8(ascii: "~") { index += 1 }
    let start = index
    while index < range.upperBound, isNamePart(text[index]) { index += 1 }
    guard index > start else { return false }
    return index == range.upperBound || text[index] == UInt8(ascii: ",")
      || text[index] == UInt8(ascii: "=")
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
      || byte == 0x5F
  }

  /// Reads modifiers with commas between them; `\,` is part of a value.
  private static func read(_ text: [UInt8], _ range: Range<Int>) -> [FilterModifier] {
    var modifiers: [FilterModifier] = []
    var start = range.lowerBound
    var index = start
    while index <= range.upperBound {
      let isEnd = index == range.upperBound
      if isEnd || text[index] == UInt8(ascii: ",") {
        let part = FilterText.trim(text, start..<index)
        if !part.isEmpty { modifiers.append(modifier(text, part)) }
        start = index + 1
      } else if text[index] == UInt8(ascii: "\\"), index + 1 < range.upperBound {
        index += 1
      }
      index += 1
    }
    return modifiers
  }

  private static func modifier(_ text: [UInt8], _ range: Range<Int>) -> FilterModifier {
    let isNegated = text[range.lowerBound] == UInt8(ascii: "~")
    let start = range.lowerBound + (isNegated ? 1 : 0)
    var end = start
    while end < range.upperBound, text[end] != UInt8(ascii: "=") { end += 1 }
    return FilterModifier(
      kind: FilterModifierKind.named(text[start..<end]),
      isNegated: isNegated,
      text: range,
      value: end < range.upperBound ? end + 1..<range.upperBound : nil
    )
  }
}
