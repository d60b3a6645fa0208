import EngineComparison
import Foundation
import ReferenceMatcher
import Synchronization
import Testing

/// Compares the engine with the reference on generated lists and loads.
///
/// `TICKBIRD_CASES` says how many loads are decided, `TICKBIRD_SEED` where the seeds begin.
/// `Scripts/differential` does the same for ten million.
struct DifferentialTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// The seeds begin elsewhere on every day unless they are given.
  @Test func enginesAgreeOnGeneratedCases() {
    let wanted = Self.number("TICKBIRD_CASES") ?? 100_000
    let first = UInt64(Self.number("TICKBIRD_SEED") ?? Int(Date.now.timeIntervalSince1970) / 86_400)
    let start = ContinuousClock.now
    let run = Mutex(Run(nextSeed: first &* 1_000_000))
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      let differential = Differential.standard
      while let seed = run.withLock({ $0.take(until: wanted) }) {
        let (tried, disagreement) = differential.run(seed: seed)
        run.withLock { $0.note(tried, disagreement) }
      }
    }
    let result = run.withLock(\.self)
    for disagreement in result.disagreements { Issue.record("\(disagreement.json)") }
    print(
      "differential: \(result.cases) cases, \(result.disagreements.count) disagreements,",
      "TICKBIRD_SEED=\(first), \(ContinuousClock.now - start)"
    )
    #expect(result.cases >= wanted || !result.disagreements.isEmpty)
  }

  /// What all threads together have done.
  private struct Run {
    var nextSeed: UInt64
    var cases = 0
    var disagreements: [Disagreement] = []

    mutating func take(until limit: Int) -> UInt64? {
      guard cases < limit, disagreements.count < 5 else { return nil }
      defer { nextSeed += 1 }
      return nextSeed
    }

    mutating func note(_ tried: Int, _ disagreement: Disagreement?) {
      cases += tried
      if let disagreement { disagreements.append(disagreement) }
    }
  }

  /// The comparison is worth something only if it finds what is there to be found.
  @Test func differencesAreFoundAndReduced() throws {
    let differential = Differential(always: [ForgetfulEngine()])
    let found = try #require(
      (0..<200).lazy.compactMap { differential.run(seed: $0).disagreement }.first
    )
    #expect(found.comparison.lists.count == 1)
    #expect(found.comparison.lists[0].count == 1)
    #expect(found.comparison.loads.count == 1)
    #expect(found.json.contains("block-cookies"))
  }
}

/// The byte code, but cookies are never blocked.
private struct ForgetfulEngine: Engine {
  let name = "forgetful"

  func load(_ lists: [[UInt8]]) throws(EngineRefusal) -> any LoadedLists {
    ForgetfulLists(try ByteCodeEngine().load(lists))
  }
}

private final class ForgetfulLists: LoadedLists {
  let lists: any LoadedLists

  init(_ lists: any LoadedLists) { self.lists = lists }

  var globalSelectors: [String?] { lists.globalSelectors }

  func evaluate(_ load: ReferenceLoad) -> [ListOutcome] {
    lists.evaluate(load).map { outcome in
      var outcome = outcome
      outcome.actions.removeAll { $0.type == "block-cookies" }
      return outcome
    }
  }

  func rules(matching text: String) -> Set<Int> { lists.rules(matching: text) }
}
