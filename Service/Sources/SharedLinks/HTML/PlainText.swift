/// Converts titles and descriptions to plain text.
enum PlainText {
  /// Extracts the text of HTML: no tags or scripts, references decoded, white space collapsed.
  ///
  /// Blocks and line breaks become a space. The result is text, not markup: whoever displays it
  /// must escape it. Anything beyond `limit` characters is cut.
  static func fromHTML(_ html: String, limit: Int) -> String {
    // The common case: neither markup nor references.
    guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return collapsed(html, limit: limit)
    }
    var tokenizer = HTMLTokenizer(html)
    var text = ""
    // A rough cut in bytes, since finding characters is costly and white space is not yet
    // collapsed.
    let bytes = limit * 32
    while text.utf8.count < bytes, let token = tokenizer.next() {
      switch token {
      case .text(let run):
        text += run
      case .start(let name, _):
        if hidden.contains(name) { tokenizer.skipRawText(of: name) }
        if !inline.contains(name) { text += " " }
      case .end(let name):
        if !inline.contains(name) { text += " " }
      }
    }
    return collapsed(text, limit: limit)
  }

  /// Collapses white space, and removes characters that are invisible or change the line's
  /// direction.
  static func collapsed(_ text: String, limit: Int) -> String {
    var scalars = String.UnicodeScalarView()
    var pendingSpace = false
    // Counted here, since `unicodeScalars.count` is O(n) each time.
    var count = 0
    let most = limit * 8
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace {
        pendingSpace = !scalars.isEmpty
        continue
      }
      if isInvisible(scalar) { continue }
      if pendingSpace {
        scalars.append(" ")
        pendingSpace = false
      }
      scalars.append(scalar)
      count += 1
      if count > most { break }
    }
    let result = String(scalars)
    guard result.utf8.count > limit else { return result }
    // The cut may fall after a space, which would be trailing white space.
    let cut = result.prefix(limit)
    return String(cut.last == " " ? cut.dropLast() : cut)
  }

  /// Shortens a text at a character boundary, and ends it with an ellipsis.
  ///
  /// Cuts at the last space if there is one in the last fifth.
  static func shortened(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit, limit > 0 else { return text }
    guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    let cut = text[..<text.index(before: end)]
    if let space = cut.lastIndex(of: " "),
      cut.distance(from: space, to: cut.endIndex) <= limit / 5
    {
      return cut[..<space] + "…"
    }
    return cut + "…"
  }

  /// Returns whether a character is a control character, or reorders or hides the text around it.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7F..<0xA0, 0xFEFF, 0xFFFE, 0xFFFF: true
    case 0x202A...0x202E, 0x2066...0x2069, 0x200B, 0x2060: true
    default: false
    }
  }

  /// Elements whose contents are not displayed.
  private static let hidden: Set = [
    "script", "style", "template", "noscript", "iframe", "object", "textarea", "svg", "math",
    "head", "title",
  ]

  /// Elements that do not separate words.
  private static let inline: Set = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font",
    "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup",
    "time", "tt", "u", "var", "wbr",
  ]
}
