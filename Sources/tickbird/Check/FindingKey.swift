internal import ContentRules

/// Identifies a finding when a list is checked again, by its code, its place in the rule, and the
/// rule's text.
///
/// Moving rules or reformatting the file does not change the key; changing the rule does.
struct FindingKey: Hashable {
  /// The code's name.
  var code: String
  /// The path relative to the rule, such as `.trigger.if-domain[2]`; empty for a list as a whole.
  var path: String
  /// A digest of the rule's text; 0 for a list as a whole.
  var rule: UInt64

  init(code: String, path: String, rule: UInt64) {
    self.code = code
    self.path = path
    self.rule = rule
  }

  /// Creates the key of a diagnostic in a rule with the given digest.
  init(_ diagnostic: Diagnostic, rule: UInt64) {
    code = diagnostic.code.rawValue
    let path = diagnostic.location.jsonPath
    self.path = path.firstIndex(of: "]").map { String(path[path.index(after: $0)...]) } ?? ""
    self.rule = diagnostic.location.ruleIndex == nil ? 0 : rule
  }

  /// Returns the FNV-1a hash of a rule's text without the white space between its values.
  static func digest(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    var isString = false
    var isEscaped = false
    for index in range {
      let byte = text[index]
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isString = true
      } else if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
        continue
      }
      digest = (digest ^ UInt64(byte)) &* 0x0100_0000_01B3
    }
    return digest
  }

  /// The key as one text.
  var fingerprint: String { "\(code)/\(ruleText)\(path)" }

  /// The digest as text.
  var ruleText: String {
    let digits = String(rule, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
