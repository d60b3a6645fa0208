internal import ArgumentParser
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import TextOutput

struct Match: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Decides loads: reads a request per line and writes a decision per line.",
    discussion: """
      For example:
        tickbird match --list ads.json requests.ndjson > decisions.ndjson
        zcat log.tsv.gz | tickbird match --list ads.json --format tsv -

      In: {"url", "top_url"?, "frame_url"?, "resource_type", "load_context"?, "method"?, \
      "load_type"?}, or {"url", "frameUrl", "cpt"}, as in request logs for filter lists; or \
      columns separated by tabs, with these names in the first line or in --columns. A method of \
      null is unknown.

      \(LoadHelp.defaults)

      \(LoadHelp.types)

      Out: {"blocked", "cookies_blocked", "url" (only if changed), "actions": [{"type", …, \
      "list", "rules"} …], "exceptions" (if any), "hiding_rules", "stylesheets"}. actions are those \
      that decide about the load, with their rules; list is the position of the --list option, \
      and rules are positions in that list's array, both from 0. exceptions are the ignore rules \
      without which other rules would be among the actions. hiding_rules is the number of rules that hide \
      something on the page, and stylesheets the number of lists that hide something on every \
      page. An action without effect has "effective": false: a redirect, for which a content \
      blocker needs permission, or make-https for a URL that stays as it is, or for a load that is \
      blocked.

      With --selectors, actions also contains the hiding by rules that name pages or loads, with its \
      selectors, instead of hiding_rules and exceptions. What a list hides on every page is one style sheet, \
      the same on each line, and only counted, in stylesheets: that of the list's first hiding rules without \
      conditions.

      With --format tsv the first line names the columns: blocked, cookies_blocked, url, rules, \
      exceptions, hiding_rules, stylesheets, error. A rule is TYPE:LIST:RULE, as in block:0:17.

      A bad line gets {"error": …} on its line; an empty line gets none. Matching stops early if \
      more lines are bad than good.

      Exit status: 0 all is well; 1 there were bad lines, or a list was refused; \
      2 wrong use, or a file cannot be read.
      """
  )

  @Option(name: .shortAndLong, help: "\(Lists.help)")
  var list: [String]

  @Argument(help: "Requests, plain or compressed by gzip; - is standard input.")
  var requests = "-"

  @Option(help: "The output format.")
  var format: LineFormat = .json

  @Flag(
    help: "List all actions, also those that hide something on certain pages, with their selectors."
  )
  var selectors = false

  @Option(
    help: ArgumentHelp(
      "The columns of requests whose first line does not name them, as in "
        + "url,top_url,resource_type.",
      valueName: "name,name,…"
    )
  )
  var columns: String?

  @OptionGroup var batch: BatchOptions

  enum LineFormat: String, CaseIterable, ExpressibleByArgument {
    case json, tsv
  }

  func validate() throws {
    if list.isEmpty { throw ValidationError("Give at least one list, as in --list ads.json.") }
    if requests == "-", list.contains("-") {
      throw ValidationError("Standard input (-) cannot be a list when it has the requests.")
    }
    if selectors, format == .tsv {
      throw ValidationError("--selectors writes JSON; leave out --format tsv.")
    }
  }

  func run() throws {
    let input = try ByteInput(path: requests)
    let name = input.name
    let lists = try Lists.open(list).map(\.list)
    let source = try RequestChunks(
      input,
      // Small, since answers may be much longer than requests: with selectors, or for bad lines of
      // one byte.
      chunkSize: selectors ? 1 << 16 : 1 << 17,
      columns: columns
    )
    let layout = source.layout
    let form: MatchWorker.Form = selectors ? .allActions : format == .tsv ? .columns : .fates
    var out = OutputStream.standardOutput()
    if form == .columns { try out.write(Array(DecisionLine.columns.utf8)) }
    var lineCount = 0
    var badLines = 0
    var progress = Progress()
    let showsProgress = !Terminal.isTerminal(1)
    let ending = try Batch.run(
      workers: batch.workers,
      source: source,
      makeWorker: { MatchWorker(lists, form, layout) },
      sink: { answers in
        lineCount += answers.lineCount
        badLines += answers.badLines
        try out.write(answers.text)
        // Flushes answers before waiting for more input.
        try out.flush()
        try Self.check(badLines, of: lineCount, name)
        if showsProgress {
          progress.tick("\(Shown.grouped(lineCount)) lines, \(Shown.grouped(badLines)) bad")
        }
      }
    )
    progress.end()
    if let fault = ending.fault { throw fault }
    try out.flush()
    if badLines > 0 {
      ConsoleMessage.error(
        "\(Shown.count(badLines, "bad line")) of \(Shown.grouped(lineCount)); "
          + "the output has an error on the line of each"
      )
      throw ExitStatus.refused
    }
  }
}

extension Match {
  /// The number of bad lines that are always answered.
  private static let freeBadLines = 10_000

  /// Stops if the input does not consist of requests.
  ///
  /// A bad line may have one byte, and its answer has a hundred: without a limit, a small
  /// compressed file could fill the disk.
  private static func check(
    _ badLines: Int,
    of lineCount: Int,
    _ name: String
  ) throws(InputError) {
    guard badLines <= freeBadLines + (lineCount - badLines) else {
      throw InputError(
        "\(name) is not a file of requests: \(Shown.grouped(badLines)) of its first "
          + "\(Shown.grouped(lineCount)) lines are bad; write one JSON object a line, or columns "
          + "that the first line names"
      )
    }
  }
}

/// Options for parallel processing.
struct BatchOptions: ParsableArguments {
  @Option(help: "The number of threads; by default one per core.")
  var jobs: Int?

  var workers: Int { jobs ?? Batch.coreCount }

  func validate() throws {
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs \(jobs) is not possible; give a number from 1 to 1024.")
    }
  }
}

/// The chunks of an input as jobs.
private struct RequestChunks: BatchSource {
  private var reader: ChunkReader
  /// The columns of the input; `nil` for JSON.
  let layout: TSVLayout?

  init(_ input: ByteInput, chunkSize: Int, columns: String?) throws(InputError) {
    let name = input.name
    reader = ChunkReader(input, size: chunkSize, isDigested: false)
    let given = try columns.map { names throws(InputError) in try TSVLayout(option: names) }
    let line = try reader.firstLine()
    let names = line ?? []
    switch LogFormat(firstLine: line ?? Array(reader.start)) {
    case .har where given == nil:
      throw InputError(
        "\(name) is an HTTP archive, or JSON that is not one object a line; tickbird explain and "
          + "tickbird audit read archives"
      )
    case .tsv where TSVLayout.isHeader(names):
      do throws(InputError) {
        layout = try TSVLayout(names: names)
      } catch {
        throw InputError("\(name), line 1: \(error.message)")
      }
      reader.dropFirstLine()
    case .tsv where given == nil && TSVLayout.hasColumns(names): throw TSVLayout.noHeader(name)
    default: layout = given
    }
  }

  mutating func next() throws(InputError) -> Chunk? { try reader.next() }
}
