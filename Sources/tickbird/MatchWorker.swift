internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import LoadDeciding

/// Answers the lines of a chunk.
final class MatchWorker: BatchWorker {
  struct Answers: Sendable {
    var text: [UInt8]
    var lineCount: Int
    var badLines: Int
  }

  /// The form of answers.
  enum Form: Sendable {
    case fates, columns
    case allActions
  }

  private static let lineLimit = 1 << 20

  private let form: Form
  /// The columns of the requests; `nil` for JSON.
  private let layout: TSVLayout?
  private var blocker: ContentBlocker
  private var reader = RequestReader()
  private var line = DecisionLine()

  init(_ lists: [ContentRuleList], _ form: Form, _ layout: TSVLayout?) {
    self.form = form
    self.layout = layout
    blocker = ContentBlocker(lists: lists)
  }

  func work(on chunk: Chunk) -> Answers {
    var output = JSONWriter()
    var lineCount = 0
    var badLines = 0
    chunk.forEachFilledLine(limit: Self.lineLimit) { number, range in
      do throws(InputError) {
        guard let range else {
          throw InputError(
            "the line has more than \(Shown.grouped(Self.lineLimit)) bytes; a load needs less"
          )
        }
        // Concatenated logs repeat their column names.
        if let layout, layout.isRepeated(chunk.bytes, range) { return }
        lineCount += 1
        try answer(chunk.bytes, range, &output)
      } catch {
        if range == nil { lineCount += 1 }
        badLines += 1
        let message = "line \(number): \(error.message)"
        if form == .columns {
          DecisionLine.write(error: message, toColumns: &output)
        } else {
          output.object { $0.field("error", message) }
          output.endLine()
        }
      }
    }
    return Answers(text: output.bytes, lineCount: lineCount, badLines: badLines)
  }

  func finish() {}

  private func answer(
    _ text: [UInt8],
    _ range: Range<Int>,
    _ output: inout JSONWriter
  ) throws(InputError) {
    if form == .allActions {
      output.decision(blocker.decision(for: try load(text, range)))
      output.endLine()
      return
    }
    let row: TSVLayout.Row?
    if let layout { row = try layout.read(text, range) } else { row = reader.row(text, range) }
    let isDecided = row.map { decide($0, text) } ?? false
    // Falls back to the slow path, which also says what is wrong.
    var load: ResourceLoad?
    if !isDecided {
      let careful = try self.load(text, range)
      blocker.decide(careful, into: &line.fate)
      load = careful
    }
    line.newURL = nil
    line.actions = nil
    if line.fate.needsDecision || line.fate.makesHTTPS && !line.fate.isBlocked {
      let known: ResourceLoad
      if let load { known = load } else { known = try self.load(text, range) }
      let decision = blocker.decision(for: known, includesHiding: false)
      line.newURL = decision.newURL
      if line.fate.needsDecision { line.actions = decision.actions }
    }
    if form == .columns {
      line.write(toColumns: &output)
    } else {
      line.write(to: &output)
    }
  }

  /// Decides a load from the fields of its line; returns `false` if a required URL is not absolute.
  private func decide(_ row: TSVLayout.Row, _ text: [UInt8]) -> Bool {
    let text = text.span
    return blocker.decide(
      url: text.extracting(row.url),
      topURL: text.extracting(row.topURL),
      frameURL: text.extracting(row.frameURL),
      row.traits,
      into: &line.fate
    )
  }

  private func load(_ text: [UInt8], _ range: Range<Int>) throws(InputError) -> ResourceLoad {
    guard let layout else { return try reader.read(text.span.extracting(range)) }
    return try layout.load(text, layout.read(text, range))
  }
}
