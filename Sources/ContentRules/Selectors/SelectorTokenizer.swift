/// Splits the text of a selector list into tokens.
///
/// Drops comments; whatever is open at the end of the text counts as closed there.
///
/// > Source: CSS Syntax Module Level 3, section 4. WebKit: `CSSTokenizer`.
struct SelectorTokenizer {
  private(set) var tokens: [SelectorToken] = []
  /// Whether the end of the text closes a bracket, string, comment or escape.
  private(set) var isOpenAtEnd = false
  private var index = 0
  /// The indices of the tokens whose blocks are open.
  private var openBlocks: [Int] = []

  init(_ text: Span<UInt8>) {
    tokens.reserveCapacity(min(text.count, 64))
    while index < text.count { readToken(in: text) }
    for block in openBlocks { tokens[block].closing = tokens.count }
    if !openBlocks.isEmpty { isOpenAtEnd = true }
  }

  private mutating func readToken(in text: Span<UInt8>) {
    let start = index
    let byte = text[index]
    if isNameStart(byte) { return readIdentLike(in: text) }
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
      while index < text.count, isWhitespace(text[index]) { index += 1 }
      append(.whitespace, from: start)
    case 0x5C where isValidEscape(in: text, at: index):
      readIdentLike(in: text)
    case 0x30...0x39:
      readNumber(in: text)
    case 0x2B, 0x2E:  // + .
      if startsNumber(in: text) { readNumber(in: text) } else { appendDelimiter(byte) }
    case 0x2D:  // -
      readHyphen(in: text)
    case 0x22, 0x27:  // " '
      readString(in: text)
    case 0x23:  // #
      readHash(in: text)
    case 0x2F where peek(1, in: text) == 0x2A:  // /*
      skipComment(in: text)
    case 0x24, 0x2A, 0x5E, 0x7C, 0x7E:  // $ * ^ | ~
      readOperator(byte, in: text)
    case 0x3C where matches("!--", in: text, at: index + 1):
      index += 4
      append(.htmlCommentMark, from: start)
    case 0x40 where startsIdent(in: text, at: index + 1):
      index += 1
      readName(in: text)
      append(.atKeyword, from: start)
    case 0x3A: appendCharacter(.colon)
    case 0x3B: appendCharacter(.semicolon)
    case 0x2C: appendCharacter(.comma)
    case 0x28: openBlock(.leftParenthesis, from: start, width: 1)
    case 0x5B: openBlock(.leftBracket, from: start, width: 1)
    case 0x7B: openBlock(.leftBrace, from: start, width: 1)
    case 0x29: closeBlock(.rightParenthesis)
    case 0x5D: closeBlock(.rightBracket)
    case 0x7D: closeBlock(.rightBrace)
    default: appendDelimiter(byte)
    }
  }

  // MARK: Appending

  @discardableResult
  private mutating func append(_ kind: SelectorToken.Kind, from start: Int) -> Int {
    tokens.append(SelectorToken(kind, start..<index))
    return tokens.count - 1
  }

  private mutating func appendCharacter(_ kind: SelectorToken.Kind) {
    index += 1
    append(kind, from: index - 1)
  }

  private mutating func appendDelimiter(_ byte: UInt8) {
    index += 1
    let token = append(.delimiter, from: index - 1)
    tokens[token].delimiter = byte
  }

  private mutating func openBlock(_ kind: SelectorToken.Kind, from start: Int, width: Int) {
    index += width
    openBlocks.append(append(kind, from: start))
  }

  /// Closes the innermost open block if the bracket matches it; otherwise nothing.
  private mutating func closeBlock(_ kind: SelectorToken.Kind) {
    index += 1
    append(kind, from: index - 1)
    guard let block = openBlocks.last else { return }
    let fits =
      switch tokens[block].kind {
      case .leftBracket: kind == .rightBracket
      case .leftBrace: kind == .rightBrace
      default: kind == .rightParenthesis
      }
    if fits {
      tokens[block].closing = tokens.count - 1
      openBlocks.removeLast()
    }
  }

  // MARK: Looking ahead

  /// Returns the byte at an offset ahead; 0 beyond the end.
  private func peek(_ offset: Int, in text: Span<UInt8>) -> UInt8 {
    index + offset < text.count ? text[index + offset] : 0
  }

  private func matches(_ string: StaticString, in text: Span<UInt8>, at position: Int) -> Bool {
    guard position + string.utf8CodeUnitCount <= text.count else { return false }
    return string.withUTF8Buffer { bytes in
      for offset in bytes.indices where unsafe bytes[offset] != text[position + offset] {
        return false
      }
      return true
    }
  }

  private func isValidEscape(in text: Span<UInt8>, at position: Int) -> Bool {
    guard position < text.count, text[position] == 0x5C else { return false }
    return position + 1 >= text.count || !isNewline(text[position + 1])
  }

  private func startsIdent(in text: Span<UInt8>, at position: Int) -> Bool {
    guard position < text.count else { return false }
    if text[position] == 0x2D {
      guard position + 1 < text.count else { return false }
      let next = text[position + 1]
      return isNameStart(next) || next == 0x2D || isValidEscape(in: text, at: position + 1)
    }
    return isNameStart(text[position]) || isValidEscape(in: text, at: position)
  }

  private func startsNumber(in text: Span<UInt8>) -> Bool {
    let first = peek(0, in: text)
    let offset = first == 0x2B || first == 0x2D ? 1 : 0
    let digit = peek(offset, in: text)
    return isDigit(digit) || digit == 0x2E && isDigit(peek(offset + 1, in: text))
  }

  // MARK: Names

  private mutating func readHyphen(in text: Span<UInt8>) {
    let start = index
    if startsNumber(in: text) {
      readNumber(in: text)
    } else if matches("-->", in: text, at: index) {
      index += 3
      append(.htmlCommentMark, from: start)
    } else if startsIdent(in: text, at: index) {
      readIdentLike(in: text)
    } else {
      appendDelimiter(0x2D)
    }
  }

  /// Advances past a name; returns whether it is spelled with a backslash.
  @discardableResult
  private mutating func readName(in text: Span<UInt8>) -> Bool {
    var hasEscape = false
    while index < text.count {
      if isNamePart(text[index]) {
        index += 1
      } else if isValidEscape(in: text, at: index) {
        hasEscape = true
        skipEscape(in: text)
      } else {
        break
      }
    }
    return hasEscape
  }

  /// Advances past a backslash and what belongs to it.
  private mutating func skipEscape(in text: Span<UInt8>) {
    index += 1
    if index >= text.count { return isOpenAtEnd = true }
    guard hexadecimalValue(text[index]) != nil else {
      index += 1
      while index < text.count, text[index] & 0xC0 == 0x80 { index += 1 }
      return
    }
    let limit = min(index + 6, text.count)
    while index < limit, hexadecimalValue(text[index]) != nil { index += 1 }
    skipOneWhitespace(in: text)
  }

  private mutating func skipOneWhitespace(in text: Span<UInt8>) {
    guard index < text.count, isWhitespace(text[index]) else { return }
    let isReturn = text[index] == 0x0D
    index += 1
    if isReturn, index < text.count, text[index] == 0x0A { index += 1 }
  }

  private mutating func readIdentLike(in text: Span<UInt8>) {
    let start = index
    let hasEscape = readName(in: text)
    let nameEnd = index
    if index < text.count, text[index] == 0x28 {
      if hasEscape || nameEnd - start == 3,
        equalsURL(SelectorNames.value(in: text, start..<nameEnd, hasEscape: hasEscape))
      {
        var next = index + 1
        while next < text.count, isWhitespace(text[next]) { next += 1 }
        guard next < text.count, text[next] == 0x22 || text[next] == 0x27 else {
          index = next
          return readURL(in: text, from: start)
        }
      }
      openBlock(.function, from: start, width: 1)
    } else {
      append(.ident, from: start)
    }
    let token = tokens.count - 1
    tokens[token].valueEnd = nameEnd
    tokens[token].hasEscape = hasEscape
  }

  private func equalsURL(_ name: [UInt8]) -> Bool {
    name.count == 3 && name[0] | 0x20 == 0x75 && name[1] | 0x20 == 0x72 && name[2] | 0x20 == 0x6C
  }

  private mutating func readHash(in text: Span<UInt8>) {
    let start = index
    let isName = index + 1 < text.count && isNamePart(text[index + 1])
    guard isName || isValidEscape(in: text, at: index + 1) else { return appendDelimiter(0x23) }
    let isIdentifier = startsIdent(in: text, at: index + 1)
    index += 1
    readName(in: text)
    let token = append(.hash, from: start)
    tokens[token].isIdentifier = isIdentifier
  }

  // MARK: Everything else

  private mutating func readOperator(_ byte: UInt8, in text: Span<UInt8>) {
    let start = index
    if peek(1, in: text) == 0x3D {
      index += 2
      append(.attributeMatch, from: start)
    } else if byte == 0x7C, peek(1, in: text) == 0x7C {
      index += 2
      append(.column, from: start)
    } else {
      appendDelimiter(byte)
    }
  }

  private mutating func readNumber(in text: Span<UInt8>) {
    let start = index
    var token = SelectorToken(.number, start..<start)
    token.isInteger = true
    switch text[index] {
    case 0x2B: (token.sign, index) = (.plus, index + 1)
    case 0x2D: (token.sign, index) = (.minus, index + 1)
    default: break
    }
    skipDigits(in: text)
    if peek(0, in: text) == 0x2E, isDigit(peek(1, in: text)) {
      token.isInteger = false
      index += 1
      skipDigits(in: text)
    }
    if peek(0, in: text) | 0x20 == 0x65 {  // e
      let hasSign = peek(1, in: text) == 0x2B || peek(1, in: text) == 0x2D
      if isDigit(peek(hasSign ? 2 : 1, in: text)) {
        token.isInteger = false
        index += hasSign ? 2 : 1
        skipDigits(in: text)
      }
    }
    token.valueStart = index
    if startsIdent(in: text, at: index) {
      token.kind = .dimension
      token.hasEscape = readName(in: text)
    } else if peek(0, in: text) == 0x25 {
      token.kind = .percentage
      index += 1
    }
    token.end = index
    token.valueEnd = index
    tokens.append(token)
  }

  private mutating func skipDigits(in text: Span<UInt8>) {
    while index < text.count, isDigit(text[index]) { index += 1 }
  }

  private mutating func readString(in text: Span<UInt8>) {
    let start = index
    let quote = text[index]
    index += 1
    var kind = SelectorToken.Kind.string
    var hasEscape = false
    var valueEnd = text.count
    while index < text.count {
      let byte = text[index]
      if byte == quote {
        valueEnd = index
        index += 1
        break
      } else if isNewline(byte) {
        // The newline is not part of the broken string.
        kind = .badString
        break
      } else if byte == 0x5C {
        hasEscape = true
        if index + 1 < text.count, isNewline(text[index + 1]) {
          index += 1
          skipOneWhitespace(in: text)
        } else {
          skipEscape(in: text)
        }
      } else {
        index += 1
      }
    }
    if kind == .string, valueEnd == text.count { isOpenAtEnd = true }
    let token = append(kind, from: start)
    tokens[token].hasEscape = hasEscape
    tokens[token].valueStart = start + 1
    tokens[token].valueEnd = max(start + 1, min(valueEnd, index))
  }

  private mutating func skipComment(in text: Span<UInt8>) {
    index += 2
    while index < text.count {
      if text[index] == 0x2A, peek(1, in: text) == 0x2F {
        index += 2
        return
      }
      index += 1
    }
    isOpenAtEnd = true
  }

  /// Reads an unquoted URL; `index` is at its first character.
  private mutating func readURL(in text: Span<UInt8>, from start: Int) {
    while index < text.count {
      let byte = text[index]
      if byte == 0x29 {
        index += 1
        break
      } else if isWhitespace(byte) {
        while index < text.count, isWhitespace(text[index]) { index += 1 }
        if index >= text.count || text[index] == 0x29 { continue }
        return readBadURL(in: text, from: start)
      } else if byte == 0x22 || byte == 0x27 || byte == 0x28 || isNonPrintable(byte) {
        return readBadURL(in: text, from: start)
      } else if byte == 0x5C {
        guard isValidEscape(in: text, at: index) else { return readBadURL(in: text, from: start) }
        skipEscape(in: text)
      } else {
        index += 1
      }
    }
    append(.url, from: start)
  }

  private mutating func readBadURL(in text: Span<UInt8>, from start: Int) {
    while index < text.count {
      if text[index] == 0x29 {
        index += 1
        break
      }
      if isValidEscape(in: text, at: index) { skipEscape(in: text) } else { index += 1 }
    }
    append(.badURL, from: start)
  }
}

private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

private func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0x0C }

private func isWhitespace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || isNewline(byte)
}

/// Whether a byte can begin a name.
///
/// A raw NUL means U+FFFD, which can.
private func isNameStart(_ byte: UInt8) -> Bool {
  (byte | 0x20) &- 0x61 < 26 || byte >= 0x80 || byte == 0x5F || byte == 0
}

private func isNamePart(_ byte: UInt8) -> Bool {
  isNameStart(byte) || isDigit(byte) || byte == 0x2D
}

private func isNonPrintable(_ byte: UInt8) -> Bool {
  (1...8).contains(byte) || byte == 0x0B || (0x0E...0x1F).contains(byte) || byte == 0x7F
}
