internal import ArgumentParser
internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ListAnalysis
internal import RuleCompiler
internal import TextOutput

struct Optimize: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "optimize",
    abstract: "Makes a list shorter without changing what it does to any load.",
    discussion: """
      Removes the rules that tickbird analyze proves superfluous, makes one rule of those that \
      differ only in their selectors, types or domains, where no exception stands between, and \
      writes url-filters in a spelling that WebKit compiles faster, where that means the same. The new \
      list is compared with the old one by the engine, on loads that each changed rule matches. For \
      example:

        tickbird optimize blockerList.json -o shorter.json

      --format json writes one object instead of the summary: {"before": {"rules", "skipped", \
      "bytes"}, "after": {"rules", "bytes"}, "removed": [{"rule", "code", "because", "text"}], \
      "respelled": […], "merged": [[…]], "loadsTried"}. Numbers are those of the list as it was given, from 0; in "merged" the \
      first rule takes in the others. Rules that WebKit skips are left out, and counted by "skipped".

      Exit status: 0 all is well, also if nothing can be shortened; 1 the list was refused, or no rule \
      would be left; 2 wrong use, or a file cannot be read or written.
      """
  )

  @Argument(help: "The list, as JSON or compiled; - is standard input.")
  var list: String

  @Option(name: .shortAndLong, help: "Where to write the new list; by default standard output.")
  var output: String?

  @Flag(help: "Only remove rules, and change none.")
  var keepRules = false

  @Option(help: "The format of the summary, which goes to standard error without -o.")
  var format: TextFormat = .text

  func validate() throws {
    try OutputOption.requireName(output, of: "-o")
    if output == nil, format == .json {
      throw ValidationError("--format json needs -o, since the list goes to standard output.")
    }
  }

  func run() throws {
    if let output { try OwnInputs([list]).check(output: output) }
    let read = try ReadList.read([list], isAnySize: true)[0]
    let progress = PhaseProgress()
    let outcome: ListOptimizer.Outcome
    do {
      outcome = try ListOptimizer(read.input, merges: !keepRules, tell: progress.tell).outcome()
      progress.end()
    } catch ListOptimizer.Failure.nothingLeft {
      progress.end()
      ConsoleMessage.error("\(read.source.name): no rule has any effect, and no list would be left")
      throw ExitStatus.refused
    } catch {
      progress.end()
      throw AuthoringError.failure(error, read)
    }
    try AuthoringOutput.write(outcome.text, to: output)
    if format == .json {
      var out = OutputStream.standardOutput()
      try out.write(json(outcome, read))
      try out.flush()
    } else {
      try AuthoringOutput.summary(summary(outcome, read), hasFile: output != nil)
    }
  }

  private func summary(_ outcome: ListOptimizer.Outcome, _ read: ReadList) -> String {
    let taken = outcome.merged.reduce(0) { $0 + $1.count - 1 }
    return "\(Shown.line(read.source.name)): "
      + "\(read.sizeWords) and \(Shown.count(read.source.text.count, "byte")) "
      + "before, \(Shown.grouped(outcome.ruleCount)) and \(Shown.grouped(outcome.text.count)) after; "
      + "\(Shown.grouped(outcome.removed.count)) removed, \(Shown.grouped(taken)) merged into others, "
      + "\(Shown.grouped(outcome.respelled.count)) spelled more cheaply; "
      + "compared on \(Shown.count(outcome.loadsTried, "load"))"
      + (SkippedRules.note([read]).map { "\n\($0)" } ?? "")
  }

  private func json(_ outcome: ListOptimizer.Outcome, _ read: ReadList) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("before") { json in
        json.object { json in
          json.field("rules", read.rules.count)
          json.field("skipped", read.skippedCount)
          json.field("bytes", read.source.text.count)
        }
      }
      json.field("after") { json in
        json.object { json in
          json.field("rules", outcome.ruleCount)
          json.field("bytes", outcome.text.count)
        }
      }
      json.field("removed") { json in
        json.array(of: outcome.removed) { json, finding in
          json.object { json in
            json.field("rule", finding.rule)
            json.field("code", finding.code.rawValue)
            json.field("because") { json in json.array(of: finding.because) { $0.number($1) } }
            json.field("text", finding.text)
          }
        }
      }
      json.field("respelled") { json in json.array(of: outcome.respelled) { $0.number($1) } }
      json.field("merged") { json in
        json.array(of: outcome.merged) { json, group in json.array(of: group) { $0.number($1) } }
      }
      json.field("loadsTried", outcome.loadsTried)
    }
    json.endLine()
    return json.bytes
  }
}
