internal import ContentRules
internal import Mustache

/// A Mustache template in every language, which escapes every value.
///
/// The library escapes by characters and misses a quotation mark or `<` that is followed by a
/// combining mark; this type escapes by scalars. ``DisplayText`` also makes invisible and
/// reordering characters in strangers' texts visible, except in `value` and text areas, whose
/// contents a form sends back unchanged.
///
/// Texts are named in double brackets. What stands for `$1`, `$2`, … follows, as a part of the
/// template, markup included:
///
///     <h1>[[notes_title]]</h1>
///     <p>[[note_changed|<time datetime="{{machine}}">{{human}}</time>]]</p>
public struct Template: Sendable {
  private let templates: [PageLanguage: MustacheTemplate]
  private let parts: TemplateParts

  /// Takes a template that is part of the program, as UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The template.
  ///   - texts: The texts that it names.
  ///   - parts: What it takes in.
  /// - Precondition: It can be parsed.
  public init(_ bytes: [UInt8], texts: TextCatalogue, parts: TemplateParts = .none) {
    self.init(String(decoding: bytes, as: UTF8.self), texts: texts, parts: parts)
  }

  /// Parses a template of the program.
  ///
  /// - Precondition: It is valid.
  public init(
    _ text: String,
    texts: TextCatalogue = .shared,
    parts: TemplateParts = .none
  ) {
    templates = Self.inAllLanguages { Self.parsed(text, texts, $0) }
    self.parts = parts
  }

  /// Renders with values: texts, numbers, booleans, phrases, and arrays and dictionaries of them.
  ///
  /// `lang` and `dir` are always among them.
  public func callAsFunction(
    _ values: [String: Any],
    in language: PageLanguage = .standard
  ) -> String {
    let all = values.merging(["lang": language.tag, "dir": language.direction]) { own, _ in own }
    guard let template = templates[language] else { preconditionFailure("a language is missing") }
    return template.render(all, library: parts.libraries[language])
  }

  static func inAllLanguages<Value>(_ make: (PageLanguage) -> Value) -> [PageLanguage: Value] {
    Dictionary(uniqueKeysWithValues: PageLanguage.allCases.map { ($0, make($0)) })
  }

  static func parsed(
    _ text: String,
    _ texts: TextCatalogue,
    _ language: PageLanguage
  ) -> MustacheTemplate {
    _ = registered
    do {
      let text = markingFields(TemplateTexts.filled(text, texts, language))
      // On a line of its own, so that a section may begin on the first line of the text.
      return try MustacheTemplate(string: "\(shown)\n\(text)")
    } catch {
      preconditionFailure("a template has a fault: \(error)")
    }
  }

  /// Returns markup as a value, which is not escaped again.
  static func constant(_ markup: String) -> any Sendable {
    do {
      return try MustacheTemplate(string: markup.replacing("{", with: "&#123;"))
    } catch {
      preconditionFailure("markup without tags cannot have a fault: \(error)")
    }
  }

  private static let shown = "{{% CONTENT_TYPE: SHOWN }}"
  private static let field = "{{% CONTENT_TYPE: FIELD }}"

  private static let registered: Void = {
    MustacheContentTypes.register(Shown(), named: "SHOWN")
    MustacheContentTypes.register(Field(), named: "FIELD")
  }()

  private struct Shown: MustacheContentType {
    func escapeText(_ text: String) -> String { Template.escaped(DisplayText.lines(text)) }
  }

  private struct Field: MustacheContentType {
    func escapeText(_ text: String) -> String { Template.escaped(text) }
  }

  /// Marks the values that forms send back.
  private static func markingFields(_ text: String) -> String {
    text.replacing(/(value=")(\{\{\w+\}\})"/) { "\($0.1)\(field)\($0.2)\(shown)\"" }
      .replacing(/(\{\{\w+\}\})<\/textarea>/) { "\(field)\($0.1)\(shown)</textarea>" }
  }

  /// Escapes `<`, `>`, `&` and both quotation marks.
  public static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      case 0: bytes += "\u{FFFD}".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// What several templates take in, as `{{> name}}`.
public struct TemplateParts: Sendable {
  let libraries: [PageLanguage: MustacheLibrary]
  /// Their names.
  public let names: Set<String>

  /// No parts.
  public static let none = TemplateParts([:], texts: .shared)

  /// Takes templates that are part of the program, by their names.
  ///
  /// - Precondition: They can be parsed.
  public init(_ parts: [String: [UInt8]], texts: TextCatalogue) {
    names = Set(parts.keys)
    libraries = Template.inAllLanguages { language in
      MustacheLibrary(
        templates: parts.mapValues {
          Template.parsed(String(decoding: $0, as: UTF8.self), texts, language)
        }
      )
    }
  }
}
