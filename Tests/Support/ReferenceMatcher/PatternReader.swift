extension Unicode.Scalar {
  var isASCIILetter: Bool { "a" <= self && self <= "z" || "A" <= self && self <= "Z" }

  /// The value of a decimal digit.
  var digit: Int? { "0" <= self && self <= "9" ? Int(value) - 0x30 : nil }

  /// The value of a hexadecimal digit, in either case.
  var hexadecimalDigit: Int? { isASCII ? Character(self).hexDigitValue : nil }
}

/// Reads a pattern by the rules of the old, non-Unicode regular-expression syntax.
///
/// A syntax error is thrown at once, because it beats everything. A construct that is read but not
/// supported is remembered; the first one names the status.
///
/// > Source: The rule language, sections 5.1 and 5.2.
struct PatternReader {
  /// The longest pattern that is read, in characters.
  static let maximumLength = 1 << 20
  /// The deepest nesting of groups that the reference is willing to walk through.
  static let maximumDepth = 500

  private let text: [UInt8]
  private let isCaseSensitive: Bool
  private var position = 0
  private var isAnchored = false
  /// The pieces of the pattern and, behind them, those of each group that is still open.
  private var levels: [[PatternNode]] = [[]]
  private var endWasRead = false
  private var groupNames: Set<String> = []
  private var sawNamelessReference = false
  private var firstRefusal: String?

  private let syntaxError = ReferenceRefusal.pattern("YarrError")

  init(_ pattern: String, isCaseSensitive: Bool) throws {
    text = Array(pattern.utf8)
    self.isCaseSensitive = isCaseSensitive
    guard text.allSatisfy({ $0 < 128 }) else { throw ReferenceRefusal.pattern("NonASCII") }
    guard !text.isEmpty else { throw ReferenceRefusal.pattern("EmptyPattern") }
    guard text.count <= Self.maximumLength else { throw syntaxError }
  }

  mutating func read() throws -> ReferencePattern {
    while let character = next {
      position += 1
      try readPiece(startingWith: character)
    }
    guard levels.count == 1 else { throw syntaxError }
    if sawNamelessReference && !groupNames.isEmpty { throw syntaxError }
    if let firstRefusal { throw ReferenceRefusal.pattern(firstRefusal) }
    return ReferencePattern(isAnchored: isAnchored, nodes: levels[0])
  }

  private var next: Unicode.Scalar? {
    position < text.count ? Unicode.Scalar(text[position]) : nil
  }

  private func follows(_ literal: String) -> Bool {
    text[position...].starts(with: literal.utf8)
  }

  private mutating func skip(_ literal: String) -> Bool {
    guard follows(literal) else { return false }
    position += literal.utf8.count
    return true
  }

  private mutating func refuse(_ status: String) {
    if firstRefusal == nil { firstRefusal = status }
  }

  // MARK: Pieces

  private mutating func readPiece(startingWith character: Unicode.Scalar) throws {
    switch character {
    case "^":
      if text[..<position].allSatisfy({ $0 == UInt8(ascii: "^") }) {
        isAnchored = true
      } else {
        refuse("MisplacedStartOfLine")
      }
    case "$": append(.characters(.end, .once))
    case "|": refuse("Disjunction")
    case "(": try readGroupOpening()
    case ")":
      guard levels.count > 1 else { throw syntaxError }
      let body = levels.removeLast()
      append(.group(body, try readRepetition()))
    case "*", "+", "?": throw syntaxError
    case "{":
      // A complete brace has nothing to repeat here; any other is a literal.
      position -= 1
      guard try readBraces() == nil else { throw syntaxError }
      position += 1
      try appendCharacter(UInt8(ascii: "{"))
    case ".": append(.characters(.any, try readRepetition()))
    case "[":
      let set = try readSet()
      append(.characters(set, try readRepetition()))
    case "\\": try readEscapedPiece()
    default: try appendCharacter(text[position - 1])
    }
  }

  private mutating func appendCharacter(_ character: UInt8) throws {
    var set = PatternCharacters()
    set.insert(character)
    append(.characters(isCaseSensitive ? set : set.ignoringCase, try readRepetition()))
  }

  /// Adds a piece to the innermost open group, or to the pattern.
  private mutating func append(_ node: PatternNode) {
    // Nothing may follow the end, and the group that holds it would do so.
    if endWasRead { refuse("MisplacedEndOfLine") }
    if node.isEnd { endWasRead = true }
    levels[levels.count - 1].append(node)
  }

  private mutating func readGroupOpening() throws {
    if skip("?") {
      if skip("=") || skip("!") || skip("<=") || skip("<!") {
        refuse("Group")
      } else if skip("<") {
        let name = try readName()
        guard groupNames.insert(name).inserted else { throw syntaxError }
      } else if !skip(":") {
        try readModifiers()
        refuse("Group")
      }
    }
    levels.append([])
    if levels.count > Self.maximumDepth { throw ReferenceRefusal.pattern("TooDeepForReference") }
  }

  /// Reads a group name and the `>` after it.
  private mutating func readName() throws -> String {
    var name = ""
    while let character = next, character != ">" {
      guard
        character.isASCIILetter || character == "_" || character == "$"
          || (character.digit != nil && !name.isEmpty)
      else { throw syntaxError }
      name.unicodeScalars.append(character)
      position += 1
    }
    guard !name.isEmpty, skip(">") else { throw syntaxError }
    return name
  }

  private mutating func readModifiers() throws {
    while skip("i") || skip("m") || skip("s") || skip("-") {}
    guard skip(":") else { throw syntaxError }
  }

  // MARK: Repetitions

  /// Reads the quantifier that may follow an atom, and the `?` that may follow that.
  private mutating func readRepetition() throws -> PatternRepetition {
    guard let next, "?*+{".unicodeScalars.contains(next) else { return .once }
    let repetition: PatternRepetition
    if skip("?") {
      repetition = .zeroOrOne
    } else if skip("*") {
      repetition = .zeroOrMore
    } else if skip("+") {
      repetition = .oneOrMore
    } else if let bounds = try readBraces() {
      switch (bounds.lower, bounds.upper) {
      case (0, 1): repetition = .zeroOrOne
      case (0, nil): repetition = .zeroOrMore
      case (1, nil): repetition = .oneOrMore
      default:
        refuse("InvalidQuantifier")
        repetition = .once
      }
    } else {
      return .once
    }
    _ = skip("?")
    return repetition
  }

  /// Reads `{n}`, `{n,}` or `{n,m}`; if there is none of them here, reads nothing.
  private mutating func readBraces() throws -> (lower: Int, upper: Int?)? {
    let start = position
    if skip("{"), let lower = readDecimal() {
      var upper: Int? = lower
      if skip(",") { upper = readDecimal() }
      if skip("}") {
        // A number that does not fit into 32 bits is a syntax error of its own.
        guard max(lower, upper ?? 0) <= UInt32.max else { throw syntaxError }
        if let upper, upper < lower { throw syntaxError }
        return (lower, upper)
      }
    }
    position = start
    return nil
  }

  private mutating func readDecimal() -> Int? {
    var value: Int?
    while let digit = next?.digit {
      value = min((value ?? 0) * 10 + digit, Int(UInt32.max) + 1)
      position += 1
    }
    return value
  }

  // MARK: Sets

  private enum Member {
    case character(UInt8)
    case unsupported
  }

  /// Reads a set from behind its `[` to its `]`.
  private mutating func readSet() throws -> PatternCharacters {
    let isInverted = skip("^")
    var set = PatternCharacters()
    while !skip("]") {
      let first = try readMember()
      if follows("-") && !follows("-]") {
        position += 1
        let last = try readMember()
        if case .character(let first) = first, case .character(let last) = last {
          guard first <= last else { throw syntaxError }
          for character in first...last { set.insert(character) }
        }
      } else if case .character(let character) = first {
        set.insert(character)
      }
    }
    if !isCaseSensitive { set = set.ignoringCase }
    return isInverted ? set.inverted : set
  }

  private mutating func readMember() throws -> Member {
    guard let character = next else { throw syntaxError }
    position += 1
    guard character == "\\" else { return .character(text[position - 1]) }
    guard let letter = next else { throw syntaxError }
    position += 1
    switch letter {
    case "b": return .character(0x08)
    case "d", "D", "w", "W", "s", "S":
      refuse("AtomCharacter")
      return .unsupported
    case "c":
      if let control = next, control.isASCIILetter || control.digit != nil || control == "_" {
        position += 1
        return .character(text[position - 1] & 0x1F)
      }
      position -= 1
      return .character(UInt8(ascii: "\\"))
    default: return .character(readCharacterEscape(letter))
    }
  }

  // MARK: Escapes

  private mutating func readEscapedPiece() throws {
    guard let letter = next else { throw syntaxError }
    position += 1
    switch letter {
    case "b", "B": refuse("WordBoundary")
    case "d", "D", "w", "W", "s", "S":
      refuse("UnsupportedCharacterClass")
      _ = try readRepetition()
    case "c":
      if let control = next, control.isASCIILetter {
        position += 1
        try appendCharacter(text[position - 1] & 0x1F)
      } else {
        position -= 1
        try appendCharacter(UInt8(ascii: "\\"))
      }
    case "k":
      let start = position
      if skip("<"), let name = try? readName(), groupNames.contains(name) {
        refuse("BackReference")
        _ = try readRepetition()
      } else {
        position = start
        sawNamelessReference = true
        try appendCharacter(UInt8(ascii: "k"))
      }
    default: try appendCharacter(readCharacterEscape(letter))
    }
  }

  /// Reads what remains of an escape that stands for one character.
  private mutating func readCharacterEscape(_ letter: Unicode.Scalar) -> UInt8 {
    switch letter {
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "f": return 0x0C
    case "v": return 0x0B
    case "x": return readHexadecimal(digits: 2) ?? UInt8(ascii: "x")
    case "u": return readHexadecimal(digits: 4) ?? UInt8(ascii: "u")
    case "0"..."7": return readOctal()
    default: return text[position - 1]
    }
  }

  /// Reads exactly so many digits; if there are fewer, reads nothing.
  private mutating func readHexadecimal(digits: Int) -> UInt8? {
    guard position + digits <= text.count else { return nil }
    var value = 0
    for byte in text[position..<position + digits] {
      guard let digit = Unicode.Scalar(byte).hexadecimalDigit else { return nil }
      value = value << 4 | digit
    }
    position += digits
    return checked(value)
  }

  /// Reads an octal number of up to three digits and up to 255, whose first digit is just read.
  private mutating func readOctal() -> UInt8 {
    position -= 1
    var value = 0
    for _ in 0..<3 {
      guard let digit = next?.digit, digit < 8, value * 8 + digit <= 255 else { break }
      value = value * 8 + digit
      position += 1
    }
    return checked(value)
  }

  private mutating func checked(_ value: Int) -> UInt8 {
    if value > 127 { refuse("NonASCII") }
    return UInt8(value & 127)
  }
}
