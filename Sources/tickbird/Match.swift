internal import ArgumentParser
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import TextOutput

struct Match: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decides loads: one JSON object a line in, one a line out.",
    discussion: """
      In: {"url", "top_url"?, "frame_url"?, "resource_type", "load_context"?, "method"?, \
      "load_type"?}. \(LoadHelp.defaults) A method of null is unknown. \(LoadHelp.types)

      Out: {"blocked", "cookies_blocked", "url" (only if changed), "actions": [{"type", …, \
      "list", "rules"} …], "stylesheets"}, where list is the place of the --list option and rules \
      are places in its array, both from 0; stylesheets counts the lists that attach what they \
      hide on every page. An action that has no effect, such as a redirect, which ordinary content \
      blockers may not do, has "effective": false. A bad line gives {"error": …} on its line, an \
      empty one nothing. A file of which more lines are bad than good is given up after a while.

      Exit status: 0 every line was decided; 1 there were bad lines, or a list was refused; \
      2 wrong use, or a file cannot be read.
      """
  )

  @Option(name: .shortAndLong, help: "A list; give the option several times for several lists.")
  var list: [String]

  @Argument(help: "Lines of requests, plain or gzip; - is standard input.")
  var requests = "-"

  @OptionGroup var batch: BatchOptions

  func validate() throws {
    if list.isEmpty { throw ValidationError("Give at least one list, as in --list ads.json.") }
    if requests == "-", list.contains("-") {
      throw ValidationError("Standard input (-) cannot be a list when it has the requests.")
    }
  }

  func run() throws {
    let input = try ByteInput(path: requests)
    let name = input.name
    let lists = try Lists.open(list).map(\.list)
    var out = OutputStream.standardOutput()
    var lineCount = 0
    var badLines = 0
    var progress = Progress()
    let showsProgress = !Terminal.isTerminal(1)
    let ending = try Batch.run(
      workers: batch.workers,
      // Small, since an answer may be a hundred times as long as its request.
      source: LineChunks(ChunkReader(input, size: 1 << 16)),
      makeWorker: { MatchWorker(lists) },
      sink: { answers in
        lineCount += answers.lineCount
        badLines += answers.badLines
        try out.write(answers.text)
        // What was asked is answered before more is waited for.
        try out.flush()
        try Self.check(badLines, of: lineCount, name)
        if showsProgress {
          progress.tick("\(Shown.grouped(lineCount)) lines, \(Shown.grouped(badLines)) bad")
        }
      }
    )
    progress.end()
    if let fault = ending.fault { throw fault }
    if badLines > 0 {
      Report.error(
        "\(Shown.count(badLines, "bad line")) of \(Shown.grouped(lineCount)); "
          + "each has its error in its place in the output"
      )
      throw ExitStatus.refused
    }
  }
}

extension Match {
  /// So many bad lines are answered in any case.
  private static let freeBadLines = 10_000

  /// Gives an input up that is not made of requests.
  ///
  /// A bad line may have a byte, and its answer has a hundred; without a bound a small file that
  /// unfolds would fill the disk.
  private static func check(
    _ badLines: Int,
    of lineCount: Int,
    _ name: String
  ) throws(InputError) {
    guard badLines <= freeBadLines + (lineCount - badLines) else {
      throw InputError(
        "\(name) is no file of requests: \(Shown.grouped(badLines)) of its first "
          + "\(Shown.grouped(lineCount)) lines are bad; write one JSON object a line"
      )
    }
  }
}

/// How work on many requests is spread.
struct BatchOptions: ParsableArguments {
  @Option(help: "How many threads decide; one for each core unless given.")
  var jobs: Int?

  var workers: Int { jobs ?? Batch.coreCount }

  func validate() throws {
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs \(jobs) is not possible; give a number from 1 to 1024.")
    }
  }
}

/// The chunks of one input as jobs.
private struct LineChunks: BatchSource {
  private var reader: ChunkReader

  init(_ reader: sending ChunkReader) { self.reader = reader }

  mutating func next() throws(InputError) -> Chunk? { try reader.next() }
}

/// Answers the lines of a chunk.
private final class MatchWorker: BatchWorker {
  struct Answers: Sendable {
    var text: [UInt8]
    var lineCount: Int
    var badLines: Int
  }

  private static let lineLimit = 1 << 20

  private var blocker: ContentBlocker
  private var reader = RequestReader()

  init(_ lists: [ContentRuleList]) { blocker = ContentBlocker(lists: lists) }

  func work(on chunk: Chunk) -> Answers {
    var json = JSONWriter()
    var lineCount = 0
    var badLines = 0
    chunk.forEachFilledLine(limit: Self.lineLimit) { number, range in
      lineCount += 1
      do throws(InputError) {
        guard let range else {
          throw InputError(
            "the line has more than \(Shown.grouped(Self.lineLimit)) bytes; a load needs less"
          )
        }
        let load = try reader.read(chunk.bytes.span.extracting(range))
        json.decision(blocker.decision(for: load))
      } catch {
        badLines += 1
        json.object { $0.field("error", "line \(number): \(error.message)") }
      }
      json.endLine()
    }
    return Answers(text: json.bytes, lineCount: lineCount, badLines: badLines)
  }

  func finish() {}
}
