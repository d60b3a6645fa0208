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
    template.matches(of: pattern).map { use($0.output) }
  }

  /// Returns a template with its texts in a language.
  static func filled(
    _ template: String,
    _ texts: TextCatalogue,
    _ language: PageLanguage
  ) -> String {
    template.replacing(pattern) { match in
      let use = use(match.output)
      return texts.message(use.key, in: language).pieces.map { piece in
        switch piece {
        case .text(let text): Template.escaped(text).replacing("{", with: "&#123;")
        case .value(let place): place < use.values.count ? use.values[place] : ""
        }
      }
      .joined()
    }
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
