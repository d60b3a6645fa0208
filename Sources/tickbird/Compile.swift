internal import ArgumentParser
internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import RuleCompiler
internal import TextOutput

struct Compile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Compiles rule lists to files that open without compiling.",
    discussion: """
      One file holds one list. With one list, -o names the file; with several, or when -o is a \
      folder, each list NAME.json (or NAME.json.gz) becomes NAME.tickbird in that folder. A file \
      is written completely or not at all; if a list is refused, an older file stays as it is.

      Every command that takes a list also takes a compiled one. For example:
        tickbird compile ads.json -o ads.tickbird
        tickbird compile lists/*.json -o compiled/

      Exit status: 0 all is well; 1 a list was refused; 2 wrong use, or a file cannot \
      be read or written.
      """
  )

  @Argument(help: "Lists to compile; - is standard input.")
  var lists: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write, or a folder that exists.", valueName: "file")
  )
  var output: String

  @Option(help: "The output format.")
  var format: TextFormat = .text

  func validate() throws {
    try OutputOption.requireName(output, of: "-o", naming: "a file or a folder")
    if lists.count > 1, !OutputFile.isFolder(output) {
      throw ValidationError(
        "-o must be a folder that exists when several lists are given, because one file holds one "
          + "list; create the folder \(output), or compile the lists one by one."
      )
    }
  }

  func run() throws {
    let places = try lists.map { try place(for: $0) }
    for (number, place) in places.enumerated() {
      if let other = places[..<number].firstIndex(of: place) {
        throw InputError(
          "\(lists[other]) and \(lists[number]) would both become \(place); compile them into "
            + "different folders"
        )
      }
    }
    var out = OutputStream.standardOutput()
    var status = ExitStatus.fine
    for (path, place) in zip(lists, places) {
      status = status | (try compile(path, to: place, &out))
    }
    try out.flush()
    try status.finish()
  }

  private func place(for list: String) throws -> String {
    guard OutputFile.isFolder(output) else { return output }
    guard list != "-" else {
      throw InputError("a list from standard input has no name; give -o a file instead of a folder")
    }
    var name = list.split(separator: "/").last.map(String.init) ?? list
    for suffix in [".gz", ".json", ".tickbird"] where name.hasSuffix(suffix) {
      name.removeLast(suffix.count)
    }
    return output + (output.hasSuffix("/") ? "" : "/") + name + ".tickbird"
  }

  private func compile(
    _ path: String,
    to place: String,
    _ out: inout OutputStream
  ) throws -> ExitStatus {
    var progress = Progress()
    defer { progress.end() }
    let source: ListFile.Source
    do throws(InputError) {
      progress.show("compiling \(path) …")
      source = try ListFile.source(path: path)
      // A list that another version has compiled may be compiled anew in its place.
      if !source.isCompiled { try OwnInputs(lists).refuse(place) }
    } catch {
      progress.end()
      ConsoleMessage.error(error.message)
      return .wrongUse
    }
    let result: (file: [UInt8], report: RuleListReport)
    do throws(RuleListError) {
      result = try ContentRuleList.compile(source.text)
    } catch {
      progress.end()
      tell(error, source)
      return .refused
    }
    try OutputFile.replace(place, with: result.file)
    progress.end()
    try out.write(message(source, place, result.file.count, result.report))
    return .fine
  }

  private func tell(_ error: RuleListError, _ source: ListFile.Source) {
    switch error {
    case .refused(let report): Lists.tell(refusal: report, source.name, source.text)
    case .exceedsLimits(let fault):
      ConsoleMessage.error(
        "\(source.name): \(fault.rule.map { "rule \($0): " } ?? "")\(fault.message)"
      )
    case .damaged: ConsoleMessage.error("\(source.name): \(error.message)")
    }
  }

  private func message(
    _ source: ListFile.Source,
    _ place: String,
    _ size: Int,
    _ report: RuleListReport
  ) -> [UInt8] {
    if format == .json {
      var json = JSONWriter()
      json.object { json in
        json.field("file", source.name)
        json.field("output", place)
        json.field("rules", report.ruleCount)
        json.field("skipped", report.skippedRules.count)
        json.field("bytes", size)
      }
      json.endLine()
      return json.bytes
    }
    let skipped =
      report.skippedRules.isEmpty ? "" : ", \(Shown.grouped(report.skippedRules.count)) skipped"
    let warnings = report.diagnostics.count { $0.severity == .warning }
    let hint =
      warnings == 0 ? "" : "; \(Shown.count(warnings, "warning")), see tickbird check"
    let text: OutputText =
      "\(path: source.name) -> \(path: place): \(Shown.count(report.ruleCount, "rule"))\(skipped), "
    return Array("\(text.text)\(Shown.count(size, "byte"))\(hint)\n".utf8)
  }
}
