internal import ContentRules

/// Makes foreign text fit to be shown.
package enum Shown {
  /// The text on one line: runs of white space become one space, and characters that would falsify
  /// what is shown, such as escapes or changes of direction, become U+FFFD.
  package static func line(_ text: String) -> String { DisplayText.line(text) }

  /// The text shortened in its middle to so many characters.
  package static func shortened(_ text: String, to width: Int) -> String {
    DisplayText.shortened(text, to: width)
  }

  /// The text filled up with spaces to so many characters.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
  }

  /// A number with commas between groups of three digits.
  package static func grouped(_ number: Int) -> String { DisplayText.grouped(number) }

  /// A number and its noun.
  package static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }
}
