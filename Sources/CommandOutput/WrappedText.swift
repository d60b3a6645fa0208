extension Shown {
  /// Wraps text between words into indented lines of the given width.
  ///
  /// - Parameters:
  ///   - text: The text; white space becomes single spaces.
  ///   - width: The columns of a line, indentation included.
  ///   - indent: The number of columns that stay empty before each line.
  ///   - limit: The most lines; the last one then ends in an ellipsis.
  /// - Returns: The lines, each with its line break.
  package static func wrapped(
    _ text: String,
    width: Int,
    indent: Int,
    limit: Int = .max
  ) -> String {
    let room = max(20, width - indent)
    var lines: [String] = []
    var line = ""
    var length = 0
    for word in text.split(separator: " ") {
      var rest = Array(word.unicodeScalars)
      if length > 0, length + 1 + rest.count > room, rest.count <= room || length > room / 2 {
        lines.append(line)
        (line, length) = ("", 0)
      }
      if length > 0 {
        line += " "
        length += 1
      }
      while length + rest.count > room {
        line.unicodeScalars.append(contentsOf: rest.prefix(room - length))
        rest.removeFirst(room - length)
        lines.append(line)
        (line, length) = ("", 0)
      }
      line.unicodeScalars.append(contentsOf: rest)
      length += rest.count
    }
    if !line.isEmpty { lines.append(line) }
    if lines.count > limit {
      lines.removeLast(lines.count - limit)
      let last = lines.removeLast()
      lines.append(String(last.unicodeScalars.prefix(room - 1)) + "…")
    }
    let margin = String(repeating: " ", count: indent)
    return lines.map { margin + $0 + "\n" }.joined()
  }
}
