/// Reports syntax faults.
extension JSONScanner {
  /// The alternative explanation where two strings meet.
  static let doubtOfStrings = "a quotation mark inside of a string is written \\\""

  func reportTrailingComma(
    at comma: Int,
    before closing: UInt8,
    _ diagnostics: DiagnosticCollector
  ) {
    diagnostics.report(
      .jsonTrailingComma,
      comma..<comma + 1,
      "a comma must not stand before '\(Character(UnicodeScalar(closing)))'",
      hint: "remove the comma",
      correction: Correction(comma..<comma + 1, "", keepsMeaning: true)
    )
  }

  func reportDepth(_ text: Span<UInt8>, _ diagnostics: DiagnosticCollector) -> State {
    diagnostics.report(
      .jsonTooDeep,
      position..<min(position + 1, text.count),
      "values are nested more than \(Self.depthLimit) levels below the list"
    )
    return .lost
  }

  func reportInvalidUTF8(
    _ text: Span<UInt8>,
    at index: Int,
    _ diagnostics: DiagnosticCollector
  ) {
    diagnostics.report(
      .jsonInvalidUTF8,
      index..<index + 1,
      path: path(text),
      "the byte 0x\(String(text[index], radix: 16, uppercase: true)) is not UTF-8 here",
      hint: "save the file as UTF-8"
    )
  }

  func reportInvalidEscape(
    _ text: Span<UInt8>,
    at backslash: Int,
    digits: Int,
    _ diagnostics: DiagnosticCollector
  ) {
    let escaped = text.glimpse(at: backslash + 1)
    if digits > 0 {
      diagnostics.report(
        .jsonInvalidEscape,
        backslash..<backslash + 2,
        path: path(text),
        "'\\' and \(escaped) must be followed by \(digits) hexadecimal digits"
      )
    } else {
      diagnostics.report(
        .jsonInvalidEscape,
        backslash..<backslash + 2,
        path: path(text),
        "'\\' must not stand before \(escaped) in a JSON string",
        hint: "write a backslash that belongs to a pattern or a selector twice: \\\\",
        correction: Correction(backslash..<backslash, "\\", keepsMeaning: true)
      )
    }
  }

  func reportUnterminatedString(from start: Int, _ diagnostics: DiagnosticCollector) {
    diagnostics.report(
      .jsonUnterminatedString,
      start..<start + 1,
      "the string that begins here has no end",
      hint: "a quotation mark is missing here or before it"
    )
  }

  /// Reports that the text ends too early.
  mutating func reportEnd(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> State {
    // The list itself lacks its bracket as well.
    let missing = open.suffix(20).reversed().map { nodes[$0].kind == .object ? "}" : "]" }
    diagnostics.report(
      .jsonUnexpectedEnd,
      text.count..<text.count,
      path: path(text),
      "the text ends before the list does",
      hint: "what is still open needs \(missing.joined() + "]")"
    )
    return .lost
  }

  /// Reports that something is missing after the token before the current position.
  ///
  /// With a doubt, inserting it is only a guess; the doubt gives the alternative.
  func reportMissing(
    _ text: Span<UInt8>,
    _ code: DiagnosticCode,
    _ message: String,
    doubt: String?,
    _ diagnostics: DiagnosticCollector
  ) {
    let end = text.lastNonSpace(before: position).map { $0 + 1 } ?? position
    diagnostics.report(
      code,
      end..<end,
      path: path(text),
      "\(message), found \(text.glimpse(at: position))",
      hint: doubt,
      correction: Correction(
        end..<end,
        code == .jsonMissingComma ? "," : ":",
        keepsMeaning: doubt == nil
      )
    )
  }

  mutating func reportNumber(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> State {
    let start = position
    while position < text.count, text[position].isNumeric { position += 1 }
    diagnostics.report(
      .jsonInvalidNumber,
      start..<position,
      path: path(text),
      "\(text.excerpt(start..<position)) is not a JSON number",
      hint: "a number has no leading zero or plus sign, and digits on both sides of its point"
    )
    append(.number, start..<position)
    return afterValue
  }

  mutating func reportWord(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> State {
    let start = position
    position = text.end(ofWordAt: position)
    let word = text.excerpt(start..<position)
    let meant: (kind: JSONNode.Kind, hint: String) =
      switch word.lowercased() {
      case "true", "yes", "on": (.true, "write true")
      case "false", "no", "off": (.false, "write false")
      case "null", "none", "nil", "undefined", "nan", "infinity":
        (.null, "leave the key out instead")
      default: (.null, "a text stands in quotation marks")
      }
    diagnostics.report(
      .jsonUnknownWord,
      start..<position,
      path: path(text),
      "expected a value, found the bare word \(word)",
      hint: meant.hint,
      correction: meant.kind == .null
        ? nil
        : Correction(start..<position, meant.kind == .true ? "true" : "false", keepsMeaning: true)
    )
    append(meant.kind, start..<position)
    return afterValue
  }

  /// Reports a character that cannot occur here; the rule is lost.
  func reportUnexpected(
    _ text: Span<UInt8>,
    expected: String,
    _ diagnostics: DiagnosticCollector
  ) -> State {
    var hint: String?
    if text[position] >= 0x80, Self.lengthOfUTF8(text, at: position) == 0 {
      reportInvalidUTF8(text, at: position, diagnostics)
      return .lost
    }
    if ["“", "”", "„", "‘", "’", "«", "»"].contains(text.character(at: position)) {
      diagnostics.report(
        .jsonInvalidQuotes,
        position..<position + Self.lengthOfUTF8(text, at: position),
        path: path(text),
        "strings stand in straight double quotation marks",
        hint: "write \" instead of \(text.character(at: position))"
      )
      return .lost
    }
    if isInsideOfString(text[position]) {
      hint = "a quotation mark inside of a string is written \\\""
    }
    diagnostics.report(
      .jsonUnexpectedCharacter,
      position..<position + max(1, text.lengthOfCharacter(at: position)),
      path: path(text),
      "expected \(expected), found \(text.glimpse(at: position))",
      hint: hint
    )
    return .lost
  }
}
