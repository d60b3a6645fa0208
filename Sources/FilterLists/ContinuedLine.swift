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

  /// What ends a line that is continued.
  private static let mark = Array(" \\".utf8)

  /// Joins lines; `nil` if the first is not continued.
  ///
  /// - Parameters:
  ///   - text: The list's bytes.
  ///   - first: The first line, with the white space around it.
  ///   - next: Where the line behind it begins.
  ///   - limit: Where the list ends.
  /// - Complexity: O(*n*) for *n* bytes of the lines.
  init?(_ text: [UInt8], _ first: Range<Int>, next: Int, limit: Int) {
    // A carriage return stands behind the backslash.
    guard first.upperBound < limit, text[first.upperBound] == 0x0A else { return nil }
    guard text[first].suffix(2).elementsEqual(Self.mark) else { return nil }
    line = Array(text[FilterText.trim(text, first.lowerBound..<first.upperBound - 2)]) + Self.mark
    self.next = next
    while line.suffix(2).elementsEqual(Self.mark), self.next + 4 <= limit,
      text[self.next..<self.next + 4].allSatisfy({ $0 == 0x20 })
    {
      let end = min(limit, FilterText.lineEnd(in: text, from: self.next))
      line.removeLast(2)
      while line.last.map(FilterText.isSpace) ?? false { line.removeLast() }
      line += text[FilterText.trim(text, self.next..<end)]
      self.next = FilterText.nextLine(in: text, after: end)
      count += 1
    }
    guard count > 0 else { return nil }
  }
}
