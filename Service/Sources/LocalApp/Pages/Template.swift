internal import Mustache

/// A Mustache template in which every value is text.
///
/// The library's own escaping looks at characters, and does not see a quotation mark or `<` that a
/// combining mark follows; here it is done scalar by scalar.
struct Template: Sendable {
  private let template: MustacheTemplate

  /// Takes a template that is part of the program.
  ///
  /// - Precondition: It can be parsed.
  init(_ text: String) {
    _ = Self.registered
    do {
      template = try MustacheTemplate(string: "{{% CONTENT_TYPE: MARKUP }}" + text)
    } catch {
      preconditionFailure("a template has a fault: \(error)")
    }
  }

  /// Renders with values: texts, numbers, booleans, arrays and dictionaries of them.
  func callAsFunction(_ values: [String: Any]) -> String { template.render(values) }

  private static let registered: Void = MustacheContentTypes.register(Markup(), named: "MARKUP")

  private struct Markup: MustacheContentType {
    func escapeText(_ text: String) -> String { Template.escaped(text) }
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
