/// Reads the patterns of `url-filter` and of the top-URL and frame-URL conditions.
///
/// A pattern is a regular expression in JavaScript's old, non-Unicode syntax without numbered
/// back-references; what an automaton cannot express is refused. What is left is tidied and handed
/// over as flat terms:
///
///     URLFilterParser.parse("^https?://", isCaseSensitive: false)   // h t t p s? : / /
///     URLFilterParser.parse("a|b", isCaseSensitive: false)          // .disjunction at 1..<2
///
/// Which refusal is reported: a character above 127 and the empty pattern come first, then a
/// syntax error anywhere in the pattern, then the first refused construct from left to right.
///
/// All calls take O(*n*) time, where *n* is the number of bytes, and need no recursion; whatever
/// the bytes are, they do not trap.
///
/// > Source: the rule language, sections 5.1 to 5.4. WebKit: `YarrParser`, `URLFilterParser`.
public enum URLFilterParser {
  /// The longest pattern in characters; longer ones are ``URLFilterStatus/yarrError``.
  public static let maximumLength = 1_048_576
  /// How deeply groups may be nested; beyond lies ``URLFilterStatus/tooDeep``.
  ///
  /// Hand-written and generated patterns nest a handful of groups, and WebKit needs more than ten
  /// seconds for this many. Walks over the terms must not recurse on the depth.
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

  /// Reads a pattern into an array that is used over and over, without allocating per pattern.
  ///
  /// - Parameters:
  ///   - text: The pattern's UTF-8 bytes.
  ///   - isCaseSensitive: Whether a letter stands for itself only.
  ///   - terms: Emptied first, its capacity kept; afterwards the tidied terms as
  ///     ``ParsedURLFilter/terms`` describes them. Unspecified after a fault.
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

  /// All that is wrong with a pattern, each construct by itself, for people who mend it.
  ///
  /// The first is what refuses the pattern. What stands behind it is found by reading the pattern
  /// again with a letter in the place of each fault.
  ///
  /// - Parameters:
  ///   - text: The pattern's UTF-8 bytes.
  ///   - limit: How many faults are looked for.
  /// - Returns: The faults, the decisive one first; empty for a pattern that is accepted.
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
      // The parenthesis of a special group stays, because its partner does.
      let keepsFirst = text[fault.range.lowerBound] == UInt8(ascii: "(") && fault.range.count > 1
      for index in fault.range.dropFirst(keepsFirst ? 1 : 0) { mended[index] = UInt8(ascii: "a") }
    }
    return faults
  }

  /// Says what refuses a pattern; `nil` when it is accepted.
  ///
  /// This is what checking a list needs: it gives the same faults as parsing, which do not depend
  /// on the case flag, and leaves out the tidying.
  ///
  /// - Parameters:
  ///   - text: The pattern's UTF-8 bytes.
  ///   - scratch: Working memory to be used over and over; its contents mean nothing.
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
