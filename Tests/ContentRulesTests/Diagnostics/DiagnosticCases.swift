import ContentRules
import Testing

/// A list, the diagnostic that it must give, and where.
struct DiagnosticCase: CustomTestStringConvertible {
  var code: DiagnosticCode
  var text: String
  var message: String?
  var hint: String?

  init(_ code: DiagnosticCode, _ text: String, _ message: String? = nil, hint: String? = nil) {
    self.code = code
    self.text = text
    self.message = message
    self.hint = hint
  }

  var testDescription: String { "\(code.rawValue): \(text)" }
}

extension DiagnosticCase {
  static let all = syntax + lists + triggers + actions + warnings + traps

  /// A rule in which nothing is found.
  static let rule = #"{"trigger":{"url-filter":"a"},"action":{"type":"block"}}"#
}
