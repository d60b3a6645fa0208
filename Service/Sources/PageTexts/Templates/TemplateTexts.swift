/// The texts that templates name, put in their places.
public enum TemplateTexts {
  /// A text that a template names.
  public struct Use: Equatable, Sendable {
    /// The text's key.
    public let key: String
    /// What stands for `$1`, `$2`, …, as parts of the template.
    public let values: [String]
  }

  /// Returns the uses of texts in a template.
  public static func uses(in template: String) -> [Use] {
    var uses: [Use] = []
    var rest = template
    while true {
      let found = rest.matches(of: pattern).map { use($0.output) }
      guard !found.isEmpty else { return uses }
      uses += found
      rest = rest.replacing(pattern, with: "")
    }
  }

  /// Returns a template with its texts in a language.
  static func filled(
    _ template: String,
    _ texts: TextCatalogue,
    _ language: PageLanguage
  ) -> String {
    var filled = template
    // The inner ones of a text's values first.
    while filled.contains(pattern) {
      filled = filled.replacing(pattern) { text(for: use($0.output), texts, language) }
    }
    return filled
  }

  private static func text(
    for use: Use,
    _ texts: TextCatalogue,
    _ language: PageLanguage
  ) -> String {
    texts.message(use.key, in: language).pieces.map { piece in
      switch piece {
      case .text(let text): literal(text)
      case .value(let place): place < use.values.count ? use.values[place] : ""
      }
    }
    .joined()
  }

  /// Escapes a text, so that it is neither markup nor a part of a template.
  private static func literal(_ text: String) -> String {
    Template.escaped(text).replacing("{", with: "&#123;").replacing("[", with: "&#91;")
      .replacing("|", with: "&#124;")
  }

  private typealias Match = (Substring, key: Substring, values: Substring)

  /// `[[key]]` or `[[key|value|value]]`.
  private static var pattern: Regex<Match> {
    /\[\[(?<key>[a-z0-9_]+)(?<values>(?:\|[^|\[\]]*)*)\]\]/
  }

  private static func use(_ match: Match) -> Use {
    Use(
      key: String(match.key),
      values: match.values.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
        .map(String.init)
    )
  }
}
