/// Foreign text and numbers, made fit to be shown to people.
public enum DisplayText {
  /// The text on one line: runs of white space become one space, and characters that would falsify
  /// what is shown, such as escapes or changes of direction, become U+FFFD.
  ///
  /// - Complexity: O(*n*) for *n* characters.
  public static func line(_ text: String) -> String {
    var output = ""
    var hasSpace = false
    for scalar in text.unicodeScalars {
      if scalar == " " || scalar == "\n" || scalar == "\r" || scalar == "\t" {
        hasSpace = true
        continue
      }
      if hasSpace, !output.isEmpty { output += " " }
      hasSpace = false
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: output += "\u{FFFD}"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// The text shortened in its middle to so many characters.
  public static func shortened(_ text: String, to width: Int) -> String {
    guard text.unicodeScalars.count > width, width > 2 else { return text }
    let scalars = Array(text.unicodeScalars)
    let tail = (width - 1) / 3
    var output = String.UnicodeScalarView(scalars.prefix(width - 1 - tail))
    output.append("…")
    output.append(contentsOf: scalars.suffix(tail))
    return String(output)
  }

  /// A number with commas between groups of three digits.
  public static func grouped(_ number: Int) -> String { number.grouped }
}
