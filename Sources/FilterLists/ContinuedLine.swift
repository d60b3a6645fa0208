/// A line of a list of uBlock Origin with those that continue it: it ends in a space and a backslash, and they begin with
/// four spaces.
///
/// > Source: uBlock Origin 1.67, `compileFilters` in `storage.js`, by its answers.
struct ContinuedLine {
  /// All of it, without what joins it.
  var line: [UInt8]
  /// How many lines continue the first.
  var count = 0
  /// Where the line behind the last one begins.
  var next: Int

  /// Joins lines; `nil` if the first is not continued.
  ///
  /// - Parameters:
  ///   - text: The list's bytes.
  ///   - first: The first line, with the white space around it.
  ///   - next: Where the line behind it begins.
  ///   - limit: Where the list ends.
  /// - Complexity: O(*n*) for *n* bytes of the lines.
  init?(_ text: [UInt8], _ first: Range<Int>, next: Int, limit: Int) {
    guard Self.isContinued(text, first, next, limit) else { return nil }
    (line, self.next) = ([], next)
    var range = first
    while true {
      let isContinued = Self.isContinued(text, range, self.next, limit)
      let end = range.upperBound - (isContinued ? 2 : 0)
      line += text[FilterText.trim(text, range.lowerBound..<end)]
      guard isContinued else { return }
      range = self.next..<min(limit, FilterText.lineEnd(in: text, from: self.next))
      self.next = FilterText.nextLine(in: text, after: range.upperBound)
      count += 1
    }
  }

  private static func isContinued(
    _ text: [UInt8],
    _ line: Range<Int>,
    _ next: Int,
    _ limit: Int
  ) -> Bool {
    text[line].suffix(2).elementsEqual(" \\".utf8) && next + 4 <= limit
      && text[next..<next + 4].allSatisfy { $0 == 0x20 }
  }
}
