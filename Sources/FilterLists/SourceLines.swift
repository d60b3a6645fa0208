/// The lines of a list in their order, with those joined that continue others.
struct SourceLines {
  /// A line, or several that were joined.
  struct Line {
    /// The number of the first, from 1.
    var number: Int32
    /// The bytes without white space around them, in the list's text and ``SourceLines/joined`` behind it.
    var range: Range<Int>
    /// How many lines were joined to the first.
    var continuations = 0
  }

  private let text: [UInt8]
  private let joinsLines: Bool
  private let limit: Int
  private var position: Int
  private var number: Int32 = 0
  /// All lines that were joined of several, one behind the other.
  private(set) var joined: [UInt8] = []

  /// The lines of a source, up to its first 2 GiB.
  init(_ source: FilterSource) {
    text = source.text
    joinsLines = source.dialect == .ubo
    limit = min(text.count, Int(Int32.max))
    position = FilterText.start(of: text)
  }

  /// Returns the next line; `nil` behind the last one.
  mutating func next() -> Line? {
    guard position < limit else { return nil }
    let first = position..<FilterText.lineEnd(in: text, from: position)
    position = FilterText.nextLine(in: text, after: first.upperBound)
    number += 1
    guard joinsLines, let long = ContinuedLine(text, first, next: position, limit: limit) else {
      return Line(number: number, range: FilterText.trim(text, first))
    }
    let start = text.count + joined.count
    let range = FilterText.trim(long.line, long.line.indices)
    joined += long.line
    defer { number += Int32(long.count) }
    position = long.next
    return Line(
      number: number,
      range: start + range.lowerBound..<start + range.upperBound,
      continuations: long.count
    )
  }

  /// Returns the text that a line is in, and where it is there.
  func place(of line: Line) -> (text: [UInt8], range: Range<Int>) {
    guard line.continuations > 0 else { return (text, line.range) }
    return (joined, line.range.lowerBound - text.count..<line.range.upperBound - text.count)
  }
}
