internal import ContentRules

/// Markdown for hover texts; what comes from a list cannot format anything.
enum Markdown {
  /// Returns a text as code, printable and shortened.
  static func code(_ text: String, limit: Int = 120) -> String {
    let shown = DisplayText.shortened(DisplayText.line(text), to: limit)
    guard !shown.isEmpty else { return "(nothing)" }
    var longest = 0
    var run = 0
    for character in shown.unicodeScalars {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let needsSpace = shown.hasPrefix("`") || shown.hasSuffix("`")
    return needsSpace ? "\(fence) \(shown) \(fence)" : fence + shown + fence
  }

  /// Joins words as in “a, b and c”, at most so many.
  static func list(_ words: [String], last: String = "or", limit: Int = 8) -> String {
    guard words.count > 1 else { return words.first ?? "" }
    if words.count > limit {
      return words.prefix(limit).joined(separator: ", ") + " \(last) \(words.count - limit) more"
    }
    return words.dropLast().joined(separator: ", ") + " \(last) " + (words.last ?? "")
  }
}
