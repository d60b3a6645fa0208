internal import ArgumentParser
internal import CommandInput
internal import CommandOutput
internal import ContentRules
internal import TextOutput

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says what WebKit thinks of rule lists, and what is wrong with them.",
    discussion: """
      Every fault is shown with its place, not only the first as WebKit does. Of a folder all lists \
      in it are checked, and of a compiled list the source that it keeps.

      An error is why WebKit refuses a list; a warning is what it accepts without a word, though it \
      hardly does what its author meant; a note is worth knowing and harms nobody.

      A file tickbird.toml beside a list says the same as the options, which come first. The lines \
      for a list and for all say how many findings were ignored, and because of which option or file.

        [check]
        ignore = ["pattern-unescaped-dot"]
        severity = "warning"
        target = "safari16.4"
        limit = 50
        max-findings = 0
        baseline = "accepted.baseline"

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

  @Option(help: "How to write what was found, all of it; sarif is for code-scanning services.")
  var format: Format = .text

  @OptionGroup(title: "What is told") var choice: CheckChoice

  @Flag(help: "List the codes of all that can be found, which --ignore takes, and check nothing.")
  var listCodes = false

  @Flag(help: "Say which Safari and which engine the lists need, and because of which rules.")
  var minTarget = false

  @Flag(help: "Mend what can be mended without changing what rules mean, in the files themselves.")
  var fix = false

  @Option(
    help: ArgumentHelp(
      "Accept all warnings and notes that there are, also those that an older baseline hides, and "
        + "keep that in a file for --baseline.",
      valueName: "file"
    )
  )
  var writeBaseline: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
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
    for argument in lists {
      let paths: [String]
      do throws(InputError) { paths = try CheckFiles.paths(for: argument) } catch {
        fileCount += 1
        try run.tell(unreadable: argument, error)
        continue
      }
      fileCount += paths.count
      for path in paths { try run.check(path) }
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

/// What is told of lists.
struct CheckChoice: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Warn of what an older engine does not know: safari16.4, ios15.6, a WebKitGTK version such as "
        + "2.46, or a month such as 2025-04.",
      valueName: "release"
    )
  )
  var target: TargetRelease?

  @Option(
    help: ArgumentHelp(
      "Say nothing of a kind of warning or note, by the code that stands in square brackets; can be "
        + "given several times.",
      valueName: "code"
    )
  )
  var ignore: [String] = []

  @Option(help: "Tell only what weighs so much: note, warning, error. (default: note)")
  var severity: Severity?

  @Option(
    help: ArgumentHelp(
      "How many of each code text shows in a list; the others are counted. (default: 20)",
      valueName: "count"
    )
  )
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "How many warnings in a list are let pass with status 0. (default: 0)",
      valueName: "count"
    )
  )
  var maxFindings: Int?

  @Option(
    help: ArgumentHelp(
      "Say nothing of the warnings and notes that were accepted in this file.",
      valueName: "file"
    )
  )
  var baseline: String?

  @Flag(
    name: .shortAndLong,
    help: "Write errors and warnings alone: no notes, no line for a list as a whole, no total."
  )
  var quiet = false

  @Option(
    help: ArgumentHelp("Read this file instead of tickbird.toml beside lists.", valueName: "file")
  )
  var config: String?

  @Flag(
    help: "Read no tickbird.toml beside lists: one that comes with a list may hide what is wrong."
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
