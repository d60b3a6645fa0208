/// Filters that are so short that blockers take them for accidents, and ignore them.
///
/// What is left of a line where a list was cut, such as `||` or `p`, would otherwise block, or let pass, nearly
/// everything.
///
/// > Source: uBlock Origin 1.67, Adblock Plus' core 0.7.0 and AdGuard's engine, by their answers.
enum ShortFilter {
  /// Finds the fault of a filter that is too short in its dialect.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - text: The list's bytes.
  ///   - line: Its line.
  ///   - dialect: How the list is read.
  /// - Returns: The fault; `nil` if the filter is long enough.
  static func fault(
    of filter: Filter,
    _ text: [UInt8],
    _ line: Range<Int>,
    _ dialect: FilterDialect
  ) -> Filter? {
    switch (dialect, filter) {
    case (.ubo, .network(let filter)) where filter.modifiers.isEmpty:
      guard saysNothing(filter, text) else { return nil }
      return .faulty("uBlock Origin ignores filters of a single character, or of none")
    case (.abp, .network(let filter)):
      guard !namesDomain(filter, text), isUnspecific(filter, text) else { return nil }
      return .faulty(
        "Adblock Plus ignores patterns of fewer than 4 characters, unless there is a domain"
      )
    case (.abp, .hiding(let filter)) where filter.kind == .elements:
      guard isShorter(text, filter.body, than: 3), !namesDomain(filter, text) else { return nil }
      return .faulty(
        "Adblock Plus ignores selectors of fewer than 3 characters, unless there is a domain"
      )
    case (.adguard, .network(let filter)):
      let rest = line.lowerBound + (filter.isException ? 2 : 0)..<line.upperBound
      guard isShorter(text, filter.modifiers.isEmpty ? rest : line, than: 4) else { return nil }
      return .faulty("AdGuard ignores filters of fewer than 4 characters")
    case (.adguard, .hiding):
      guard isShorter(text, line, than: 4) else { return nil }
      return .faulty("AdGuard ignores filters of fewer than 4 characters")
    default: return nil
    }
  }

  /// Whether a pattern says nothing but a mark, or one letter at a place that neither `*` nor `||` leaves open.
  private static func saysNothing(_ filter: NetworkFilter, _ text: [UInt8]) -> Bool {
    if filter.isRegex { return isShorter(text, filter.pattern, than: 2) }
    let (star, bar) = (UInt8(ascii: "*"), UInt8(ascii: "|"))
    let pattern = text[filter.pattern]
    var core = pattern.drop { $0 == star || $0 == bar }
    while core.last == star || core.last == bar { core.removeLast() }
    guard core.count <= 1, let byte = core.first else { return core.isEmpty }
    let isLetterOrDigit = (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    guard isLetterOrDigit else { return true }
    if pattern.contains(star) { return false }
    return filter.isException || pattern.last == bar || !pattern.starts(with: [bar, bar])
  }

  /// Whether a pattern has fewer than four characters behind its anchor, and no `*`.
  private static func isUnspecific(_ filter: NetworkFilter, _ text: [UInt8]) -> Bool {
    if filter.isRegex { return isShorter(text, filter.pattern, than: 2) }
    var rest = filter.pattern
    for _ in 0..<2 where !rest.isEmpty && text[rest.lowerBound] == UInt8(ascii: "|") {
      rest = rest.lowerBound + 1..<rest.upperBound
    }
    return isShorter(text, rest, than: 4) && !text[rest].contains(UInt8(ascii: "*"))
      && !filter.pattern.isEmpty
  }

  /// Whether a filter about loads is for certain domains.
  private static func namesDomain(_ filter: NetworkFilter, _ text: [UInt8]) -> Bool {
    filter.modifiers.contains { modifier in
      guard modifier.kind == .domain, let value = modifier.value else { return false }
      return FilterText.split(text, value, at: UInt8(ascii: "|"))
        .contains { text[$0.lowerBound] != UInt8(ascii: "~") }
    }
  }

  /// Whether a hiding filter is for certain domains, below a top-level domain or `localhost`.
  private static func namesDomain(_ filter: HidingFilter, _ text: [UInt8]) -> Bool {
    FilterText.split(text, filter.domains, at: UInt8(ascii: ",")).contains { part in
      text[part.lowerBound] != UInt8(ascii: "~")
        && (text[part].contains(UInt8(ascii: ".")) || text[part].elementsEqual("localhost".utf8))
    }
  }

  /// Whether a text has fewer characters than a number, as JavaScript counts them.
  private static func isShorter(_ text: [UInt8], _ range: Range<Int>, than count: Int) -> Bool {
    range.count < count
      || (range.count < 3 * count && FilterText.string(text, range).utf16.count < count)
  }
}
