/// Finds the positions of offsets that are near each other, as those of findings in their order are.
///
/// A long list is often one line, and each position in it counted from the line's beginning would take
/// as long as reading the list.
struct PositionCursor {
  private let text: DocumentText
  private let encoding: PositionEncoding
  /// The last offset and its position.
  private var last = (offset: 0, position: TextPosition(line: 0, character: 0))

  /// Creates a cursor at the beginning of a text.
  init(_ text: DocumentText, _ encoding: PositionEncoding) {
    self.text = text
    self.encoding = encoding
  }

  /// Returns the position of an offset; one behind the text's end is at that end.
  ///
  /// - Complexity: O(log *l* + *n*) for *l* lines and *n* bytes from the last offset, or from the
  ///   beginning of the line if that is nearer.
  mutating func position(of offset: Int) -> TextPosition {
    let offset = min(max(0, offset), text.bytes.count)
    let (line, start) = text.line(of: offset)
    guard encoding == .utf16 else { return TextPosition(line: line, character: offset - start) }
    var units: Int
    if line != last.position.line || offset - start < abs(offset - last.offset) {
      units = text.units(in: start..<offset)
    } else if offset >= last.offset {
      units = last.position.character + text.units(in: last.offset..<offset)
    } else {
      units = last.position.character - text.units(in: offset..<last.offset)
    }
    units = max(0, units)
    last = (offset, TextPosition(line: line, character: units))
    return last.position
  }
}
