/// Escapes text for XML.
enum XMLText {
  /// Escapes a text for an element or a double-quoted attribute; characters that XML forbids become
  /// U+FFFD.
  static func escape(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out.append(contentsOf: "&amp;".unicodeScalars)
      case "<": out.append(contentsOf: "&lt;".unicodeScalars)
      case ">": out.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": out.append(contentsOf: "&quot;".unicodeScalars)
      case "\t", "\n", "\r": out.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        out.append("\u{FFFD}")
      default: out.append(scalar)
      }
    }
    return String(out)
  }
}
