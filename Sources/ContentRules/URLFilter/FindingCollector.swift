/// Walks the pieces of a pattern and collects findings, one subject per method.
struct FindingCollector {
  let pieces: [PatternOutline.Piece]
  private(set) var findings: [URLFilterFinding] = []

  init(pieces: [PatternOutline.Piece]) {
    self.pieces = pieces
  }

  private mutating func report(
    _ code: URLFilterFinding.Code,
    _ severity: URLFilterFinding.Severity,
    _ range: Range<Int>,
    _ message: String,
    hint: String? = nil
  ) {
    findings.append(
      URLFilterFinding(
        code: code,
        severity: severity,
        range: range,
        message: message,
        hint: hint
      )
    )
  }

  mutating func reportMatchesEverything(_ text: Span<UInt8>) {
    let isDotStar = text.count == 2 && text[0] == 0x2E && text[1] == 0x2A
    if isDotStar { return }
    let looksAnchored =
      pieces.count > 1 && pieces.first?.kind == .startOfLine
      && pieces.last?.kind == .endOfLine
    report(
      .matchesEverything,
      .warning,
      0..<text.count,
      looksAnchored
        ? "the engine takes this for every URL, not for the empty one"
        : "no part of the pattern has to match anything, so it applies to every URL",
      hint: "write .* if that is meant"
    )
  }

  /// Reports what simplification removes: `.*` at the start, and what may be empty at the end.
  mutating func reportUselessParts() {
    var first = 0
    while first < pieces.count, pieces[first].kind == .startOfLine { first += 1 }
    if first < pieces.count, isDotStar(pieces[first]) {
      let start = pieces[0].range.lowerBound
      report(
        .uselessPart,
        .note,
        start..<pieces[first].end,
        "a pattern is searched for anywhere in the URL even without this",
        hint: "leave it out"
      )
    }
    guard let last = pieces.last else { return }
    if last.kind == .endOfLine {
      if pieces.count > 1, case let previous = pieces[pieces.count - 2], isDotStar(previous) {
        report(
          .uselessPart,
          .note,
          previous.range.lowerBound..<last.end,
          "what follows a match does not matter",
          hint: "leave it out"
        )
      }
    } else if last.isOptional, last.depth == 0, last.kind != .literal(0) {
      var start = pieces.count - 1
      if last.kind == .groupEnd {
        while start > 0, pieces[start].kind != .groupStart || pieces[start].depth != 0 {
          start -= 1
        }
      }
      report(
        .uselessPart,
        .note,
        pieces[start].range.lowerBound..<last.end,
        "the end of a pattern does nothing when it may be left out",
        hint: "leave it out"
      )
    }
  }

  private func isDotStar(_ piece: PatternOutline.Piece) -> Bool {
    piece.kind == .any && piece.isOptional && piece.depth == 0
      && piece.quantifier.count >= 1
  }

  /// Reports findings about single pieces.
  mutating func reportPieces(in text: Span<UInt8>) {
    for (position, piece) in pieces.enumerated() {
      switch piece.kind {
      case .set(isEmpty: true):
        report(
          .emptySet,
          .warning,
          piece.range,
          "the empty set matches nothing",
          hint: "write \\[\\] for the characters themselves"
        )
      case .literal(let character):
        if let escape = piece.escape {
          reportEscape(escape, character, piece)
        } else if character == 0x7B, looksLikeQuantifier(in: text, at: piece.range.lowerBound) {
          report(
            .literalBrace,
            .warning,
            piece.range,
            "this brace stands for itself because no complete quantifier follows",
            hint: position == 0 ? "write \\{" : "write ?, * or +, or \\{ for the brace itself"
          )
        }
        let isOctal = piece.escape.map { $0 &- 0x30 < 10 } ?? false
        if !piece.isOptional, !isOctal { reportImpossible(character, piece.range) }
      default:
        break
      }
    }
  }

  private mutating func reportEscape(
    _ escape: UInt8,
    _ character: UInt8,
    _ piece: PatternOutline.Piece
  ) {
    let isLetter = (escape | 0x20) &- 0x61 < 26
    let written = "\\\(Unicode.Scalar(escape))"
    switch escape {
    case 0x31...0x37:
      report(
        .misleadingEscape,
        .warning,
        piece.range,
        "\(written) is the character with that octal number, never a reference to a group"
      )
    case 0x38, 0x39:
      report(
        .misleadingEscape,
        .warning,
        piece.range,
        "\(written) is the digit, never a reference to a group"
      )
    case 0x30 where character == 0:
      report(.misleadingEscape, .note, piece.range, "\\0 is the end of the URL", hint: "write $")
    case 0x78 where piece.range.count == 2, 0x75 where piece.range.count == 2:
      report(
        .misleadingEscape,
        .warning,
        piece.range,
        "\(written) without its hexadecimal digits is the letter"
      )
    case 0x63 where piece.range.count == 1:
      report(
        .misleadingEscape,
        .warning,
        piece.range,
        "this is a backslash followed by the letter c"
      )
    case 0x66, 0x6E, 0x72, 0x74, 0x76, 0x63, 0x78, 0x75:
      break
    default:
      guard isLetter else { break }
      report(
        .misleadingEscape,
        .warning,
        piece.range,
        "\(written) has no special meaning here and is the letter",
        hint: "write \(Unicode.Scalar(escape)) if the letter is meant"
      )
    }
  }

  private func looksLikeQuantifier(in text: Span<UInt8>, at start: Int) -> Bool {
    var end = start + 1
    var hasDigit = false
    while end < text.count, text[end] &- 0x30 < 10 || text[end] == 0x2C || text[end] == 0x20 {
      hasDigit = hasDigit || text[end] &- 0x30 < 10
      end += 1
    }
    return hasDigit && (end == text.count || text[end] == 0x7D)
  }

  private mutating func reportImpossible(_ character: UInt8, _ range: Range<Int>) {
    let encoded: String
    switch character {
    case 0x20: encoded = "%20"
    case 0x22: encoded = "%22"
    case 0x3C: encoded = "%3C"
    case 0x3E: encoded = "%3E"
    case 1..<0x20, 0x7F:
      return report(
        .impossibleCharacter,
        .warning,
        range,
        "a URL never holds a control character"
      )
    default: return
    }
    report(
      .impossibleCharacter,
      .warning,
      range,
      "a URL holds this character only in its encoded form",
      hint: "write \(encoded)"
    )
  }

  /// Reports the first unescaped dot between two parts of what looks like a host or file name.
  mutating func reportUnescapedDot(in text: Span<UInt8>) {
    guard pieces.count > 2 else { return }
    for position in 1..<pieces.count - 1 {
      let dot = pieces[position]
      guard dot.kind == .any, dot.quantifier.isEmpty, isNamePart(pieces[position - 1]),
        pieces[position - 1].quantifier.isEmpty, isNamePart(pieces[position + 1])
      else { continue }
      return report(
        .unescapedDot,
        .note,
        dot.range,
        "this full stop matches any character",
        hint: "write \\. for the full stop itself"
      )
    }
  }

  private func isNamePart(_ piece: PatternOutline.Piece) -> Bool {
    guard case .literal(let character) = piece.kind, piece.escape == nil else { return false }
    return (character | 0x20) &- 0x61 < 26 || character &- 0x30 < 10 || character == 0x2D
  }

  /// Reports `/…/i`, which is how JavaScript writes a pattern.
  mutating func reportDelimiters(in text: Span<UInt8>) {
    guard text.count > 3, text[0] == 0x2F else { return }
    var slash = text.count - 1
    while slash > 1, text[slash] == 0x69 || text[slash] == 0x67 { slash -= 1 }
    guard text[slash] == 0x2F, text[slash - 1] != 0x5C, slash < text.count - 1 else { return }
    let hasSyntax = pieces.contains { piece in
      if case .literal = piece.kind { piece.escape != nil } else { true }
    }
    if !hasSyntax { return }
    report(
      .delimiters,
      .note,
      slash..<text.count,
      "slashes and flags around a pattern are part of it here",
      hint: "leave them out; letters match in both cases unless the rule says otherwise"
    )
  }
}
