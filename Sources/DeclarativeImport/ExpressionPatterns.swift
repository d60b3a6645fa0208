/// Gives WebKit's patterns for regular expressions.
package struct ExpressionPatterns: Sendable {
  /// What became of an expression.
  package enum Answer: Sendable {
    /// Patterns, any of which is enough, and what they do otherwise, in sentences.
    case patterns([String], differences: [String])
    /// Why WebKit cannot express it, in a sentence.
    case impossible(String)
  }

  private let convert: @Sendable (String) -> Answer

  /// Takes the function that converts an expression.
  package init(_ convert: @escaping @Sendable (String) -> Answer) { self.convert = convert }

  func patterns(
    _ text: String
  ) throws(ImportReason) -> (patterns: [String], differences: [String]) {
    switch convert(text) {
    case .patterns(let patterns, let differences): return (patterns, differences)
    case .impossible(let sentence): throw ImportReason(.regex, sentence)
    }
  }
}
