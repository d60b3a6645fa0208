/// Gives WebKit's patterns for regular expressions.
package struct ExpressionPatterns: Sendable {
  private let convert: @Sendable (String) -> Result<[String], ExpressionFault>

  /// Why WebKit cannot express one.
  package struct ExpressionFault: Error, Sendable {
    /// A sentence without a full stop.
    package var sentence: String

    /// Creates a fault from its sentence.
    package init(sentence: String) { self.sentence = sentence }
  }

  /// Takes the function that converts an expression to patterns, any of which is enough.
  package init(_ convert: @escaping @Sendable (String) -> Result<[String], ExpressionFault>) {
    self.convert = convert
  }

  func patterns(_ text: String, _ isCaseSensitive: Bool) throws(ImportReason) -> [String] {
    switch convert(text) {
    case .success(let patterns): return patterns
    case .failure(let fault): throw ImportReason(.regex, fault.sentence)
    }
  }
}
