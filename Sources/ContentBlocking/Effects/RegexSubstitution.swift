internal import WebURL

/// Computes the URL that a `regex-substitution` makes of the captures of its rule's url filter.
///
/// > Source: the rule language, section 3.2. WebKit: `RegexSubstitutionAction::applyToURL`.
enum RegexSubstitution {
  /// The longest result of replacing, in bytes.
  ///
  /// A capture can itself contain `\2`, which is replaced in turn, so that ten rounds could make a
  /// short text arbitrarily long. Browsers refuse URLs longer than this.
  ///
  /// > Deviation: WebKit is bounded by the length of its strings only.
  static let maximumLength = 2 << 20

  /// Replaces `\0` … `\9` by captures, one number after the other, and parses the result.
  ///
  /// - Returns: The URL; `nil` if the filter does not match, or the result is too long or not a
  ///   URL.
  static func apply(_ substitution: String, urlFilter: String, to url: WebURL) -> WebURL? {
    guard let pattern = JavaScriptPattern(urlFilter),
      let captures = JavaScriptMatcher.firstMatch(of: pattern, in: url.utf8.span)
    else { return nil }
    var text = Array(substitution.utf8)
    for (number, range) in captures.prefix(10).enumerated() {
      // JavaScript inserts this text for a group that took no part.
      let value = range.map { url.utf8[$0] } ?? ArraySlice("undefined".utf8)
      let digit = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)
      guard let replaced = replacing(digit, by: value, in: text) else { return nil }
      text = replaced
    }
    return WebURL(utf8: text)
  }

  /// Replaces every backslash with the digit behind it, unless the result would be too long.
  private static func replacing(
    _ digit: UInt8,
    by value: ArraySlice<UInt8>,
    in text: [UInt8]
  ) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "\\"), index + 1 < text.count, text[index + 1] == digit {
        output.append(contentsOf: value)
        index += 2
      } else {
        output.append(text[index])
        index += 1
      }
      if output.count > maximumLength { return nil }
    }
    return output
  }
}
