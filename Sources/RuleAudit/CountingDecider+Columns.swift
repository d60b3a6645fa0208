internal import CommandInput
internal import ContentBlocking

/// What became of a chunk's lines.
struct ChunkProgress: Sendable {
  var log: Int
  var requests = 0
  var badLines = 0
  /// The first of them.
  var shown: [Audit.BadLine] = []
  /// The error, if a log is invalid as a whole.
  var fault: InputError?
  /// The digest and size of a log, if this is its end.
  var ending: ByteDigest?

  init(log: Int) { self.log = log }

  /// Counts a line that cannot be decided.
  mutating func note(_ error: InputError, line: Int) {
    badLines += 1
    guard shown.count < Audit.badLineLimit else { return }
    shown.append(Audit.BadLine(log: log, line: line, message: error.message))
  }
}

/// The numbers of lines.
enum LineNumbers {
  /// One after the other.
  case from(Int)
  /// As they are given, in ascending order.
  case given([Int])

  func number(_ place: Int) -> Int {
    switch self {
    case .from(let first): first &+ place
    case .given(let numbers): numbers[place]
    }
  }
}

extension CountingDecider {
  /// The most bytes of a line.
  static let lineLimit = 1 << 20
  static let tooLong = InputError("the line has more than 1,048,576 bytes")

  /// Decides the lines of a text with columns.
  mutating func readColumns(
    _ text: [UInt8],
    _ layout: TSVLayout,
    _ numbers: LineNumbers,
    _ progress: inout ChunkProgress
  ) {
    var place = 0
    var start = 0
    while start < text.count {
      var end = text.firstIndex(ofByte: 0x0A, from: start) ?? text.count
      let next = end + 1
      if end > start, text[end - 1] == 0x0D { end -= 1 }
      let number = numbers.number(place)
      do throws(InputError) {
        guard next - 1 - start <= Self.lineLimit else { throw Self.tooLong }
        try decide(text, layout.read(text, start..<end), number, layout)
        progress.requests += 1
      } catch {
        if !layout.isRepeated(text, start..<end) { progress.note(error, line: number) }
      }
      place += 1
      start = next
    }
  }

  private mutating func decide(
    _ text: [UInt8],
    _ row: TSVLayout.Row,
    _ number: Int,
    _ layout: TSVLayout
  ) throws(InputError) {
    let isDecided = decide(
      url: text.span.extracting(row.url),
      topURL: text.span.extracting(row.topURL),
      frameURL: text.span.extracting(row.frameURL),
      row.traits,
      line: number
    )
    // Falls back to the slow path, which also says what is wrong.
    if !isDecided { decide(try layout.load(text, row), line: number) }
  }
}
