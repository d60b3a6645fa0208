import Testing

@testable import RuleCompiler

@Suite("Which grams lead to filters")
struct GramPlanTests {
  private func run(_ text: String) -> [LiteralRun] { [LiteralRun(text: Array(text.utf8))] }

  @Test("a filter is looked for by what few others have")
  func crowded() throws {
    let others = Array(repeating: run("qzxjqzxj"), count: 20)
    let plan = GramPlan(runs: others + [run("qzxjqzxjwkvyqkzwx")])
    let window = try #require(plan.windows.last ?? nil)
    // Behind the last of the grams that the others have.
    #expect(window.start >= 5)
  }

  @Test("a single filter has a gram for each place of its window")
  func single() {
    let plan = GramPlan(runs: [run("qzxjqzxjwkvyqkzwx")])
    #expect(plan.stride > 0 && plan.entries.count == plan.stride)
  }

  @Test("short literals have more grams than places, and none is lost")
  func short() {
    let runs = (0..<2_000).map { run("q\($0 + 1_000)") }
    let plan = GramPlan(runs: runs)
    #expect(plan.windows.count == runs.count && !plan.windows.contains { $0 == nil })
    #expect(plan.entries.count >= runs.count * plan.stride)
    #expect(Set(plan.entries.map(\.filter)).count == runs.count)
  }
}
