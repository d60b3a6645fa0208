/// Patterns as people write them in tests.
package enum PatternText {
  /// Whether a text names a pattern: as the engine has it, or as it stands in the list's JSON, where
  /// backslashes are doubled.
  package static func isSame(_ text: String, as pattern: String) -> Bool {
    readings(of: text).contains(pattern)
  }

  /// Returns the patterns that a text names, one or two.
  static func readings(of text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return [text] }
    let other = withoutEscapes(text)
    return other == text ? [text] : [text, other]
  }

  /// Returns a text without the backslash before each backslash, quotation mark and slash.
  private static func withoutEscapes(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        if byte != UInt8(ascii: "\\"), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "/") {
          bytes.append(UInt8(ascii: "\\"))
        }
        bytes.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    if isEscaped { bytes.append(UInt8(ascii: "\\")) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
