/// Reads the patterns of `url-filter` and of the top-URL and frame-URL conditions.
///
/// A pattern is a regular expression in JavaScript's old, non-Unicode syntax without numbered
/// backreferences; what an automaton cannot express is refused. The rest is simplified and returned
/// as flat terms:
///
///     URLFilterParser.parse("^https?://", isCaseSensitive: false)   // h t t p s? : / /
///     URLFilterParser.parse("a|b", isCaseSensitive: false)          // .disjunction at 1..<2
///
/// Faults have an order: a character above 127 and the empty pattern come first, then a syntax
/// error anywhere in the pattern, then the first refused construct from left to right.
///
/// All calls take O(*n*) time for *n* bytes, without recursion, and never trap.
///
/// > Source: the rule language, sections 5.1 to 5.4. WebKit: `YarrParser`, `URLFilterParser`.
public enum URLFilterParser {
  /// The longest pattern in characters; longer ones are ``URLFilterStatus/yarrError``.
  public static let maximumLength = 1_048_576
  /// The greatest depth of nested groups; deeper ones are ``URLFilterStatus/tooDeep``.
  ///
  /// Real patterns nest a handful of groups, and WebKit needs more than ten seconds for this many.
  /// Walks over the terms must not recurse on the depth.
  public static let maximumGroupDepth = 20_000

  /// Reads a pattern given as UTF-8 bytes.
  ///
  /// - Parameters:
  ///   - text: The pattern; JSON escapes are already resolved.
  ///   - isCaseSensitive: Whether a letter stands for itself only.
  /// - Returns: The tidied terms, or the fault that refuses the pattern.
  public static func parse(
    _ text: Span<UInt8>,
    isCaseSensitive: Bool
  ) -> Result<ParsedURLFilter, URLFilterFault> {
    var terms: [Term] = []
    terms.reserveCapacity(min(text.count, maximumLength) + 1)
    return parse(text, isCaseSensitive: isCaseSensitive, into: &terms).map { matchesEverything in
      ParsedURLFilter(terms: terms, matchesEverything: matchesEverything)
    }
  }

  /// Reads a pattern given as a string; otherwise like the call that takes bytes.
  ///
  /// - Parameters:
  ///   - text: The pattern; fault ranges count its UTF-8 bytes.
  ///   - isCaseSensitive: Whether a letter stands for itself only.
  /// - Returns: The tidied terms, or the fault that refuses the pattern.
  public static func parse(
    _ text: String,
    isCaseSensitive: Bool
  ) -> Result<ParsedURLFilter, URLFilterFault> {
    parse(text.utf8Span.span, isCaseSensitive: isCaseSensitive)
  }

  /// Reads a pattern into an array that is reused, without an allocation per pattern.
  ///
  /// - Parameters:
  ///   - text: The pattern's UTF-8 bytes.
  ///   - isCaseSensitive: Whether a letter stands for itself only.
  ///   - terms: Receives the simplified terms, as ``ParsedURLFilter/terms`` describes them; its
  ///     capacity is kept.
  ///     Unspecified after a fault.
  /// - Returns: Whether the pattern applies to every URL, or the fault that refuses it.
  public static func parse(
    _ text: Span<UInt8>,
    isCaseSensitive: Bool,
    into terms: inout [Term]
  ) -> Result<Bool, URLFilterFault> {
    var reader = PatternReader(isCaseSensitive: isCaseSensitive)
    swap(&reader.terms, &terms)
    reader.read(text)
    swap(&reader.terms, &terms)
    if let fault = reader.fault { return .failure(fault) }
    return .success(
      simplify(
        &terms,
        isAnchored: reader.isAnchored,
        endsWithEndOfLine: reader.hasEndOfLine
      )
    )
  }

  /// Returns all faults of a pattern, each construct on its own, for people who correct it.
  ///
  /// The first one refuses the pattern. The others are found by reading the pattern again with a
  /// letter in the place of each fault.
  ///
  /// - Parameters:
  ///   - text: The pattern's UTF-8 bytes.
  ///   - limit: The most faults to look for.
  /// - Returns: The faults, the decisive one first; empty for a valid pattern.
  /// - Complexity: O(*n* · *limit*) for a pattern of *n* bytes.
  public static func faults(in text: Span<UInt8>, limit: Int = 16) -> [URLFilterFault] {
    var faults: [URLFilterFault] = []
    var mended: [UInt8] = []
    mended.reserveCapacity(text.count)
    for index in text.indices { mended.append(text[index]) }
    var scratch: [Term] = []
    while faults.count < limit, let fault = firstFault(in: mended.span, scratch: &scratch) {
      let isNew = faults.allSatisfy { !$0.range.overlaps(fault.range) }
      guard isNew || faults.isEmpty else { break }
      faults.append(fault)
      guard fault.status != .emptyPattern, fault.status != .tooDeep, !fault.range.isEmpty,
        fault.range.count < text.count, fault.range.lowerBound < maximumLength
      else { break }
      // Keeps the parenthesis of a special group, because its partner stays.
      let keepsFirst = text[fault.range.lowerBound] == UInt8(ascii: "(") && fault.range.count > 1
      for index in fault.range.dropFirst(keepsFirst ? 1 : 0) { mended[index] = UInt8(ascii: "a") }
    }
    return faults
  }

  /// Returns the fault that refuses a pattern; `nil` if it is valid.
  ///
  /// Returns the same faults as parsing, which do not depend on the case flag, without the
  /// simplification.
  ///
  /// - Parameters:
  ///   - text: The pattern's UTF-8 bytes.
  ///   - scratch: Reused working memory; its contents mean nothing.
  /// - Returns: The fault, or `nil`.
  public static func firstFault(
    in text: Span<UInt8>,
    scratch: inout [Term]
  ) -> URLFilterFault? {
    var reader = PatternReader(isCaseSensitive: true)
    swap(&reader.terms, &scratch)
    reader.read(text)
    swap(&reader.terms, &scratch)
    return reader.fault
  }
}
