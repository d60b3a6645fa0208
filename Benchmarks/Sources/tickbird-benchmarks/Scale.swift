internal import ArgumentParser
internal import ContentBlocking
internal import ContentRules
internal import Measuring
internal import RuleCompiler
internal import RuleMatching
internal import Workloads

/// Measures lists of the same shape and growing size.
struct Scale: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compiles generated lists of growing size and decides the same requests by each.",
    discussion: """
      WebKit refuses lists of more than 150,000 rules, and so does the reader. Larger lists are read \
      in pieces of at most as many, and their rules compiled as one list.
      """
  )

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("The sizes, in rules.", valueName: "n")
  )
  var rules = [11_000, 110_000, 1_100_000]

  @Option(help: "How to show the results.")
  var format = OutputFormat.text

  @Option(help: ArgumentHelp("How often to repeat each measurement.", valueName: "n"))
  var repeats = 5

  func run() throws { try report().write(format) }

  func report() throws -> Report<ScaleResult> {
    var results: [ScaleResult] = []
    for dialect in GeneratedList.Dialect.allCases {
      for count in rules {
        results.append(
          try ScaleResult(
            measuring: GeneratedList(dialect: dialect, ruleCount: count),
            repeats: repeats
          )
        )
      }
    }
    return Report(job: "scale, generated lists", results: results)
  }
}

/// The cost of a generated list of one size.
struct ScaleResult: Row {
  var list: String
  var rules: Int
  /// Milliseconds of reading and compiling.
  var milliseconds: Double
  /// Nanoseconds of that per rule.
  var perRule: Double
  /// Bytes of the compiled file, without the text.
  var file: Int
  /// Milliseconds of validating the compiled file.
  var check: Double
  /// The mean of a decision in nanoseconds; a third of the requests go to the list's hosts.
  var mean: Double
  /// The mean of an update of the page's state in nanoseconds.
  var update: Double
  var blocked: Int

  init(measuring generated: GeneratedList, repeats: Int) throws {
    let name = generated.name
    let count = generated.ruleCount
    let requests = GeneratedRequests.make(20_000, for: generated)
    let pieces = stride(from: 0, to: count, by: RuleListReader.ruleLimit).map {
      generated.json(rules: $0..<min(count, $0 + RuleListReader.ruleLimit))
    }
    var read: [Rule] = []
    let options = ContentRuleList.readingOptions()
    let reading = try Clock.threadCPU {
      for piece in pieces {
        let report = RuleListReader.read(piece, options: options)
        guard let part = report.ruleList else {
          throw InputFault("\(name): \(report.webKitError?.message ?? "refused")")
        }
        let start = read.count
        read += part.rules.map { rule in
          var rule = rule
          rule.index += start
          return rule
        }
      }
    }
    var bytes: [UInt8] = []
    let compiling = try Clock.threadCPU {
      do throws(CompileError) {
        var compilation = RuleListCompilation()
        for rule in read { try compilation.add(rule) }
        bytes = try compilation.finish(source: [], ruleCount: count)
      } catch {
        throw InputFault("\(name): \(error.message)")
      }
    }
    read = []
    list = name
    rules = count
    milliseconds = Double(reading + compiling) / 1e6
    perRule = Double(reading + compiling) / Double(max(1, rules))
    file = bytes.count
    var compiledList: CompiledRuleList?
    check =
      Double(try Clock.threadCPU { compiledList = try CompiledRuleList(validating: bytes) })
      / 1e6
    guard let compiledList else { throw InputFault("\(list) has no compiled form") }
    var decider = Decider(compiledList, requests)
    blocked = decider.pass()
    let times = decider.timedPasses(repeats)
    mean = times.decisions / Double(requests.count)
    update = times.updates / Double(max(1, decider.pageCount))
  }

  var cells: [(heading: String, text: String)] {
    [
      ("list", list), ("compile ms", milliseconds.short), ("ns a rule", perRule.short),
      ("file MB", file.megabytes), ("check ms", check.short), ("blocked", String(blocked)),
      ("decide ns", mean.short), ("update ns", update.short),
    ]
  }
}
