/// Decides, character by character, what of a foreign text is printed unchanged.
///
/// Rejects controls (C0, DEL, C1: escapes among them), characters that change the direction of text
/// (embeddings, overrides, isolates), line and paragraph separators, and invisible ones: characters
/// without width, tags, fillers. Accepts what people write: emoji with their joiners, variation
/// selectors and flags, Arabic and Hebrew with their direction marks, the joiners of Persian and
/// Indic scripts, combining marks.
package struct PrintableScalars {
  /// The most combining marks on one letter, as in Unicode's stream-safe text format (UAX #15).
  static let markLimit = 30

  private var previous: Unicode.Scalar?
  private var markCount = 0
  private var isRightToLeft = false
  /// The number of characters of a flag that are still to come.
  private var flagLeft = 0

  /// Starts a text.
  package init() {}

  /// Decides about the next character.
  ///
  /// - Parameters:
  ///   - scalar: The character.
  ///   - rest: What follows it.
  /// - Returns: Whether it is printed unchanged.
  package mutating func isPrintable(
    _ scalar: Unicode.Scalar,
    before rest: Substring.UnicodeScalarView
  )
    -> Bool
  {
    if scalar.value < 0x7F {
      let isVisible = scalar.value >= 0x20
      keep(isVisible ? scalar : nil)
      return isVisible
    }
    let isKept = decide(scalar, rest)
    if isKept {
      if Self.isRightToLeft(scalar) { isRightToLeft = true }
      keep(scalar)
    } else {
      keep(nil)
    }
    return isKept
  }

  private mutating func keep(_ scalar: Unicode.Scalar?) {
    previous = scalar
    if let scalar, Self.isMark(scalar) { markCount += 1 } else { markCount = 0 }
  }

  private mutating func decide(
    _ scalar: Unicode.Scalar,
    _ rest: Substring.UnicodeScalarView
  ) -> Bool {
    if flagLeft > 0 {
      flagLeft -= 1
      return true
    }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
    case .format: return decide(format: scalar, rest)
    case .nonspacingMark, .enclosingMark, .spacingMark:
      guard markCount < Self.markLimit else { return false }
      guard scalar.properties.isDefaultIgnorableCodePoint else { return true }
      // A variation selector or combining joiner needs a character before it.
      guard let previous else { return false }
      return !previous.properties.isDefaultIgnorableCodePoint && previous != " "
    default: break
    }
    if scalar.value == 0x1F3F4 { flagLeft = Self.flagLength(rest) }
    return !scalar.properties.isDefaultIgnorableCodePoint
  }

  private func decide(format scalar: Unicode.Scalar, _ rest: Substring.UnicodeScalarView) -> Bool {
    switch scalar.value {
    // Arabic, Syriac and Kaithi signs that enclose numbers are visible.
    case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: return true
    case 0x200C: return previous.map(Self.isOfJoiningScript) ?? false
    case 0x200D:
      guard let previous else { return false }
      if Self.isOfJoiningScript(previous) { return true }
      return (previous.value == 0xFE0F || Self.isEmoji(previous))
        && rest.first.map(Self.isEmoji) ?? false
    // Direction marks only place characters that have no direction of their own.
    case 0x200E, 0x200F, 0x061C:
      guard let previous else { return false }
      return isRightToLeft && ![0x200E, 0x200F, 0x061C].contains(previous.value)
    default: return false
    }
  }

  /// Returns the number of tags behind a black flag that make it a region's, such as Scotland's; 0
  /// if none.
  private static func flagLength(_ rest: Substring.UnicodeScalarView) -> Int {
    var length = 0
    for scalar in rest.prefix(8) {
      length += 1
      switch scalar.value {
      case 0xE0030...0xE0039, 0xE0061...0xE007A: continue
      case 0xE007F: return length > 3 ? length : 0
      default: return 0
      }
    }
    return 0
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }

  /// Whether it is a letter or mark of a script in which joiners change how letters look.
  private static func isOfJoiningScript(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x10FF, 0x1700...0x1CFF, 0xA800...0xABFF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE,
      0x10800...0x11FFF, 0x1E900...0x1E95F:
      switch scalar.properties.generalCategory {
      case .otherLetter, .modifierLetter, .uppercaseLetter, .lowercaseLetter, .nonspacingMark,
        .spacingMark:
        true
      default: false
      }
    default: false
    }
  }

  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0xFF && scalar.properties.isEmoji
  }

  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }
}
