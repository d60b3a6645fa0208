internal import ContentRules

/// Makes foreign text fit for display.
package enum Shown {
  /// Puts text on one line: runs of white space become one space, and characters that could
  /// deceive, such as escapes or changes of direction, become U+FFFD.
  package static func line(_ text: String) -> String { DisplayText.line(text) }

  /// Shortens the text in its middle to `width` characters.
  package static func shortened(_ text: String, to width: Int) -> String {
    DisplayText.shortened(text, to: width)
  }

  /// Pads text with spaces to `width` characters.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
  }

  /// Formats a number with commas between groups of three digits.
  package static func grouped(_ number: Int) -> String { DisplayText.grouped(number) }

  /// Formats a number with its noun.
  package static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }
}
