internal import ArgumentParser
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import RuleAudit
internal import TextOutput

struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Counts what rules do to the requests in logs.",
    discussion: """
      For example:
        tickbird audit --list ads.json requests.tsv.gz
        tickbird audit --list ads.json --format json monday.ndjson tuesday.ndjson
        tickbird audit --list ads.json --format csv --by rule-site requests.tsv
        zcat part-*.gz | tickbird audit --list ads.json -

      A rule matched if its trigger fits a request. It was cancelled if a later \
      ignore-previous-rules, or an earlier ignore-following-rules, of the same list turned it off; \
      otherwise it was applied, even if another rule does the same. Redirects and header changes, \
      for which content blockers need permission, are neither.

      For each rule the report also has: the loads that only this rule blocks; for an ignore rule \
      the loads that would be blocked without it; the first-party documents, scripts and style \
      sheets that it blocked; and the sites that it was applied on.

      Logs are plain or compressed by gzip. The first line says which of three forms a log has:
        ndjson  one JSON object a line, as tickbird match takes them
        tsv     columns separated by tabs, named in the first line
        har     an HTTP archive, read as a whole

      Every request counts, even if it was made by a frame or script that is itself blocked: so \
      the counts of a rule do not depend on other rules. tickbird explain marks such requests of \
      an HTTP archive.

      Columns of a TSV log, of which the first three must be there:
        url            the URL that is loaded
        top_url        the URL of the page; or source
        resource_type  the type of the load; or webkit_type, or type
        load_type      first-party or third-party; - is third-party
        frame_url      the URL of the frame's document
        load_context   top-frame or child-frame
        method         the method of the document's request; null if unknown
      Other columns are ignored.

      \(LoadHelp.defaults)

      \(LoadHelp.types)

      On several machines, each audits some of the logs with --partial FILE, and tickbird audit \
      merge puts the parts together. See Documentation/Audit.md.

      With --map, rules are named with the lines of the filters that they were converted from; in \
      JSON as "source" of rules that matched, a list of {"file", "line"}.

      Exit status: 0 all is well; 1 there were bad lines, two logs have the same bytes, or a list \
      was refused; 2 wrong use, or a file was given twice, or cannot be read or written.
      """
  )

  @Option(name: .shortAndLong, help: "\(Lists.help)")
  var list: [String]

  @Argument(help: "Logs of requests; - is standard input.")
  var logs: [String]

  @Option(help: "The form of all logs; auto looks at the first line of each.")
  var inputFormat: InputFormat = .auto

  @Option(
    help: ArgumentHelp(
      "The columns of TSV logs whose first line does not name them, as in "
        + "url,top_url,resource_type.",
      valueName: "name,name,…"
    )
  )
  var columns: String?

  @Option(help: ArgumentHelp("\(RuleSources.help)", valueName: "file"))
  var map: [String] = []

  @OptionGroup var batch: BatchOptions

  @Flag(name: .shortAndLong, help: "Do not show progress on the terminal.")
  var quiet = false

  @OptionGroup var result: AuditResultOptions

  enum InputFormat: String, CaseIterable, ExpressibleByArgument {
    case auto, ndjson, tsv, har

    var format: LogFormat? { LogFormat(rawValue: rawValue) }
  }

  func validate() throws {
    if list.isEmpty { throw ValidationError("Give at least one list, as in --list ads.json.") }
    if map.contains("-") {
      throw ValidationError("A map is a file, and not standard input (-).")
    }
    if !map.isEmpty, result.partial != nil || result.format == .csv {
      throw ValidationError(
        "--map names filters in text and JSON; leave it out with --partial and --format csv."
      )
    }
    if logs.isEmpty { throw ValidationError("Give at least one log, or - for standard input.") }
    if logs.count(where: { $0 == "-" }) + list.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Standard input (-) can be given only once.")
    }
  }

  func run() throws {
    try checkFiles()
    let files = try Lists.open(list)
    try Lists.checkSources(files)
    let lists = files.map(\.list)
    let named = map.isEmpty ? [] : files.map { ($0.name, ListSource($0.list.source).ruleCount) }
    let origins = map.isEmpty ? .none : try RuleSources(map, lists: named)
    var auditor = Auditor(lists: lists)
    auditor.format = inputFormat.format
    auditor.columns = try columns.map { names throws(InputError) in try TSVLayout(option: names) }
    auditor.workers = batch.workers
    let audit = try audited(auditor)
    try result.write(audit, origins: origins, lists: lists)
    var status = Self.tellBadLines(audit)
    if !result.allowDuplicates, let (first, second) = Audit.duplicate(in: audit.logs) {
      ConsoleMessage.error(
        "\(second.name) has the same bytes as \(first.name), and both are counted; leave one out, "
          + "or give --allow-duplicates"
      )
      status = .refused
    }
    try status.finish()
  }

  /// Checks, before the work, everything that would make writing the result fail.
  private func checkFiles() throws {
    for log in logs { try ByteInput.check(path: log) }
    if let partial = result.partial, partial != "-" {
      try OwnInputs(logs + list + map).check(output: partial)
    }
    guard !result.allowDuplicates else { return }
    var seen: [String: String] = [:]
    for log in logs {
      guard let identity = ByteInput.identity(path: log) else { continue }
      if let first = seen.updateValue(log, forKey: identity) {
        throw InputError(
          "\(log) and \(first) are the same file; leave one out, or give --allow-duplicates to count "
            + "it twice"
        )
      }
    }
  }

  private func audited(_ auditor: Auditor) throws -> Audit {
    var progress = Progress()
    let start = ContinuousClock.now
    defer { progress.end() }
    return try auditor.run(logs) { requests, badLines in
      guard !quiet else { return }
      progress.tick(Self.progressText(requests, badLines, ContinuousClock.now - start))
    }.audit
  }

  private static func progressText(_ requests: Int, _ badLines: Int, _ time: Duration) -> String {
    let rate = Double(requests) / max(0.001, time / .seconds(1))
    return "\(Shown.grouped(requests)) requests, \(Shown.grouped(Int(rate))) a second"
      + (badLines > 0 ? ", \(Shown.count(badLines, "bad line"))" : "")
  }

  /// Reports bad lines.
  static func tellBadLines(_ audit: Audit) -> ExitStatus {
    let count = audit.badLineCount
    guard count > 0 else { return .fine }
    for line in audit.badLines {
      ConsoleMessage.error("\(audit.logs[line.log].name), line \(line.line): \(line.message)")
    }
    let lines = count + audit.outcomes.requests
    ConsoleMessage.error(
      "\(Shown.count(count, "bad line")) of \(Shown.grouped(lines)) left out"
        + (count > audit.badLines.count && !audit.badLines.isEmpty
          ? "; the first \(audit.badLines.count) are above" : "")
    )
    return .refused
  }
}

struct AuditMerge: ParsableCommand {
  // Without a blank, which no shell's completion bears; “audit merge” is understood as well.
  static let name = "audit-merge"
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Merges partial audits into the report of one audit of all their logs.",
    discussion: """
      For example:
        tickbird audit --list ads.json --partial a.audit a.tsv
        tickbird audit --list ads.json --partial b.audit b.tsv
        tickbird audit merge a.audit b.audit

      prints what tickbird audit --list ads.json a.tsv b.tsv does. Partial audits must be of the \
      same lists; two with the same log are refused. Give them in the order of their logs, so that \
      the report's first and last examples are right.

      Exit status: 0 all is well; 1 there were bad lines; 2 wrong use, or a file cannot be \
      read, merged or written.
      """
  )

  @Argument(help: "Files that tickbird audit --partial wrote; - is standard input.")
  var partials: [String]

  @OptionGroup var result: AuditResultOptions

  func validate() throws {
    if partials.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Standard input (-) can be given only once.")
    }
  }

  func run() throws {
    var merged: Audit?
    for path in partials {
      let audit = try AuditPartial.read(path: path)
      do throws(Audit.MergeError) {
        try audit.checkLogs(allowsDuplicates: result.allowDuplicates)
        if merged == nil {
          merged = audit
        } else {
          try merged?.merge(audit, allowsDuplicates: result.allowDuplicates)
        }
      } catch {
        throw InputError(Self.sentence(error, path))
      }
    }
    guard let merged else { return }
    try result.write(merged)
    try AuditCommand.tellBadLines(merged).finish()
  }

  private static func sentence(_ error: Audit.MergeError, _ path: String) -> String {
    switch error {
    case .differentLists(let difference):
      "\(path) cannot be merged with those before it: \(difference); make all of them with the same "
        + "lists in the same order"
    case .sameLog(let first, let second):
      "\(path) has the log \(second), which is the same as \(first) and would count twice; leave it "
        + "out, or give --allow-duplicates"
    }
  }
}

/// A form of the report.
enum AuditFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, csv
}

extension AuditCSV.Rows: ExpressibleByArgument {}

/// Options for the result of an audit.
struct AuditResultOptions: ParsableArguments {
  @Option(
    help: "The output format; json has everything, csv is for spreadsheets. (default: text)"
  )
  var format: AuditFormat?

  @Option(
    help: "What the rows of csv are for; rule-site is each rule on each site. (default: rule)"
  )
  var by: AuditCSV.Rows?

  @Option(help: "The most rows in each table of the text. (default: 20)")
  var top: Int?

  @Flag(help: "In text and csv, also list the rules that never matched.")
  var unmatched = false

  @Option(
    help: ArgumentHelp(
      "Write a partial audit for tickbird audit merge instead of the report; - is standard output.",
      valueName: "file"
    )
  )
  var partial: String?

  @Flag(help: "Allow a log to be given twice, and count it twice.")
  var allowDuplicates = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try OutputOption.requireName(partial, of: "--partial")
    if let top, top < 0 { throw ValidationError("--top \(top) is not possible; give 0 or more.") }
    if partial != nil, let given = reportOption {
      throw ValidationError(
        "--partial writes no report, so that \(given) has nothing to say; give it to tickbird audit merge."
      )
    }
    let format = format ?? .text
    if by != nil, format != .csv {
      throw ValidationError(
        "--by says what csv has a row for; give --format csv as well, or leave --by out."
      )
    }
    if top != nil, format != .text {
      throw ValidationError(
        "--top is about the tables of the text; \(format.rawValue) has all rows, so leave --top out."
      )
    }
    if unmatched, format == .csv, by ?? .rule != .rule {
      throw ValidationError(
        "--unmatched lists rules, which are on no site; give it with --by rule, or leave it out."
      )
    }
  }

  /// The first given option that applies to the report only.
  private var reportOption: String? {
    if format != nil { return "--format" }
    if by != nil { return "--by" }
    if top != nil { return "--top" }
    return unmatched ? "--unmatched" : nil
  }

  /// Writes the report, with the filters that rules come from, or the partial audit.
  ///
  /// - Parameters:
  ///   - audit: The audit.
  ///   - origins: The filters.
  ///   - lists: The audited lists, if they are there, for what their rules are about.
  /// - Throws: `OutputError`.
  func write(
    _ audit: Audit,
    origins: RuleSources = .none,
    lists: [ContentRuleList] = []
  ) throws {
    var out = OutputStream.standardOutput()
    let rules = unmatched && !lists.isEmpty ? AuditedRules(lists) : nil
    if let partial {
      let bytes = try AuditPartial.write(audit)
      guard partial == "-" else { return try OutputFile.replace(partial, with: bytes) }
      try out.write(bytes)
    } else if format == .json {
      try out.write(audit.json { origins.write(list: $0, rule: $1, to: &$2) })
    } else if format == .csv {
      var table = AuditCSV(audit, rows: by ?? .rule)
      table.listsUnmatched = unmatched
      table.rules = rules
      try out.write(table.rendered())
    } else {
      var text = AuditText(audit, paint: output.paint)
      text.rowLimit = top ?? 20
      text.listsUnmatched = unmatched
      text.width = Terminal.width
      text.origin = { origins.label(list: $0, rule: $1) }
      text.filter = { origins.filter(list: $0, rule: $1) }
      text.rules = rules
      try out.write(OutputText(painted: text.rendered()))
    }
    try out.flush()
  }
}

extension TSVLayout {
  /// Parses the value of `--columns`.
  init(option names: String) throws(InputError) {
    do throws(InputError) {
      try self.init(names: Array(names.utf8), separator: UInt8(ascii: ","))
    } catch {
      throw InputError("--columns: \(error.message)")
    }
  }
}
