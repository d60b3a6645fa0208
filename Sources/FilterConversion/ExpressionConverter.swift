/// Regular expressions of other blockers and browsers as patterns of WebKit.
package enum ExpressionConverter {
  /// Converts an expression.
  ///
  /// - Parameter text: The expression, without slashes around it.
  /// - Returns: Patterns that WebKit takes, any of which is enough, and what they do otherwise.
  /// - Throws: The reason why WebKit cannot express it.
  /// - Complexity: Bounded: an expression of more than 4,096 bytes, or one whose patterns would be
  ///   too many or too large, is refused.
  package static func patterns(
    of text: String
  ) throws(ConversionReason) -> (patterns: [String], reasons: [ConversionReason]) {
    let filter = try RegexFilter.read(Array(text.utf8)[...])
    return (filter.patterns.map { String(decoding: $0, as: UTF8.self) }, filter.reasons)
  }
}
