import TestSupport
import Testing

@testable import RuleCompiler
@testable import RuleMatching

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

  /// Runs whose windows lie inside of them, reach beyond either end, or would, and others that make the plan choose
  /// a stride.
  private func plan(stride: Int) throws -> GramPlan {
    let others = fourLetterTexts([15_000, 11_000, 0, 0][stride - 1]).map { run($0) }
    let shortest = max(4, stride + 1)
    let several: [UInt8] = Array("stuy".utf8)
    let runs = (shortest...12).flatMap { length in
      let text = String("hqzxjwkvyqkz".prefix(length))
      return [run(text)]
        + [[1], [1, 2], [1, 2, 3], [0, length - 1], [length - 1], [length - 2, length - 1]].map {
          places in
          var run = LiteralRun(text: Array(text.utf8))
          for place in places { run.several[place] = several }
          return [run]
        }
    }
    let plan = GramPlan(runs: runs + others)
    try #require(plan.stride == stride)
    return plan
  }

  @Test("a literal's window is met wherever it stands in a URL", arguments: 1...4)
  func met(stride: Int) throws {
    let plan = try plan(stride: stride)
    for case let window? in plan.windows {
      for place in 0..<3 * stride {
        let grams = place + window.start..<place + window.start + stride
        // The scanner looks at each place that the stride divides, from the URL's first one on.
        #expect(grams.contains { $0 >= 0 && $0.isMultiple(of: stride) }, "\(window.start) \(place)")
      }
    }
  }

  /// How many gram places of a plan's texts are admitted, and how many are with other bytes next to them.
  private func admitted(
    _ plan: GramPlan,
    _ random: inout RandomSource
  ) -> (places: Int, admitted: Int, others: Int) {
    let table = GramTable(plan, filterOffsets: plan.windows.map { _ in 0 })
    let buckets = table.buckets.map { GramBucket($0) }
    var counts = (places: 0, admitted: 0, others: 0)
    func anyByte() -> UInt8 {
      let byte = UInt8.random(in: 0...127, using: &random)
      // A folded URL has no capital letter.
      return 65...90 ~= byte ? byte + 32 : byte
    }
    for case let window? in plan.windows {
      let run = window.run
      let text = run.text.indices.map { run.characters(at: $0).randomElement(using: &random) ?? 0 }
      let url = (0..<4).map { _ in anyByte() } + text + (0..<4).map { _ in anyByte() }
      for offset in 0..<plan.stride {
        let place = 4 + window.start + offset
        let gram = (0..<4).reduce(UInt32(0)) { $0 | UInt32(url[place + $1]) << UInt32(8 * $1) }
        let hash = FilterIndex.hash(gram: gram)
        let bucket = buckets[FilterIndex.firstSlot(hash, slots: buckets.count - 1)]
        counts.places += 1
        if bucket.admits(previous: url[place - 1], next: url[place + 4]) { counts.admitted += 1 }
        if bucket.admits(previous: anyByte(), next: anyByte()) { counts.others += 1 }
      }
    }
    return counts
  }

  @Test("a bucket admits its filters' texts, whatever stands around them", arguments: 1...4)
  func neighbours(stride: Int) throws {
    var random = RandomSource(seed: UInt64(stride) &+ Effort.seed)
    let counts = admitted(try plan(stride: stride), &random)
    #expect(counts.places > 40 && counts.admitted == counts.places)
  }

  @Test("a bucket dismisses most grams with other bytes next to them")
  func strangers() {
    var random = RandomSource(seed: Effort.seed)
    let letters = Array("abcdefghijklmnopqrstuvwxyz-/.".utf8)
    let runs = (0..<3_000).map { _ in
      [LiteralRun(text: (0..<10).map { _ in letters.randomElement(using: &random) ?? 0 })]
    }
    let counts = admitted(GramPlan(runs: runs), &random)
    #expect(counts.places >= 3_000 && counts.admitted == counts.places)
    #expect(counts.others < counts.places / 3, "\(counts.others) of \(counts.places)")
  }
}
