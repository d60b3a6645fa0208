extension SelectorList {
  /// Returns the one spelling of all selector lists that are the same but for white space, comments and quotes.
  ///
  ///     a>b,[ c = d ]     a > b, [c='d']     // a>b,[c="d"]
  ///
  /// It is for comparisons: the spelling of a list that is invalid means nothing.
  ///
  /// - Parameter text: The list as UTF-8 bytes.
  /// - Returns: The spelling.
  /// - Complexity: O(*n*) for *n* bytes.
  package static func canonicalText(of text: Span<UInt8>) -> [UInt8] {
    let tokens = SelectorTokenizer(text).tokens
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var isInAttribute = false
    var isValue = false
    var isSpaced = false
    var previous: SelectorToken?
    for token in tokens {
      if token.kind == .whitespace {
        isSpaced = true
        continue
      }
      if isSpaced, !isInAttribute, let previous, !separates(previous), !separates(token),
        !opens(previous), token.kind != .rightParenthesis
      {
        result.append(UInt8(ascii: " "))
      }
      (isSpaced, previous) = (false, token)
      if token.kind == .string || (token.kind == .ident && isValue) {
        append(
          SelectorNames.value(
            in: text,
            token.valueStart..<token.valueEnd,
            hasEscape: token.hasEscape
          ),
          to: &result
        )
        isValue = false
        continue
      }
      for index in token.start..<token.end { result.append(text[index]) }
      switch token.kind {
      case .leftBracket: isInAttribute = true
      case .rightBracket: (isInAttribute, isValue) = (false, false)
      case .attributeMatch: isValue = isInAttribute
      case .delimiter: isValue = isInAttribute && token.isDelimiter("=")
      default: break
      }
    }
    return result
  }

  /// Whether a token stands between selectors, so that white space beside it says nothing.
  private static func separates(_ token: SelectorToken) -> Bool {
    token.kind == .comma || token.isDelimiter(">") || token.isDelimiter("+")
      || token.isDelimiter("~")
  }

  private static func opens(_ token: SelectorToken) -> Bool {
    token.kind == .function || token.kind == .leftParenthesis
  }

  /// Appends the value of a string or of an attribute between quotes.
  private static func append(_ value: [UInt8], to result: inout [UInt8]) {
    result.append(UInt8(ascii: "\""))
    for byte in value {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        result.append(UInt8(ascii: "\\"))
      }
      result.append(byte)
    }
    result.append(UInt8(ascii: "\""))
  }
}
