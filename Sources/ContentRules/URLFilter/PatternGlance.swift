/// A quick test of whether an accepted pattern needs a closer look.
///
/// Nearly all patterns of large lists are unsuspicious, and `URLFilterLint` takes as long as
/// reading them once more. A glance may err towards a closer look only; a test compares the two.
enum PatternGlance {
  /// Whether ``URLFilterLint`` may find something.
  static func isWorthALook(
    _ pattern: Span<UInt8>,
    matchesEverything: Bool
  ) -> Bool {
    guard !matchesEverything, pattern.count > 1 else { return true }
    return hasSuspiciousEdges(pattern) || hasSuspiciousCharacters(pattern)
  }

  /// Whether something at the start or the end may be omitted, or looks like a delimiter.
  private static func hasSuspiciousEdges(_ pattern: Span<UInt8>) -> Bool {
    var first = 0
    while first < pattern.count, pattern[first] == UInt8(ascii: "^") { first += 1 }
    if first < pattern.count, pattern[first] == UInt8(ascii: ".") { return true }
    let last = pattern[pattern.count - 1]
    if isOptional(last), !isEscaped(pattern, pattern.count - 1) { return true }
    // Before `$` only what matches any text is useless, which a group such as `(a.*)?` is not.
    if last == UInt8(ascii: "$"), isOptional(pattern[pattern.count - 2]), pattern.count > 2,
      pattern[pattern.count - 3] != UInt8(ascii: ")")
    {
      return true
    }
    return pattern[0] == UInt8(ascii: "/")
      && (last == UInt8(ascii: "i") || last == UInt8(ascii: "g"))
  }

  /// Whether an odd number of backslashes precedes a byte.
  private static func isEscaped(_ pattern: Span<UInt8>, _ index: Int) -> Bool {
    var start = index
    while start > 0, pattern[start - 1] == UInt8(ascii: "\\") { start -= 1 }
    return (index - start) & 1 == 1
  }

  private static func isOptional(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "}")
  }

  private static func hasSuspiciousCharacters(_ pattern: Span<UInt8>) -> Bool {
    var index = 0
    var previous: UInt8 = 0
    while index < pattern.count {
      let byte = pattern[index]
      let next = index + 1 < pattern.count ? pattern[index + 1] : 0
      switch byte {
      case UInt8(ascii: "{"): return true
      case UInt8(ascii: "\\"):
        if next.isWord || next.isDigit || isImpossible(next) { return true }
        index += 1
      case UInt8(ascii: "["):
        if next == UInt8(ascii: "]") { return true }
      case UInt8(ascii: "."):
        if isNamePart(previous), isNamePart(next) { return true }
      default: if isImpossible(byte) { return true }
      }
      previous = byte
      index += 1
    }
    return false
  }

  /// Whether a character occurs in no URL: a control, a blank, a quotation mark or an angle bracket.
  private static func isImpossible(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x22 || byte == 0x3C || byte == 0x3E || byte == 0x7F
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isWord || byte == UInt8(ascii: "-")
  }
}
