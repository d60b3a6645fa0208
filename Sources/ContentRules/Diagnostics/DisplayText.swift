/// Makes foreign text and numbers fit for display.
///
/// Lists, feeds, bundles and extensions come from strangers. The names in them must not control a
/// terminal, forge a line, or make text look like other text. ``PrintableScalars`` decides which
/// characters could.
public enum DisplayText {
  /// The default limit of characters.
  public static let usualLimit = 4_000

  /// Puts text on one line: runs of white space become one space, and characters that could
  /// deceive, such as escapes or changes of direction, become U+FFFD.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - limit: The most characters to keep; the number of those cut off is appended.
  /// - Returns: The line.
  /// - Complexity: O(*n*) for *n* characters.
  public static func line(_ text: String, limit: Int = usualLimit) -> String {
    rendered(text, limit: limit) { scalar in isSpace(scalar) ? .space : .character }
  }

  /// Sanitises text like ``line(_:limit:)``, but keeps line ends, tabs and runs of spaces.
  public static func lines(_ text: String, limit: Int = .max) -> String {
    rendered(text.replacingLineEnds, limit: limit) { scalar in
      scalar == "\n" || scalar == "\t" ? .kept : .character
    }
  }

  /// Sanitises a path: replaces only characters that could deceive, line ends among them.
  public static func path(_ text: String) -> String {
    rendered(text, limit: .max) { _ in .character }
  }

  /// Escapes characters in JSON text that could deceive when displayed.
  ///
  /// - Parameter text: Well-formed JSON with control characters only between values.
  /// - Returns: Equivalent JSON text.
  public static func json(_ text: String) -> String {
    guard !isPlain(text.utf8, lineEnds: true) else { return text }
    var output = ""
    for scalar in text.unicodeScalars {
      if scalar.value >= 0x7F, isEscapedInJSON(scalar) {
        for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
          let digits = String(unit, radix: 16)
          output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// Whether JSON output escapes the character; of ASCII only U+007F.
  public static func isEscapedInJSON(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x7F else { return false }
    return switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Emoji, Persian and Indic scripts need these joiners.
    case .format: scalar.value != 0x200C && scalar.value != 0x200D
    default: false
    }
  }

  /// Shortens the text in its middle to `width` characters.
  public static func shortened(_ text: String, to width: Int) -> String {
    guard text.unicodeScalars.count > width, width > 2 else { return text }
    let scalars = Array(text.unicodeScalars)
    let tail = (width - 1) / 3
    var output = String.UnicodeScalarView(scalars.prefix(width - 1 - tail))
    output.append("…")
    output.append(contentsOf: scalars.suffix(tail))
    return String(output)
  }

  /// Formats a number with commas between groups of three digits.
  public static func grouped(_ number: Int) -> String { number.grouped }

  /// Whether the text is visible ASCII with single spaces.
  static func isPlain(_ bytes: some Sequence<UInt8>, lineEnds: Bool = false) -> Bool {
    bytes.allSatisfy { 0x20 <= $0 && $0 < 0x7F || lineEnds && $0 == 0x0A }
  }

  private enum Kind { case character, space, kept }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\n", "\r", "\t": true
    default: scalar.value >= 0x80 && scalar.properties.generalCategory == .spaceSeparator
    }
  }

  private static func rendered(
    _ text: String,
    limit: Int,
    _ kind: (Unicode.Scalar) -> Kind
  ) -> String {
    var output = ""
    var printable = PrintableScalars()
    var space: Unicode.Scalar?
    var spaceCount = 0
    var length = 0
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch kind(scalar) {
      case .space:
        spaceCount += 1
        space = scalar
        continue
      case .kept:
        printable = PrintableScalars()
        output.unicodeScalars.append(scalar)
      case .character:
        if length >= limit {
          return output + "… (\((rest.count + 1).grouped) more characters)"
        }
        if let last = space, !output.isEmpty {
          // A single space may be a non-breaking one, which is kept.
          output.unicodeScalars.append(spaceCount == 1 && last.value >= 0x80 ? last : " ")
          printable = PrintableScalars()
        }
        (space, spaceCount) = (nil, 0)
        output.unicodeScalars.append(
          printable.isPrintable(scalar, before: rest) ? scalar : "\u{FFFD}"
        )
      }
      length += 1
    }
    return output
  }
}

extension String {
  /// The text with all line ends as U+000A.
  fileprivate var replacingLineEnds: String {
    guard utf8.contains(0x0D) else { return self }
    var output = ""
    var isAfterReturn = false
    for scalar in unicodeScalars {
      if scalar == "\r" {
        output += "\n"
      } else if !(scalar == "\n" && isAfterReturn) {
        output.unicodeScalars.append(scalar)
      }
      isAfterReturn = scalar == "\r"
    }
    return output
  }
}
