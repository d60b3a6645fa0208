import ArgumentParser
import EngineComparison
import ReferenceMatcher
import TestSupport

/// Runs generated cases through WebKit and the engine.
struct WebKitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "webkit",
    abstract: "Compare the engine with WebKit on generated lists and pages.",
    discussion: """
      One case in eight is a page that WebKit loads with one or two lists; what it blocks, \
      upgrades, sends without cookies and hides is compared with the engine. All others are lists, \
      most of them damaged; whether WebKit accepts them, and its message, are compared with the \
      reader.
      """
  )

  @Option(help: "How many cases to try; each is a list or a page.")
  var cases = 16_000
  @Option(help: "The seed of the first case.")
  var seed: UInt64 = 1
  @Option(help: "How many disagreements to stop after.")
  var limit = 20

  func run() throws {
    let start = ContinuousClock.now
    var referee = try Referee(packageRoot: SharedData.packageRoot)
    var tally = Tally()
    var next = seed
    var batches = 0
    while tally.cases < cases, tally.disagreements < limit {
      // Before the referee renews its engine by itself, in the middle of the pages.
      batches += 1
      if batches % 10 == 0 {
        _ = referee.end()
        referee = try Referee(packageRoot: SharedData.packageRoot)
      }
      let count = UInt64(min(400, cases - tally.cases))
      guard tally.try(next..<next + count, referee) else { break }
      next += count
      report(
        "\(tally.cases) cases, \(tally.disagreements) disagreements, \(ContinuousClock.now - start)"
      )
    }
    let status = referee.end()
    if tally.cases == 0 && status == 77 { throw ExitCode(77) }
    say(
      "\(tally.cases) cases tried (seeds \(seed) to \(next - 1)): "
        + "\(tally.lists) lists, \(tally.excluded) more excluded; "
        + "\(tally.pages) pages with \(tally.verdicts) verdicts, \(tally.unseen) loads unseen; "
        + "\(tally.disagreements) disagreements; \(ContinuousClock.now - start)"
    )
    if tally.disagreements > 0 || status != 0 { throw ExitCode.failure }
  }
}

/// What has been compared so far.
private struct Tally {
  var cases = 0
  var lists = 0
  var excluded = 0
  var pages = 0
  var verdicts = 0
  var unseen = 0
  var disagreements = 0

  /// Tries some seeds; false when the referee has ended.
  mutating func `try`(_ seeds: Range<UInt64>, _ referee: Referee) -> Bool {
    var lists: [ListComparison] = []
    var pages: [PageComparison] = []
    var pageSeeds: [UInt64] = []
    for seed in seeds {
      if seed % 8 == 0 {
        guard let plan = PagePlan(seed: seed) else { continue }
        pages.append(PageComparison(plan))
        pageSeeds.append(seed)
      } else {
        lists.append(ListComparison(seed: seed))
      }
    }
    let requests = lists.map(\.request) + [Referee.firstPage] + pages.map(\.plan.request)
    let answers = referee.answers(to: requests)
    for (list, answer) in zip(lists, answers) { judge(list, answer) }
    for (index, answer) in answers.dropFirst(lists.count + 1).enumerated() {
      pages[index].compare(answer)
      judge(pages[index], pageSeeds[index], answer)
    }
    return answers.count == requests.count
  }

  private mutating func judge(_ list: ListComparison, _ answer: JSONValue) {
    cases += 1
    switch list.verdict(answer) {
    case .agreed: lists += 1
    case .excluded: excluded += 1
    case .disagreed(let text):
      lists += 1
      disagreements += 1
      say(text)
    }
  }

  private mutating func judge(_ page: PageComparison, _ seed: UInt64, _ answer: JSONValue) {
    cases += 1
    pages += 1
    verdicts += page.verdicts
    unseen += page.unseen
    guard !page.disagreements.isEmpty else { return }
    disagreements += 1
    say("page of seed \(seed):")
    for text in page.disagreements { say("  " + text) }
    say("  request: \(page.plan.request.text)")
    say("  answer: \(answer.text)")
  }
}
