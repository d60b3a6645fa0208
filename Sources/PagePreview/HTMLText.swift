internal import ContentRules

/// Text of HTML; what strangers have written becomes printable and is escaped.
struct HTMLText {
  private(set) var text = ""

  /// Adds the program's own markup.
  mutating func markup(_ own: String) { text += own }

  /// Adds text for people, on one line, in an element or an attribute with double quotation marks.
  ///
  /// - Parameters:
  ///   - foreign: Any text.
  ///   - limit: The most characters; more are left out in the middle.
  mutating func text(_ foreign: String, limit: Int = 1_000) {
    let shown = DisplayText.shortened(DisplayText.line(foreign), to: limit)
    for scalar in shown.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Adds text in an element for code.
  mutating func code(_ foreign: String, limit: Int = 300) {
    text += "<code>"
    text(foreign, limit: limit)
    text += "</code>"
  }
}
