extension RuleReader {
  /// Reports that the text ends before the list does.
  func reportListEnd(_ opening: Int) {
    diagnostics.report(
      .jsonUnexpectedEnd,
      opening..<opening + 1,
      "the list that begins here has no end",
      hint: "the last character of a list is ']'"
    )
  }

  /// Reports what follows the list.
  func reportTextAfterList(_ text: Span<UInt8>) {
    let position = scanner.position
    let hint =
      switch text[position] {
      case UInt8(ascii: "["): "a text holds one list; join them into one array"
      case UInt8(ascii: "]"), UInt8(ascii: "}"): "there is a bracket too many"
      case UInt8(ascii: ","): "the ']' before it ends the list too early"
      default: "nothing may follow the last ']'"
      }
    diagnostics.report(
      .jsonTextAfterList,
      position..<position + max(1, text.lengthOfCharacter(at: position)),
      "expected the end of the text, found \(text.glimpse(at: position))",
      hint: hint
    )
  }
}

extension Span<UInt8> {
  /// Whether an object begins here whose first key is `trigger` or `action`.
  func isRuleStart(at position: Int) -> Bool {
    guard position < count, self[position] == UInt8(ascii: "{") else { return false }
    var index = position + 1
    while index < count, [0x20, 0x09, 0x0A, 0x0D].contains(self[index]) { index += 1 }
    return matches("\"trigger\"", at: index) || matches("\"action\"", at: index)
  }

  /// Returns the next position where a rule seems to begin.
  ///
  /// Hardly ever wrong: inside of a string the quotation marks would need backslashes.
  func nextRuleStart(from position: Int) -> Int? {
    var index = position
    while index < count {
      if self[index] == UInt8(ascii: "{"), isRuleStart(at: index) { return index }
      index += 1
    }
    return nil
  }
}
