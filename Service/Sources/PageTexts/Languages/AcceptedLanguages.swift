/// The languages that a reader's browser asks for, most wanted first.
///
/// Strangers write this header field: what is too long, too many or malformed is left out.
///
/// > Source: RFC 9110, 12.5.4 (`Accept-Language`) and 12.4.2 (quality values); RFC 4647, 2.1 (language
/// > ranges) and 3.4 (lookup).
public struct AcceptedLanguages: Equatable, Sendable {
  /// The ranges with a weight above 0, in order, in lower case.
  public private(set) var ranges: [String]
  /// The ranges with the weight 0.
  public private(set) var refused: [String]

  /// The most bytes of a header field that are read.
  static let mostBytes = 2048
  /// The most ranges that are read.
  static let mostRanges = 32
  /// The longest range, in bytes.
  static let longestRange = 64

  /// Parses the header field; an absent or empty one accepts anything.
  ///
  /// - Complexity: O(1), since it is bounded.
  public init(_ header: String?) {
    var found: [(range: String, weight: Int)] = []
    refused = []
    let bytes = Array((header ?? "").utf8.prefix(Self.mostBytes))
    for element in bytes.split(separator: UInt8(ascii: ",")).prefix(Self.mostRanges) {
      guard let (range, weight) = Self.parsed(element) else { continue }
      if weight > 0 { found.append((range, weight)) } else { refused.append(range) }
    }
    // Those of one weight stay in their order.
    ranges = found.indices
      .sorted { (found[$1].weight, $0) < (found[$0].weight, $1) }
      .map { found[$0].range }
  }

  /// Returns the first wanted language, and the locale of its numbers and dates, such as `de-at`.
  ///
  /// - Parameter chosen: A language that the reader has chosen on a page, which counts before all
  ///   others.
  /// - Returns: Both; the standard language if none of the wanted ones is there.
  public func match(chosen: PageLanguage? = nil) -> (language: PageLanguage, locale: String) {
    if let chosen {
      let own = ranges.first { Self.language(of: $0) == chosen }
      return (chosen, own.map(Self.locale) ?? chosen.tag)
    }
    for range in ranges {
      guard let language = Self.language(of: range), !refused.contains(language.tag) else {
        continue
      }
      return (language, Self.locale(of: range))
    }
    return (.standard, PageLanguage.standard.tag)
  }

  /// Looks a range up: subtags are taken from its end until a language of the pages is left.
  ///
  /// The tags of pages are single subtags, so that the first one decides.
  private static func language(of range: String) -> PageLanguage? {
    PageLanguage(rawValue: String(range.prefix { $0 != "-" }))
  }

  /// The language, script and region of a range, without what else may change a locale.
  private static func locale(of range: String) -> String {
    let subtags = range.split(separator: "-")
    var kept = [String(subtags[0])]
    var rest = subtags.dropFirst()
    if let script = rest.first, script.utf8.count == 4, script.allSatisfy(\.isLetter) {
      kept.append(String(script))
      rest = rest.dropFirst()
    }
    if let region = rest.first, region.utf8.count == 2, region.allSatisfy(\.isLetter) {
      kept.append(region.uppercased())
    }
    return kept.joined(separator: "-")
  }

  private static func parsed(_ element: ArraySlice<UInt8>) -> (range: String, weight: Int)? {
    let parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map(trimmed)
    guard (1...2).contains(parts.count), isRange(parts[0]) else { return nil }
    let range = String(decoding: parts[0], as: UTF8.self).lowercased()
    guard parts.count == 2 else { return (range, 1000) }
    return weight(parts[1]).map { (range, $0) }
  }

  /// Whether bytes are `*`, or subtags of one to eight letters or digits, the first of letters.
  private static func isRange(_ bytes: ArraySlice<UInt8>) -> Bool {
    if bytes.elementsEqual("*".utf8) { return true }
    guard bytes.count <= longestRange else { return false }
    let subtags = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let first = subtags.first, first.allSatisfy(isLetter) else { return false }
    return subtags.allSatisfy { subtag in
      (1...8).contains(subtag.count) && subtag.allSatisfy { isLetter($0) || isDigit($0) }
    }
  }

  /// Returns a weight in thousandths: `q=` and 0 to 1 with at most three decimals.
  private static func weight(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let name = bytes.first, name | 0x20 == UInt8(ascii: "q") else { return nil }
    let value = bytes.dropFirst()
    guard value.first == UInt8(ascii: "="), let whole = value.dropFirst().first,
      whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1")
    else { return nil }
    let rest = value.dropFirst(2)
    guard rest.isEmpty || rest.first == UInt8(ascii: ".") else { return nil }
    let decimals = rest.dropFirst()
    guard decimals.count <= 3, decimals.allSatisfy(isDigit) else { return nil }
    var weight = Int(whole - UInt8(ascii: "0"))
    for place in 0..<3 {
      let digit = decimals.dropFirst(place).first.map { Int($0 - UInt8(ascii: "0")) } ?? 0
      weight = weight * 10 + digit
    }
    return weight <= 1000 ? weight : nil
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let byte = bytes.first, byte == 0x20 || byte == 0x09 { bytes.removeFirst() }
    while let byte = bytes.last, byte == 0x20 || byte == 0x09 { bytes.removeLast() }
    return bytes
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
