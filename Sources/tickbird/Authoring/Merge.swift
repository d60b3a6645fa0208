internal import ArgumentParser
internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import ContentRules
internal import ListAnalysis
internal import TextOutput

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Joins lists to one that does what they do together.",
    discussion: """
      Lists do not see each other's exceptions; in one list they would. Exceptions that all lists \
      have are joined. Every other exception must be proved to meet no rule of another list that it \
      would cancel; if that fails, the two rules are named, and nothing is written. Try the lists in \
      another order then. For example:

        tickbird merge part-1.json part-2.json -o whole.json

      --format json writes one object: {"lists", "rules", "skipped", "bytes", \
      "joinedExceptions"}; rules that WebKit skips are left out, and counted by "skipped".

      Exit status: 0 all is well; 1 a list was refused, or the lists cannot be joined; 2 wrong use, or a \
      file cannot be read or written.
      """
  )

  @Argument(help: "The lists, as JSON or compiled; - is standard input.")
  var lists: [String]

  @Option(name: .shortAndLong, help: "Where to write the new list; by default standard output.")
  var output: String?

  @Option(help: "The format of the summary, which goes to standard error without -o.")
  var format: TextFormat = .text

  func validate() throws {
    try OutputOption.requireName(output, of: "-o")
    if output == nil, format == .json {
      throw ValidationError("--format json needs -o, since the list goes to standard output.")
    }
  }

  func run() throws {
    try ReadList.checkStandardInput(lists)
    if let output { try OwnInputs(lists).check(output: output) }
    let read = try ReadList.read(lists)
    var progress = Progress()
    progress.show("comparing exceptions …")
    let merger = ListMerger(read.map(\.input))
    let outcome: ListMerger.Outcome
    do throws(ListMerger.Failure) {
      outcome = try merger.outcome()
      progress.end()
    } catch {
      progress.end()
      let note =
        merger.hasGivenUp ? " (not all was compared, since that would have taken too long)" : ""
      ConsoleMessage.error(message(error, read) + note)
      throw ExitStatus.refused
    }
    try AuthoringOutput.write(outcome.text, to: output)
    guard format == .json else {
      let joined = outcome.joinedExceptions
      return try AuthoringOutput.summary(
        "\(Shown.count(read.count, "list")) joined: \(Shown.count(outcome.ruleCount, "rule")), "
          + "\(Shown.count(outcome.text.count, "byte"))"
          + (joined > 0 ? "; \(Shown.count(joined, "exception")) of several lists once" : "")
          + (SkippedRules.note(read).map { "\n\($0)" } ?? ""),
        hasFile: output != nil
      )
    }
    var json = JSONWriter()
    json.object { json in
      json.field("lists", read.count)
      json.field("rules", outcome.ruleCount)
      json.field("skipped", read.reduce(0) { $0 + $1.skippedCount })
      json.field("bytes", outcome.text.count)
      json.field("joinedExceptions", outcome.joinedExceptions)
    }
    json.endLine()
    var out = OutputStream.standardOutput()
    try out.write(json.bytes)
    try out.flush()
  }

  private func message(_ failure: ListMerger.Failure, _ read: [ReadList]) -> String {
    func name(_ place: ListMerger.Place) -> String {
      read[place.list].label(ofRule: place.rule)
    }
    switch failure {
    case .exceptionMeets(let exception, let rule):
      return
        "\(name(exception)) is an exception, which acts on its own list alone; in one list it might "
        + "cancel \(name(rule)) as well; give the lists in another order, or leave them apart"
    case .globalSheet(let rule):
      return "\(name(rule)) hides on every page, and would be subject to the exceptions of another "
        + "list before it; give its list first, or leave the lists apart"
    case .redirect(let rule):
      return
        "\(name(rule)) redirects, changes headers or notifies, and such rules of several lists would "
        + "affect each other; leave the lists apart"
    case .tooMany(let count):
      return "the joined list would have \(Shown.grouped(count)) rules, and WebKit takes at most "
        + "\(Shown.grouped(RuleListReader.ruleLimit)); leave the lists apart"
    }
  }
}
