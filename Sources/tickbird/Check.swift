internal import ArgumentParser
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import TextOutput

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says what WebKit thinks of rule lists, and what is wrong with them.",
    discussion: """
      Every fault is shown with its place, not only the first as WebKit does. Of a compiled list \
      the source that it keeps is checked.

      JSON output is one object for each file, one a line: {"file", "accepted", "error": null or \
      {"code", "message"} with WebKit's name and text, "rules", "skipped", "diagnostics": \
      [{"severity", "code", "message", "reason"?, "rule", "path", "line", "column", "hint"?}]}. \
      A file that cannot be read has the error code "Unreadable".

      Exit status: 0 all lists are accepted without errors or warnings (notes do not count); \
      1 a list is refused or has warnings; 2 wrong use, or a file cannot be read.
      """
  )

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif
  }

  @Argument(help: "Lists to check; - is standard input.")
  var lists: [String]

  @Option(help: "How to write what was found; sarif is for code-scanning services.")
  var format: Format = .text

  @Option(
    help: ArgumentHelp(
      "Warn of what this engine does not know yet: a WebKitGTK version such as 2.46, or a month "
        + "such as 2025-04.",
      valueName: "release"
    )
  )
  var target: TargetRelease?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if lists.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Standard input (-) can be given once only.")
    }
  }

  func run() throws {
    var out = OutputStream.standardOutput()
    var log = SARIFLog()
    var status = ExitStatus.fine
    var progress = Progress()
    for path in lists {
      do {
        progress.show("checking \(path) …")
        let source = try ListFile.source(path: path)
        let report = RuleListReader.read(
          source.text,
          options: ContentRuleList.readingOptions(target: target?.release)
        )
        progress.end()
        status = status | Self.status(of: report)
        try write(report, source, to: &out, &log)
      } catch let error as InputError {
        progress.end()
        Report.error(error.message)
        status = .wrongUse
        try write(unreadable: path, error.message, to: &out, &log)
      }
    }
    if format == .sarif { try out.write(log.json()) }
    try out.flush()
    try status.finish()
  }

  private static func status(of report: RuleListReport) -> ExitStatus {
    report.isAccepted && report.diagnostics.allSatisfy { $0.severity == .note }
      ? .fine : .refused
  }

  private func write(
    _ report: RuleListReport,
    _ source: ListFile.Source,
    to out: inout OutputStream,
    _ log: inout SARIFLog
  ) throws {
    switch format {
    case .text:
      let renderer = DiagnosticRenderer(
        fileName: source.name,
        usesColor: output.paint.isOn,
        lineWidth: Terminal.width - 12
      )
      if source.isCompiled {
        try out.write("\(path: source.name) is compiled; this is about the source that it keeps\n")
      }
      try out.write(OutputText(painted: renderer.render(report, in: source.text.span)))
    case .json:
      var json = JSONWriter()
      json.report(report, file: source.name)
      json.endLine()
      try out.write(json.bytes)
    case .sarif: log.add(report, file: source.name, text: source.text.span)
    }
  }

  private func write(
    unreadable path: String,
    _ message: String,
    to out: inout OutputStream,
    _ log: inout SARIFLog
  ) throws {
    switch format {
    case .text: break
    case .json:
      var json = JSONWriter()
      json.unreadable(file: path == "-" ? "standard input" : path, message: message)
      json.endLine()
      try out.write(json.bytes)
    case .sarif: log.addUnreadable(file: path, message: message)
    }
  }
}

/// An engine release as it is given on the command line.
struct TargetRelease: ExpressibleByArgument {
  let release: EngineRelease

  init?(argument: String) {
    let text = argument.lowercased()
    let version =
      text.hasPrefix("webkitgtk") ? text.dropFirst(9).drop { $0 == "-" || $0 == " " } : text[...]
    if let named = EngineRelease.named.first(where: { $0.name?.hasSuffix(" " + version) == true }) {
      release = named
      return
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let year = parts[0], let month = parts[1],
      (2015...2100).contains(year), (1...12).contains(month)
    else { return nil }
    release = EngineRelease(year: year, month: month)
  }

  static var allValueStrings: [String] {
    EngineRelease.named.compactMap { $0.name?.split(separator: " ").last.map(String.init) }
      + ["YYYY-MM"]
  }
}
