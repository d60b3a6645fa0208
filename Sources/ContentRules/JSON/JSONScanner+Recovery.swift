/// Recovers from syntax faults.
///
/// A fault refuses the list, so recovery serves diagnostics only: the scanner reads the text as its
/// author probably meant it, and gives up the rule (`lost`) if that is unclear. Each step either
/// advances in the text or closes a container, so the time stays linear.
extension JSONScanner {
  mutating func recoverValue(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> State {
    if skipOddities(text, diagnostics) { return .value }
    guard position < text.count else { return reportEnd(text, diagnostics) }
    switch text[position] {
    case UInt8(ascii: "'"):
      return scanSingleQuoted(text, diagnostics) ? afterValue : .lost
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
      diagnostics.report(
        .jsonMissingValue,
        position..<position + 1,
        path: path(text),
        "expected a value, found \(text.glimpse(at: position))",
        hint: text[position] == UInt8(ascii: ",") ? "remove the extra comma" : nil
      )
      append(.null, position..<position)
      return afterValue
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      return reportNumber(text, diagnostics)
    case let byte where byte.isWord:
      return reportWord(text, diagnostics)
    default:
      return reportUnexpected(text, expected: "a value", diagnostics)
    }
  }

  mutating func recoverKey(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> State {
    if skipOddities(text, diagnostics) { return .key }
    guard position < text.count else { return reportEnd(text, diagnostics) }
    switch text[position] {
    case UInt8(ascii: "'"):
      return scanSingleQuoted(text, diagnostics) ? .colon : .lost
    case UInt8(ascii: ","):
      diagnostics.report(
        .jsonUnexpectedCharacter,
        position..<position + 1,
        path: path(text),
        "expected a key, found ','",
        hint: "remove the extra comma"
      )
      position += 1
      return .key
    case UInt8(ascii: "}"):
      return close()
    case UInt8(ascii: "]"):
      return closeMismatched(text, diagnostics)
    case UInt8(ascii: "{") where open.count == 1:
      diagnostics.report(
        .jsonMismatchedBracket,
        position..<position + 1,
        path: path(text),
        "expected a key, found '{'",
        hint: "the rule before it probably lacks its last '}'"
      )
      // The rule ends before the comma, which then separates it from the next one.
      if let comma = text.lastNonSpace(before: position), text[comma] == UInt8(ascii: ",") {
        position = comma
      }
      return closeWithoutBracket()
    case let byte where byte.isWord || byte.isDigit:
      let start = position
      position = text.end(ofWordAt: position)
      diagnostics.report(
        .jsonUnquotedKey,
        start..<position,
        path: path(text),
        "a key must stand in quotation marks",
        hint: "write \"\(text.excerpt(start..<position))\""
      )
      // A string's range includes its quotation marks, so places for the missing ones are included.
      append(.string, start - 1..<position + 1)
      return .colon
    default:
      return reportUnexpected(text, expected: "a key", diagnostics)
    }
  }

  mutating func recoverColon(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> State {
    if skipOddities(text, diagnostics) { return .colon }
    guard position < text.count else { return reportEnd(text, diagnostics) }
    let byte = text[position]
    if byte == UInt8(ascii: "=") {
      diagnostics.report(
        .jsonMissingColon,
        position..<position + 1,
        path: path(text),
        "expected ':' after a key, found '='"
      )
      position += 1
      if position < text.count, text[position] == UInt8(ascii: ">") { position += 1 }
      return .value
    }
    if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
      diagnostics.report(
        .jsonMissingColon,
        position..<position + 1,
        path: path(text),
        "expected ':' and a value after a key, found \(text.glimpse(at: position))"
      )
      append(.null, position..<position)
      return .afterValue
    }
    guard byte.beginsValue, !isInsideOfString(byte) else {
      return reportUnexpected(text, expected: "':' after a key", diagnostics)
    }
    let isCertain = byte != UInt8(ascii: "\"") || gapBehindString(text) != .nothing
    reportMissing(
      text,
      .jsonMissingColon,
      "expected ':' after a key",
      doubt: isCertain ? nil : Self.doubtOfStrings,
      diagnostics
    )
    return .value
  }

  mutating func recoverSeparator(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> State {
    guard let container = open.last else { return .done }
    if skipOddities(text, diagnostics) { return .afterValue }
    guard position < text.count else { return reportEnd(text, diagnostics) }
    let isObject = nodes[container].kind == .object
    let byte = text[position]
    switch byte {
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      return closeMismatched(text, diagnostics)
    case UInt8(ascii: ";"):
      diagnostics.report(
        .jsonUnexpectedCharacter,
        position..<position + 1,
        path: path(text),
        "expected ',', found ';'",
        hint: "members are separated by commas"
      )
      position += 1
      return isObject ? .key : .value
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      reportMissingComma(text, isObject: isObject, diagnostics)
      return isObject ? .key : .value
    case _ where !isObject && byte.beginsValue && !isInsideOfString(byte):
      reportMissingComma(text, isObject: false, diagnostics)
      return .value
    default:
      return reportUnexpected(
        text,
        expected: isObject ? "',' or '}'" : "',' or ']'",
        diagnostics
      )
    }
  }

  /// Reports that two members have no comma between them.
  ///
  /// A string with unescaped quotation marks looks like several, too. So the comma is certain
  /// behind a string only if a line ends between the two or a key with its colon follows at a
  /// distance; and before a key only if the object does not have that key yet.
  func reportMissingComma(
    _ text: Span<UInt8>,
    isObject: Bool,
    _ diagnostics: DiagnosticCollector
  ) {
    let gap = gapBehindString(text)
    var doubt: String?
    if isObject {
      let key = text.key(at: position)
      if gap == .nothing || gap != nil && key == nil {
        doubt = Self.doubtOfStrings
      } else if let key, hasKey(text, key) {
        // It may belong to the next rule, if the brackets between the two are missing.
        doubt =
          "the object has \(text.excerpt(key)) already; write }, { where another rule begins, or take "
          + "one of the two out"
      }
    } else if gap == .nothing || gap == .space {
      doubt = Self.doubtOfStrings
    }
    reportMissing(text, .jsonMissingComma, "expected ','", doubt: doubt, diagnostics)
  }

  /// Whether the innermost open object has a key of the same bytes, or too many keys to compare.
  private func hasKey(_ text: Span<UInt8>, _ wanted: Range<Int>) -> Bool {
    guard let object = open.last else { return false }
    var key = object + 1
    for _ in 0..<64 {
      guard key + 1 < nodes.count else { return false }
      if text.isEqual(nodes[key].contents, wanted) { return true }
      key = max(key + 2, Int(nodes[key + 1].next))
    }
    return true
  }

  /// Handles a closing bracket that does not match the innermost container.
  private mutating func closeMismatched(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> State {
    let kind: JSONNode.Kind = text[position] == UInt8(ascii: "}") ? .object : .array
    let expected = open.last.map { nodes[$0].kind == .object ? "}" : "]" } ?? ""
    let hasMatch = open.contains { nodes[$0].kind == kind }
    diagnostics.report(
      .jsonMismatchedBracket,
      position..<position + 1,
      path: path(text),
      "expected '\(expected)', found \(text.glimpse(at: position))",
      hint: hasMatch || kind == .array ? "a '\(expected)' is probably missing before it" : nil
    )
    if hasMatch {
      while let container = open.last, nodes[container].kind != kind {
        _ = closeWithoutBracket()
      }
      return close()
    }
    guard kind == .array else { return .lost }
    // The bracket closes the list: the rule before it lacks its closing brackets.
    while !open.isEmpty { _ = closeWithoutBracket() }
    return .done
  }

  /// Reads a string in single quotation marks.
  private mutating func scanSingleQuoted(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> Bool {
    diagnostics.report(
      .jsonInvalidQuotes,
      position..<position + 1,
      path: path(text),
      "strings stand in double quotation marks",
      hint: "write \" instead of '"
    )
    return scanString(text, diagnostics, quote: UInt8(ascii: "'"))
  }

  /// Skips a comment or white space that JSON does not allow; returns false if there is none.
  mutating func skipOddities(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> Bool {
    guard position < text.count else { return false }
    if let end = text.end(ofCommentAt: position) {
      diagnostics.report(
        .jsonComment,
        position..<end,
        path: path(text),
        "JSON has no comments",
        hint: "remove the comment; a note can go into a key that WebKit ignores",
        // Keeps its line end, and a space so that what it separated stays separate.
        correction: Correction(position..<end, " ", keepsMeaning: true)
      )
      position = end
      return true
    }
    if text.matches("\u{FEFF}", at: position) {
      diagnostics.report(
        .jsonByteOrderMark,
        position..<position + 3,
        "the text must not hold a byte-order mark",
        hint: "save the file as UTF-8 without byte-order mark",
        correction: Correction(position..<position + 3, "", keepsMeaning: true)
      )
      position += 3
      return true
    }
    let length = text.lengthOfForeignSpace(at: position)
    guard length > 0 else { return false }
    diagnostics.report(
      .jsonInvalidWhiteSpace,
      position..<position + length,
      path: path(text),
      "\(text.glimpse(at: position)) is not white space in JSON",
      hint: "use spaces, tabs and line breaks only",
      correction: Correction(position..<position + length, " ", keepsMeaning: true)
    )
    position += length
    return true
  }

  /// Whether a byte follows a string so closely that the string probably ended too early.
  func isInsideOfString(_ byte: UInt8) -> Bool {
    position == lastStringEnd && byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[")
  }

  /// What is between a string and what follows it.
  enum Gap {
    case nothing, space, lineEnd
  }

  /// Returns what is between the last string and the current position; `nil` if a value or a
  /// bracket is.
  func gapBehindString(_ text: Span<UInt8>) -> Gap? {
    guard lastStringEnd >= 0 else { return nil }
    var gap = Gap.nothing
    var index = lastStringEnd
    while index < position {
      let byte = text[index]
      if byte == 0x0A || byte == 0x0D { gap = .lineEnd }
      if gap == .nothing { gap = .space }
      if let end = text.end(ofCommentAt: index) {
        index = end
      } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
        index += 1
      } else {
        let length =
          text.matches("\u{FEFF}", at: index) ? 3 : text.lengthOfForeignSpace(at: index)
        guard length > 0 else { return nil }
        index += length
      }
    }
    return gap
  }

  /// Returns the path of the value being read, relative to the rule.
  func path(_ text: Span<UInt8>) -> String {
    var path = ""
    for (level, container) in open.enumerated() {
      let inner = level + 1 < open.count ? open[level + 1] : nodes.count
      var index = container + 1
      if nodes[container].kind == .array {
        var element = 0
        while index < inner {
          index = max(index + 1, Int(nodes[index].next))
          element += 1
        }
        path += "[\(element)]"
      } else {
        // Skips complete members; what remains is the key whose value is being read.
        while index + 1 < inner { index = max(index + 2, Int(nodes[index + 1].next)) }
        if index < nodes.count { path += "." + text.excerpt(nodes[index].contents) }
      }
    }
    return path
  }
}
