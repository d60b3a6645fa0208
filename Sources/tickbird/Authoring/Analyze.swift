internal import ArgumentParser
internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ListAnalysis
internal import RuleCompiler
internal import TextOutput

struct Analyze: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Finds rules that can never act, or that others make superfluous, and proves it.",
    discussion: """
      Each finding holds for every load that a browser can make: patterns are compared by their \
      automata, exceptions and their order are taken into account, and each removal is tried with \
      the engine. What is not found may still be superfluous.

        tickbird analyze blockerList.json

      Codes: never-matches (no URL matches), contradiction (its conditions exclude each other), \
      shadowed (others leave it nothing to do), always-cancelled (an exception behind it cancels \
      it), cancels-nothing (an exception with nothing to cancel), redundant (others do the same; of \
      two equal rules the later one), same-pattern (another spelling of an earlier rule's pattern), \
      costly (WebKit compiles another spelling faster that means the same).

      --format json writes one object: {"file", "rules", "skipped", "removable", "loadsTried", "givenUp", \
      "findings": [{"rule", "code", "because", "text", "line", "column", "removable"}], "groups": \
      [{"form", "action", "rules", "first", "bytes", "compiledBytes", "webkitFactor", "webkitRules", "cheaper": \
      {"rules", "spelling"}|null, "compileSeconds", "matchSeconds"}]}. Rules count from 0, \
      lines and columns from 1, columns in bytes; "because" has the numbers of the rules that are \
      the reason, "givenUp" the comparisons that would have cost too much, "skipped" the rules \
      that WebKit skips, which are not among "rules". With --map the findings have \
      "source": [{"file", "line"}], the filters' lines that the rule was converted from, and \
      "becauseSources", those of each rule of "because". All removable rules can be removed together: \
      tickbird optimize does so.

      Groups are the rules with the same form of pattern and the same action: their bytes as JSON and \
      compiled alone, and how long WebKit compiles such patterns compared with host-anchor \
      (webkitFactor; null where that depends on the patterns), as a number of rules of that form \
      (webkitRules). --costs adds the seconds that compiling the group and deciding a load by it \
      take on this machine.

      Exit status: 0 all rules are of use; 1 there are findings, or the list was refused; 2 wrong \
      use, or a file cannot be read.
      """
  )

  @Argument(help: "The list, as JSON or compiled; - is standard input.")
  var list: String

  @Option(help: ArgumentHelp("\(RuleSources.help)", valueName: "file"))
  var map: String?

  @Option(help: "Report these findings alone; can be given several times.")
  var only: [ListFinding.Code] = []

  @Option(help: "The most findings of each code that text shows; 0 for all.")
  var limit = 20

  @Flag(help: "Also measure what each group of rules costs on this machine.")
  var costs = false

  @Option(help: "The format of the output.")
  var format: TextFormat = .text

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more.") }
    if map == "-" { throw ValidationError("A map is a file, and not standard input (-).") }
  }

  func run() throws {
    let read = try ReadList.read([list], isAnySize: true)[0]
    let origins = try read.origins(map)
    let progress = PhaseProgress()
    var findings: [ListFinding]
    let tried: Int
    let givenUp: Int
    let groups: [CostGroup]
    do {
      var analyzer = try RuleAnalyzer(read.rules, tell: progress.tell)
      (findings, tried) = try analyzer.confirmed(analyzer.findings(), in: read.source.text)
      givenUp = analyzer.givenUp
      groups = try analyzer.costs(measures: costs)
      progress.end()
    } catch let error as CompileError {
      throw AuthoringError.tooLarge(read, error)
    } catch let error as RuleListError {
      throw InputError("\(read.source.name): \(error.message)")
    }
    if !only.isEmpty { findings.removeAll { !only.contains($0.code) } }
    var out = OutputStream.standardOutput()
    let writer = FindingWriter(
      read: read,
      origins: origins,
      findings: findings,
      groups: GroupWriter(groups: groups),
      loadsTried: tried,
      givenUp: givenUp
    )
    switch format {
    case .json: try out.write(writer.json())
    case .text:
      try out.write(OutputText(painted: writer.text(output.paint, limit: limit)))
    }
    try out.flush()
    try (findings.isEmpty ? ExitStatus.fine : .refused).finish()
  }
}

extension ListFinding.Code: ExpressibleByArgument {}
