internal import ContentRules
internal import Foundation
internal import Mustache

/// A Mustache template in which every value is text.
///
/// The library's own escaping looks at characters, and does not see a quotation mark or `<` that a
/// combining mark follows; here it is done scalar by scalar. What is shown, and comes from strangers,
/// must not make text look like other text either: ``DisplayText`` sees to it. What a form sends back,
/// in `value` and in text areas, stays as it is.
struct Template: Sendable {
  private let template: MustacheTemplate

  /// Takes a template that is part of the program, as UTF-8.
  ///
  /// - Precondition: It can be parsed.
  init(_ bytes: [UInt8]) { self.init(String(decoding: bytes, as: UTF8.self)) }

  /// Takes a template that is part of the program.
  ///
  /// - Precondition: It can be parsed.
  init(_ text: String) { template = Self.parsed(text) }

  /// Renders with values: texts, numbers, booleans, arrays and dictionaries of them.
  func callAsFunction(_ values: [String: Any]) -> String {
    template.render(values, library: Self.library)
  }

  private static let library = MustacheLibrary(
    templates: parts.mapValues { parsed(String(decoding: $0, as: UTF8.self)) }
  )

  private static func parsed(_ text: String) -> MustacheTemplate {
    _ = registered
    do {
      // On a line of its own, so that a section may begin on the first line of the text.
      return try MustacheTemplate(string: "\(shown)\n\(markingFields(text))")
    } catch {
      preconditionFailure("a template has a fault: \(error)")
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

  /// The template in which the values that forms send back are marked as such.
  private static func markingFields(_ text: String) -> String {
    text.replacing(/(value=")(\{\{\w+\}\})"/) { "\($0.1)\(field)\($0.2)\(shown)\"" }
      .replacing(/(\{\{\w+\}\})<\/textarea>/) { "\(field)\($0.1)\(shown)</textarea>" }
  }

  /// The text as markup: `<`, `>`, `&` and both quotation marks by their names.
  static func escaped(_ text: String) -> String {
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
