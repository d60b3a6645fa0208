internal import ArgumentParser
internal import CommandInput
internal import CommandOutput
internal import ContentRules
internal import TextOutput

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks rule lists as WebKit does, and reports everything that is wrong with them.",
    discussion: """
      Reports every fault with its position, where WebKit stops at the first. Given a folder, \
      checks all lists in it; given a compiled list, checks the source that it contains.

      An error makes WebKit refuse the list. A warning is something that WebKit accepts silently, \
      although it probably does not do what its author meant. A note is worth knowing but \
      harmless.

      A file tickbird.toml beside a list sets the same options; the command line takes precedence. \
      The summary lines say how many findings were ignored, and because of which option or file.

        [check]
        ignore = ["pattern-unescaped-dot"]
        severity = "warning"
        target = "safari16.4"
        limit = 50
        max-findings = 0
        baseline = "accepted.baseline"

      With --map, findings name the lines of the filters that rules were converted from, in JSON as \
      "source"?: [{"file", "line"}] of a diagnostic, in SARIF among its properties.

      JSON output is one object for each file, one a line: {"file", "accepted", "error": null or \
      {"code", "message"} with WebKit's name and text, "rules", "skipped", "mended"? with --fix, "ignored": [{"setting", \
      "file" or null for the command line, "count"}], "diagnostics": \
      [{"severity", "code", "message", "reason"?, "rule", "path", "line", "column", "offset", \
      "length", "hint"?, "correction"?: {"keepsMeaning", "edits": [{"offset", "length", \
      "replacement"}]}}]}. Columns, offsets and lengths are in bytes. A file that cannot be read has \
      the error code "Unreadable".

      Exit status: 0 all lists are accepted, without warnings or with no more of them than \
      --max-findings (notes never count); 1 a list is refused or has more warnings; 2 wrong use, or \
      a file cannot be read or written.
      """
  )

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif
  }

  @Argument(
    help:
      "Lists to check, folders of them, or patterns such as 'lists/*.json'; - is standard input."
  )
  var lists: [String] = []

  @Option(
    help: ArgumentHelp(
      "The output format; json and sarif contain all findings, and sarif is for "
        + "code-scanning services."
    )
  )
  var format: Format = .text

  @Option(help: ArgumentHelp("\(RuleSources.help)", valueName: "file"))
  var map: [String] = []

  @OptionGroup(title: "What is reported") var choice: CheckChoice

  @Flag(help: "List all codes of findings, as --ignore takes them, and check nothing.")
  var listCodes = false

  @Flag(
    help: "Show the oldest Safari and engine that support the lists, and which rules need them."
  )
  var minTarget = false

  @Flag(help: "Correct the files in place, where that does not change what rules mean.")
  var fix = false

  @Option(
    help: ArgumentHelp(
      "Accept all present warnings and notes, including those that an older baseline hides, "
        + "and write them to a file for --baseline.",
      valueName: "file"
    )
  )
  var writeBaseline: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try OutputOption.requireName(writeBaseline, of: "--write-baseline")
    if listCodes {
      guard lists.isEmpty, format != .sarif else {
        throw ValidationError(
          "--list-codes lists codes as text or JSON, and checks no list; give it in a run of its own."
        )
      }
      return
    }
    if lists.isEmpty {
      throw ValidationError("Give at least one list, a folder of them, or - for standard input.")
    }
    if writeBaseline == "-" {
      throw ValidationError(
        "--write-baseline needs a file, since standard output has what is found in lists."
      )
    }
    let inputs = lists + [choice.config, choice.baseline].compactMap(\.self)
    if inputs.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Standard input (-) can be given once only.")
    }
    if map.count > lists.count || map.contains("-") {
      throw ValidationError("--map is a file; give it at most once for each list, in their order.")
    }
    if !map.isEmpty, minTarget {
      throw ValidationError("--map names the filters of findings; leave it out with --min-target.")
    }
    if minTarget, fix || writeBaseline != nil || format == .sarif {
      throw ValidationError(
        "--min-target says what lists need, as text or JSON; give --fix, --write-baseline or "
          + "--format sarif in a run of their own."
      )
    }
  }

  func run() throws {
    if listCodes { return try writeCodes() }
    if let writeBaseline { try OutputFile.check(writeBaseline) }
    let newBaseline = try writeBaseline.map { try NewBaseline(path: $0) }
    var run = try CheckRun(
      choice: choice,
      format: format,
      paint: output.paint,
      fixes: fix,
      findsRequirements: minTarget,
      newBaseline: newBaseline
    )
    var fileCount = 0
    for (number, argument) in lists.enumerated() {
      let map = map.indices.contains(number) ? map[number] : nil
      let files: CheckFiles
      do throws(InputError) { files = try CheckFiles(for: argument) } catch {
        fileCount += 1
        try run.tell(unreadable: argument, error)
        continue
      }
      let paths = files.paths
      fileCount += paths.count + files.unreadableFolders.count
      for folder in files.unreadableFolders {
        let error = InputError("\(folder) cannot be read; lists in it were not checked")
        try run.tell(unreadable: folder, error)
      }
      if map != nil, paths.count != 1 {
        let error = InputError("\(argument) has several lists, but a map is of one; give its list")
        try run.tell(unreadable: argument, error)
        continue
      }
      for path in paths { try run.check(path, map: map) }
    }
    try run.writeBaseline()
    try run.finish(showsTotal: fileCount > 1)
  }

  private func writeCodes() throws {
    var out = OutputStream.standardOutput()
    if format == .json {
      try out.write(CodeTable.json)
    } else {
      try out.write(OutputText(painted: CodeTable.text))
    }
    try out.flush()
  }
}

/// Options for what to report.
struct CheckChoice: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Warn about features that an older engine lacks: safari16.4, ios15.6, a WebKitGTK "
        + "version such as 2.46, or a month such as 2025-04.",
      valueName: "release"
    )
  )
  var target: TargetRelease?

  @Option(
    help: ArgumentHelp(
      "Do not report a kind of warning or note, named by its code in square brackets; can "
        + "be given several times.",
      valueName: "code"
    )
  )
  var ignore: [String] = []

  @Option(
    help: "Report only findings of at least this severity: note, warning, error. (default: note)"
  )
  var severity: Severity?

  @Option(
    help: ArgumentHelp(
      "How many findings of each code to show for a list, as text; the others are only "
        + "counted. (default: 20)",
      valueName: "count"
    )
  )
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "How many warnings in a list to tolerate with status 0. (default: 0)",
      valueName: "count"
    )
  )
  var maxFindings: Int?

  @Option(
    help: ArgumentHelp(
      "Do not report the warnings and notes that this file accepts.",
      valueName: "file"
    )
  )
  var baseline: String?

  @Flag(
    name: .shortAndLong,
    help: "Print only errors and warnings: no notes and no summary lines."
  )
  var quiet = false

  @Option(
    help: ArgumentHelp(
      "Read this file instead of the tickbird.toml beside each list.",
      valueName: "file"
    )
  )
  var config: String?

  @Flag(
    help: "Ignore files tickbird.toml beside lists: one that comes with a list may hide problems."
  )
  var noConfig = false

  enum Severity: String, CaseIterable, ExpressibleByArgument {
    case note, warning, error
  }

  mutating func validate() throws {
    if noConfig, config != nil {
      throw ValidationError("--config names a file, and --no-config reads none; give one of them.")
    }
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    if let maxFindings, maxFindings < 0 {
      throw ValidationError("--max-findings must not be negative.")
    }
    do throws(InputError) {
      for word in ignore { _ = try CheckSettings.ignorableCode(word) }
    } catch {
      throw ValidationError("--ignore: \(error.message)")
    }
  }
}
