public import Foundation

/// Pages' texts for one reader: in their language, with numbers and dates of their locale.
///
///     texts("extension_on", extension.name)
///     texts.counted("rules", 4)
public struct Texts: Sendable {
  /// The texts in all languages.
  public let catalogue: TextCatalogue
  /// The language of the texts.
  public let language: PageLanguage
  /// How numbers and dates are written.
  public let locale: Locale
  /// Where the reader is.
  public let timeZone: TimeZone

  /// The texts for what a browser asks for.
  ///
  /// - Parameters:
  ///   - catalogue: The texts in all languages.
  ///   - accepted: The browser's languages.
  ///   - chosen: The language that the reader has chosen on a page.
  ///   - timeZone: Where the reader is.
  public init(
    _ catalogue: TextCatalogue,
    for accepted: AcceptedLanguages,
    chosen: PageLanguage? = nil,
    timeZone: TimeZone = .current
  ) {
    let (language, locale) = accepted.match(chosen: chosen)
    self.catalogue = catalogue
    self.language = language
    self.locale = Locale(identifier: locale)
    self.timeZone = timeZone
  }

  /// The texts in a language, for pages that are made before they are asked for.
  public init(_ catalogue: TextCatalogue, in language: PageLanguage, timeZone: TimeZone = .gmt) {
    self.init(catalogue, for: AcceptedLanguages(nil), chosen: language, timeZone: timeZone)
  }

  /// The texts of other pages for the same reader.
  public func of(_ catalogue: TextCatalogue) -> Texts {
    Texts(catalogue: catalogue, language: language, locale: locale, timeZone: timeZone)
  }

  private init(catalogue: TextCatalogue, language: PageLanguage, locale: Locale, timeZone: TimeZone)
  {
    self.catalogue = catalogue
    self.language = language
    self.locale = locale
    self.timeZone = timeZone
  }

  /// Returns a text; values stand for `$1`, `$2`, ….
  public func callAsFunction(_ key: String, _ values: any TextValue...) -> Phrase {
    phrase(key, values)
  }

  /// Returns a text with values from an array.
  public func callAsFunction(_ key: String, with values: [any TextValue]) -> Phrase {
    phrase(key, values)
  }

  /// Returns a text that depends on a number, which stands for `$1`; values stand for `$2`, `$3`, ….
  ///
  /// - Parameters:
  ///   - key: The key without the plural's form.
  ///   - count: The number.
  ///   - values: Further values.
  /// - Returns: The text.
  public func counted(_ key: String, _ count: Int, _ values: any TextValue...) -> Phrase {
    let form = "\(key)_\(PluralCategory(count, in: language.tag).rawValue)"
    let isThere = catalogue.messages[language]?[form] != nil
    return phrase(isThere ? form : "\(key)_\(PluralCategory.other.rawValue)", [count] + values)
  }

  private func phrase(_ key: String, _ values: [any TextValue]) -> Phrase {
    var pieces: [Phrase.Piece] = []
    for piece in catalogue.message(key, in: language).pieces {
      switch piece {
      case .text(let text): pieces.append(.own(text))
      case .value(let place):
        guard place < values.count else { continue }
        pieces += values[place].phrase(self).pieces
      }
    }
    return Phrase(pieces: pieces)
  }

  /// Returns sentences one after the other, as the language writes them; empty ones are left out.
  public func sentences(_ all: [Phrase]) -> Phrase {
    let space = language == .japanese ? "" : " "
    return Phrase(
      pieces: Array(all.filter { !$0.isEmpty }.map(\.pieces).joined(separator: [.own(space)]))
    )
  }

  /// Returns the name of a language, by its tag.
  public func name(ofLanguage tag: String) -> String {
    locale.localizedString(forLanguageCode: tag) ?? tag
  }

  /// Returns words as a list of the kind "a, b and c".
  public func list(_ all: [String]) -> Phrase {
    // Foundation isolates the members in some languages, as `bdi` does for a single value.
    let text = all.formatted(.list(type: .and).locale(locale))
    return .value(text.filter { $0 != "\u{2068}" && $0 != "\u{2069}" })
  }
}
