internal import ArgumentParser
internal import Measuring
internal import RuleMatching
internal import Workloads

/// Measures decisions when the URL and the page's state are at hand.
struct Decide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times decisions: URL as serialised, page state at hand."
  )

  @OptionGroup var inputs: Inputs

  func run() throws {
    let report = try Self.report(inputs)
    try report.write(inputs.format)
    if report.results.contains(where: { ($0.wrong ?? 0) > 0 }) { throw ExitCode.failure }
  }

  static func report(_ inputs: Inputs) throws -> Report<DecideResult> {
    var results: [DecideResult] = []
    try inputs.forEachSubject {
      results.append(try DecideResult(measuring: $0, repeats: inputs.repeats))
    }
    return Report(job: "decide, nanoseconds a request", results: results)
  }
}

/// The cost of decisions by one list, in nanoseconds.
struct DecideResult: Row {
  var list: String
  var rules: Int
  var log: String
  var requests: Int
  var blocked: Int
  /// The number of wrong decisions; `nil` if the right ones are unknown.
  var wrong: Int?
  /// The mean of a decision: the median of whole passes.
  var mean: Double
  /// The distribution over requests timed alone, each the median of passes.
  var each: Distribution
  /// The mean of an update of the page's state.
  var update: Double
  /// The number of requests that begin a page.
  var updates: Int
  /// The mean of a decision together with its share of the page's updates.
  var meanWithUpdates: Double
  /// The allocations of a pass through the log, page updates included, once warm.
  var allocations: Int

  init(measuring subject: Subject, repeats: Int) throws {
    let list = try compiled(subject.text, name: subject.name)
    var decider = Decider(list, subject.requests)
    self.list = subject.name
    rules = Int(list.info.ruleCount)
    log = subject.log
    requests = subject.requests.count
    wrong = subject.expected.map { expected in
      let answers = decider.answers()
      return zip(answers, expected).count { $0 != $1 } + abs(answers.count - expected.count)
    }
    blocked = decider.pass()
    var blockedAgain = 0
    allocations = Counting.allocations { blockedAgain = decider.pass() }
    if blockedAgain != blocked { throw InputFault("\(list): two passes decide differently") }
    updates = decider.pageCount

    let times = decider.timedPasses(repeats)
    var spans: [[UInt32]] = []
    for _ in 0..<repeats {
      var pass: [UInt32] = []
      pass.reserveCapacity(requests)
      decider.timeEach(&pass)
      spans.append(pass)
    }
    let count = Double(max(1, requests))
    mean = times.decisions / count
    meanWithUpdates = (times.decisions + times.updates) / count
    update = times.updates / Double(max(1, updates))
    each = Distribution(medians(ofPasses: spans))
  }

  var cells: [(heading: String, text: String)] {
    [
      ("list", list), ("rules", String(rules)), ("log", log), ("blocked", String(blocked)),
      ("wrong", wrong.map { String($0) } ?? "?"), ("mean", mean.short), ("p50", each.p50.short),
      ("p90", each.p90.short), ("p99", each.p99.short), ("max", each.max.short),
      ("update", update.short), ("mean+updates", meanWithUpdates.short),
      ("allocations", String(allocations)),
    ]
  }
}
