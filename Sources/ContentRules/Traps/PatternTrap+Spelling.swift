/// Traps visible in a pattern's spelling, whatever URLs there are.
extension PatternTraps {
  /// A group for subdomains whose last dot has no backslash.
  static func openHostGroup(_ pattern: Span<UInt8>) -> PatternTrap? {
    var index = 4
    // Searched only behind the scheme, as converters write it.
    let end = min(pattern.count - 2, 64)
    while index < end {
      defer { index += 1 }
      guard pattern[index] == UInt8(ascii: ")"), pattern[index - 1] == UInt8(ascii: "."),
        pattern[index - 2] == UInt8(ascii: "+") || pattern[index - 2] == UInt8(ascii: "*"),
        pattern[index - 3] == UInt8(ascii: "]"),
        pattern[index + 1] == UInt8(ascii: "?") || pattern[index + 1] == UInt8(ascii: "*")
      else { continue }
      var open = index - 4
      while open > 0, pattern[open] != UInt8(ascii: "(") { open -= 1 }
      guard open > 2, pattern[open + 1] == UInt8(ascii: "["), isBehindScheme(pattern, open) else {
        return nil
      }
      var name: [UInt8] = []
      var place = index + 2
      while place < pattern.count {
        let byte = pattern[place]
        place += 1
        if byte == UInt8(ascii: "\\"), place < pattern.count, pattern[place] == UInt8(ascii: ".") {
          continue
        }
        guard
          byte.isWordLetter || byte.isDigit || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
        else { break }
        name.append(byte)
      }
      guard name.count > 2 else { return nil }
      let host = String(decoding: name, as: UTF8.self)
      return PatternTrap(
        code: .openHostGroup,
        range: index - 1..<index,
        message: "this dot stands for any character, so that hosts match which merely end in the"
          + " name, such as not\(host)",
        hint: #"write \. for a dot"#,
        edit: (index - 1..<index, #"\."#)
      )
    }
    return nil
  }

  private static func isBehindScheme(_ pattern: Span<UInt8>, _ open: Int) -> Bool {
    pattern.matches("/", at: open - 1) || pattern.matches("/+", at: open - 2)
      || pattern.matches("//)?", at: open - 4)
  }

  /// `/ads?id=1`: the question mark makes the `s` optional.
  ///
  /// `/colou?r=` and `/user_?id=` are deliberate, so more than `NAME=` must suggest a query: a
  /// complete file extension before it, or a usual parameter name.
  static func questionMark(_ pattern: Span<UInt8>) -> PatternTrap? {
    var index = 0
    var hasPath = false
    while index < pattern.count {
      let byte = pattern[index]
      switch byte {
      // What follows these is no longer a path, or not plain text.
      case UInt8(ascii: "\\"):
        index += 1
        if pattern[min(index, pattern.count - 1)] == UInt8(ascii: "?") { return nil }
        hasPath = hasPath || pattern[min(index, pattern.count - 1)] == UInt8(ascii: "/")
      case UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "["), UInt8(ascii: "("): return nil
      case UInt8(ascii: "/"): hasPath = true
      case UInt8(ascii: "?") where hasPath && beginsQuery(pattern, at: index):
        return PatternTrap(
          code: .patternQuestionMark,
          range: index..<index + 1,
          message: "'?' makes the character in front of it optional; here it looks as if the"
            + " beginning of a query was meant",
          hint: #"write \? for a question mark"#,
          edit: (index..<index + 1, #"\?"#)
        )
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Whether a question mark in a path begins a query, judged by its surroundings.
  private static func beginsQuery(_ pattern: Span<UInt8>, at mark: Int) -> Bool {
    var end = mark + 1
    while end < pattern.count, pattern[end].isWordLetter || pattern[end].isDigit { end += 1 }
    guard end > mark + 1, pattern.has("=", at: end) else { return false }
    var start = mark
    while start > 0, pattern[start - 1].isWordLetter || pattern[start - 1].isDigit { start -= 1 }
    guard start > 0, start < mark, pattern[mark - 1] != UInt8(ascii: "_") else { return false }
    let front = pattern.excerpt(start..<mark)
    if pattern[start - 1] == UInt8(ascii: "."), fileEndings.contains(front) { return true }
    return parameters.contains(pattern.excerpt(mark + 1..<end))
  }

  private static let fileEndings: Set = [
    "asp", "aspx", "ashx", "cfm", "cgi", "css", "gif", "htm", "html", "jpeg", "jpg", "js", "json",
    "jsp", "php", "pl", "png", "svg", "swf", "txt", "webp", "xml",
  ]
  private static let parameters: Set = [
    "callback", "cid", "id", "key", "page", "pid", "ref", "sid", "size", "src", "type", "uid",
    "url", "zid", "zone", "zoneid",
  ]
}
