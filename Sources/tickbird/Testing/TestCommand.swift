internal import ArgumentParser
internal import CommandInput
internal import CommandOutput
internal import ListTesting
internal import TextOutput

struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Tries what rule lists do to loads against what a file expects of them.",
    discussion: """
      A test file has one expectation a line:

        list: blockerList.json

        https://cdn.shop.example/app.js script on https://shop.example/ => load
        https://ads.example/a.js script on https://shop.example/ => block by "ads\\."

        [page https://shop.example/]
        page => hide .ad, show .article
        http://cdn.shop.example/b.png image => https, cookies stripped

        [frame https://video.example/ on https://shop.example/]
        https://ads.example/spot.mp4 media => block by rule 12

      A load is URL TYPE, then any of: on URL (its page), in URL (the document of its frame), \
      method WORD, top-frame or child-frame, first-party or third-party. In a section, page and \
      frame are the section's. The line page or frame alone is the load of that document.

      Expected may be load, block, unchanged, cookies stripped, cookies kept, https, redirect URL, \
      hide SELECTOR, show SELECTOR, with commas between them, each with by "URL-FILTER" or by rule \
      N for the rule behind it. hide means that the selector, compared as text, is among those that \
      the load hides; show means that it is not. A comment begins with # at the start of a line or \
      between spaces.

      \(LoadHelp.defaults)

      --coverage counts the rules that take part in the decisions: that act, cancel something or \
      are cancelled. A rule that hides counts if an expectation is about its selector.

      --record makes a test file of what the lists do today to the loads of a network log, or of a \
      page that is visited in Chromium, without a window and with a new profile.

      With --map, the reasons of failures name rules with the lines of the filters that they were \
      converted from, as in rule 413 (rules.json:415:1; easylist.txt:1204), and quote the filters; and \
      --coverage counts these lines, too: a line is exercised if one of its rules is.

      --format json writes one object: {"holds": true, false or null, "expectations", "failed", \
      "notTried", "filtered", "files": [{"file", "lists", "errors": [{"line"?, "column"?, \
      "message"}], "results": [{"line", "column", "text", "section"?, "url", "type", "page", "frame", \
      "holds", "outcome", "newURL"?, "failures"?: [{"claim", "column", "reason", "rules"?: [{"list", "rule", \
      "source"?}]}], \
      "reasons"?}]}], "coverage"?: [{"file", "rules", "exercised", "groups", "notExercised": \
      [{"rule", "line", "column", "action", "reason", "source"?}], "sourceLines"?: {"lines", "exercised", "notExercised": \
      [{"file", "line"}]}}]}. See Documentation/ListTests.md.

      Exit status: 0 all expectations hold; 1 one failed, or a list was refused; 2 wrong use, or \
      a file cannot be used, or there are no expectations.
      """
  )

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, junit, sarif, github
  }

  @Argument(help: "Test files; - is standard input.")
  var files: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "A rule list, as JSON or compiled, instead of those that the test files name; can be given "
        + "several times."
    )
  )
  var list: [String] = []

  @Option(help: ArgumentHelp("\(RuleSources.help)", valueName: "file"))
  var map: [String] = []

  @Option(
    help: "The output format; junit, sarif and github are for continuous-integration services."
  )
  var format: Format = .text

  @Option(help: "Try only expectations whose line or section contains this text.")
  var filter: String?

  @Flag(help: "Stop at the first expectation that fails.")
  var failFast = false

  @Flag(help: "Try again whenever a test file or a list changes, until ^C.")
  var watch = false

  @Flag(help: "Show how many rules the expectations exercise.")
  var coverage = false

  @Option(
    help: ArgumentHelp("Write the rules that are not exercised to a file.", valueName: "file")
  )
  var coverageFile: String?

  @Option(
    help: ArgumentHelp(
      "Instead of trying anything, write a test file from this network log (HAR), or from a visit "
        + "of this page.",
      valueName: "har|url"
    )
  )
  var record: String?

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp("With --record, the file to write.", valueName: "file")
  )
  var outputFile: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try OutputOption.requireName(outputFile, of: "-o")
    try OutputOption.requireName(coverageFile, of: "--coverage-file")
    if record != nil {
      guard files.isEmpty else {
        throw ValidationError("--record makes a test file and tries none; leave out \(files[0]).")
      }
      guard !list.isEmpty else {
        throw ValidationError("--record needs the lists whose decisions are recorded; give --list.")
      }
      if !map.isEmpty || watch || coverage
        || coverageFile != nil || filter != nil || failFast || format != .text
      {
        throw ValidationError("With --record, give only --list and --output.")
      }
      return
    }
    guard !files.isEmpty else {
      throw ValidationError("Give at least one test file, or --record with a network log.")
    }
    if outputFile != nil { throw ValidationError("--output belongs to --record; give that.") }
    if (files + list).count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Standard input (-) can be given only once.")
    }
    if map.contains("-") {
      throw ValidationError("A map is a file, and not standard input (-).")
    }
    if watch, files.contains("-") || list.contains("-") {
      throw ValidationError("Standard input (-) cannot be watched; give files.")
    }
    if watch, format != .text {
      throw ValidationError("--watch shows text; leave out --format.")
    }
    if filter?.isEmpty == true {
      throw ValidationError("--filter needs a text, such as a part of a URL.")
    }
  }

  func run() throws {
    if let record {
      return try ListTestRecording(log: record, lists: list, output: outputFile).write()
    }
    if let coverageFile { try OwnInputs(files + list + map).check(output: coverageFile) }
    var run = ListTestRun(
      paths: files,
      lists: list,
      maps: map,
      filter: filter,
      stopsAtFailure: failFast,
      countsCoverage: coverage || coverageFile != nil
    )
    guard watch else {
      let report = run.report()
      try write(report)
      return try report.status.finish()
    }
    var watch = ListTestWatch()
    while true {
      watch.clear()
      let report = run.report()
      watch.note(report.status)
      try write(report)
      watch.wait(run.watched)
    }
  }

  private func write(_ report: ListTestReport) throws {
    for file in report.files {
      for fault in file.faults {
        ConsoleMessage.error("\(file.name):\(fault.line):\(fault.column): \(fault.message)")
      }
      if let trouble = file.trouble, !file.isTroubleTold { ConsoleMessage.error(trouble) }
    }
    var out = OutputStream.standardOutput()
    switch format {
    case .text:
      if !report.hasTrouble {
        let writer = ListTestText(report: report, paint: output.paint, width: Terminal.width)
        try out.write(OutputText(painted: writer.text()))
      }
    case .json: try out.write(ListTestJSON(report: report).bytes())
    case .junit: try out.write(Array(ListTestJUnit(report: report).text().utf8))
    case .sarif: try out.write(ListTestSARIF.bytes(report))
    case .github: try out.write(OutputText(lines: ListTestAnnotations(report: report).text()))
    }
    try out.flush()
    if let coverageFile, let coverage = report.coverage {
      try OwnInputs(report.files.flatMap(\.lists)).refuse(coverageFile)
      let lines = coverage.flatMap { CoverageGap.all(of: $0).map { $0.line + "\n" } }
      try OutputFile.replace(coverageFile, with: Array(lines.joined().utf8))
    }
  }
}
