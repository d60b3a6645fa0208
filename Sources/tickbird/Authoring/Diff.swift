internal import ArgumentParser
internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ListAnalysis
internal import RuleCompiler
internal import TextOutput

struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Says how two lists differ in what they do, with a load for each difference.",
    discussion: """
      Rules are compared by meaning: added, removed, moved, reworded (another text that means the \
      same), narrower, wider, changed. Each change that has an effect comes with a witness, a load \
      on which the engine decides differently with the two lists. For example:

        tickbird diff old.json new.json
        tickbird diff old.json new.json --log requests.tsv --fail-on newly-blocked:first-party,document

      Lists that decide every load alike are proved to be equal where that is possible; otherwise \
      the answer is that it is undecided, with the loads that were tried.

      --log takes what tickbird explain takes: HTTP archives, JSON lines, columns. It adds what the \
      two lists do to these loads. --fail-on takes newly-blocked, newly-loaded, newly-hidden or \
      newly-shown, alone or with words behind a colon, of which one is enough: first-party, \
      third-party, document, or a type. It looks at witnesses and logs, and then nothing else \
      makes the status 1.

      --format json writes one object: {"equal": true|false|null, "changes": [{"kind", "old", \
      "new", "witness": {"url", "page", "type", "changes"}|null}], "skipped": {"old", "new"}, \
      "loadsTried", "budget": {"loads", "states", "givenUp"}, "logs": \
      {"loads", "differences": [{"url", "page", "type", "party", "changes", "hidden", "shown"}]}|\
      null}. Rules count from 0; "equal" is null if it is undecided, "skipped" the \
      rules that WebKit skips, which are not compared, and "budget" what was spent: \
      loads tried, states of automata searched, searches that were given up. Of lists that are \
      proved equal a part of the changes is tried, to check the proof. A witness also has "frame", \
      "context", "party" or "method" where these are not the usual ones. With --map, that of the old \
      list and then that of the new one, changes have "oldSource" and "newSource": [{"file", \
      "line"}], the filters' lines that the rules were converted from.

      Exit status: 0 all loads are decided alike, or nothing of what --fail-on names; 1 the lists \
      differ, or it is undecided, or a list was refused; 2 wrong use, or a file cannot be read.
      """
  )

  @Argument(help: "The old list, as JSON or compiled; - is standard input.")
  var old: String

  @Argument(help: "The new list.")
  var new: String

  @Option(
    help: ArgumentHelp("Loads on which to compare; can be given several times.", valueName: "file")
  )
  var log: [String] = []

  @Option(help: ArgumentHelp("\(RuleSources.help)", valueName: "file"))
  var map: [String] = []

  @Option(
    help: "What makes the status 1, such as newly-blocked:first-party,document.",
    transform: FailureCondition.init
  )
  var failOn: [FailureCondition] = []

  @Option(help: "The most changes, and of each kind the most loads, that text shows; 0 for all.")
  var limit = 50

  @Option(help: "The format of the output.")
  var format: TextFormat = .text

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more.") }
    if map.contains("-") {
      throw ValidationError("A map is a file, and not standard input (-).")
    }
  }

  func run() throws {
    try ReadList.checkStandardInput([old, new] + log)
    let lists = try ReadList.read([old, new], isAnySize: true)
    let origins = try ReadList.origins(map, lists)
    let progress = PhaseProgress()
    let comparison: Comparison
    let logs: LogComparison?
    do {
      var comparator = try ListComparator(
        old: lists[0].input,
        new: lists[1].input,
        tell: progress.tell
      )
      comparison = try comparator.comparison()
      progress.end()
      logs = try logComparison(lists)
    } catch let error as CompileError {
      throw AuthoringError.tooLarge(lists[1], error)
    } catch let error as RuleListError {
      throw InputError("\(lists[1].source.name): \(error.message)")
    }
    let writer = ComparisonWriter(
      old: lists[0],
      new: lists[1],
      origins: origins,
      comparison: comparison,
      logs: logs,
      limit: limit
    )
    var out = OutputStream.standardOutput()
    switch format {
    case .json: try out.write(writer.json())
    case .text: try out.write(OutputText(painted: writer.text(output.paint)))
    }
    try out.flush()
    try status(comparison, logs).finish()
  }

  private func logComparison(_ lists: [ReadList]) throws -> LogComparison? {
    guard !log.isEmpty else { return nil }
    var logs = LogComparison(
      old: try lists[0].compiled(),
      new: try lists[1].compiled(),
      comparesHiding: true
    )
    var status = ExitStatus.fine
    for path in log {
      guard case .loads(let loads) = try ExplainInput(path: path, isArchive: false, status: &status)
      else {
        throw InputError(
          "\(path) has lines of WebKit's console; diff needs requests: an HTTP archive, JSON lines "
            + "or columns"
        )
      }
      var progress = Progress()
      for (number, load) in loads.enumerated() {
        logs.add(load.load)
        if number % 4_096 == 0 {
          progress.show(
            "deciding loads: \(Shown.grouped(number)) of \(Shown.grouped(loads.count)) …"
          )
        }
      }
      progress.end()
    }
    return logs
  }

  private func status(_ comparison: Comparison, _ logs: LogComparison?) -> ExitStatus {
    guard !failOn.isEmpty else {
      return comparison.isEqual == true && logs?.differences.isEmpty ?? true ? .fine : .refused
    }
    var differing = comparison.changes.compactMap(\.witness).map {
      ($0.load, $0.difference.changes)
    }
    differing += (logs?.differences ?? []).map { ($0.load, $0.changes) }
    let fails = differing.contains { load, changes in
      failOn.contains { condition in condition.holds(for: load, changes) }
    }
    return fails ? .refused : .fine
  }
}

extension ReadList {
  /// The list as comparisons take it.
  var input: ListInput {
    ListInput(rules: rules, text: source.text, hasSkipped: skippedCount > 0)
  }

  /// Returns the list, ready to decide loads.
  fileprivate func compiled() throws -> ContentRuleList {
    try ContentRuleList(identifier: source.name, rules: rules, source: source.text)
  }
}

extension PhaseProgress {
  /// Shows a phase of a comparison, and how much of it is done.
  func tell(_ phase: ListComparator.Phase, _ done: Int, _ count: Int) {
    show(phase.rawValue, done, count)
  }
}
