/// Foreign text and numbers, made fit to be shown to people.
///
/// Lists, feeds, bundles and extensions come from strangers. What they name themselves must neither
/// control a terminal, nor forge a line, nor make text look like other text. ``PrintableScalars``
/// decides which characters can do that.
public enum DisplayText {
  /// How many characters of a text are shown unless the caller says otherwise.
  public static let usualLimit = 4_000

  /// Puts text on one line: runs of white space become one space, and characters that would falsify
  /// what is shown, such as escapes or changes of direction, become U+FFFD.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - limit: How many characters are kept; how many there were beyond it is said in their place.
  /// - Returns: The line.
  /// - Complexity: O(*n*) for *n* characters.
  public static func line(_ text: String, limit: Int = usualLimit) -> String {
    rendered(text, limit: limit) { scalar in isSpace(scalar) ? .space : .character }
  }

  /// The text with its line ends and tabs; all else as ``line(_:limit:)`` has it, but that runs of
  /// spaces stay.
  public static func lines(_ text: String, limit: Int = .max) -> String {
    rendered(text.replacingLineEnds, limit: limit) { scalar in
      scalar == "\n" || scalar == "\t" ? .kept : .character
    }
  }

  /// A path, which stays as it is but for characters that would falsify what is shown; line ends are
  /// among them.
  public static func path(_ text: String) -> String {
    rendered(text, limit: .max) { _ in .character }
  }

  /// Escapes in JSON text the characters that would falsify what is shown.
  ///
  /// - Parameter text: Well-formed JSON, in which control characters stand between values alone.
  /// - Returns: JSON text that says the same.
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

  /// Whether JSON for people and programs escapes the character; never one of ASCII but U+007F.
  public static func isEscapedInJSON(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x7F else { return false }
    return switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Emoji and the scripts of Persia and India need the joiners.
    case .format: scalar.value != 0x200C && scalar.value != 0x200D
    default: false
    }
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

  /// Whether all bytes are of ASCII's visible characters, with single spaces between them.
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
          // One that stands alone may be one that does not break.
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
  /// The text with U+000A for each of the ways to end a line.
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
