import EngineComparison
import Foundation
import ReferenceMatcher
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
    #if DEBUG
    let usual = 20_000
    #else
    let usual = 100_000
    #endif
    let wanted = Self.number("TICKBIRD_CASES") ?? usual
    let first = UInt64(Self.number("TICKBIRD_SEED") ?? Int(Date.now.timeIntervalSince1970) / 86_400)
    let start = ContinuousClock.now
    let differential = Differential.standard
    var cases = 0
    var disagreements = 0
    var seed = first &* 1_000_000
    while cases < wanted, disagreements < 5 {
      let (tried, disagreement) = differential.run(seed: seed)
      cases += tried
      seed &+= 1
      if let disagreement {
        disagreements += 1
        Issue.record("\(disagreement.json)")
      }
    }
    print(
      "differential: \(cases) cases, \(disagreements) disagreements,",
      "TICKBIRD_SEED=\(first), \(ContinuousClock.now - start)"
    )
    #expect(cases >= wanted || disagreements > 0)
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
