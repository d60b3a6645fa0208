import CaseGenerators
import ContentBlocking
import EngineComparison
import Foundation
import ReferenceMatcher
import ResourceLoads
import RuleMatching
import Testing
import WebURL

/// Generated lists of all kinds; `TICKBIRD_SEED` says where the seeds begin.
@Suite("Generated lists")
struct GeneratedCaseTests {
  static let seeds: Range<UInt64> = {
    let named = ProcessInfo.processInfo.environment["TICKBIRD_SEED"].flatMap { UInt64($0) }
    let first = (named ?? 1) &* 1_000
    #if DEBUG
    return first..<first &+ 64
    #else
    return first..<first &+ 640
    #endif
  }()

  /// The lists and loads of a seed; `nil` when the lists are refused.
  private func makeCase(_ seed: UInt64) -> (lists: [ContentRuleList], loads: [ReferenceLoad])? {
    let made = ComparisonCase(seed: seed)
    let lists = made.texts.enumerated().map { number, text in
      try? ContentRuleList(identifier: String(number), encodedContentRuleList: text)
    }
    guard !lists.contains(where: { $0 == nil }) else { return nil }
    return (lists.compactMap(\.self), made.loads)
  }

  @Test("the quick outcome is the decision's, as long as nothing is permitted")
  func outcomeAgreesWithDecision() throws {
    var compared = 0
    for seed in Self.seeds {
      guard let (lists, loads) = makeCase(seed) else { continue }
      var quick = ContentBlocker(lists: lists)
      var full = ContentBlocker(lists: lists)
      for load in loads.compactMap(\.resourceLoad) {
        let outcome = quick.outcome(for: load)
        let decision = full.decision(for: load)
        #expect(outcome.isBlocked == decision.isBlocked, "seed \(seed), \(load)")
        #expect(outcome.blocksCookies == decision.blocksCookies, "seed \(seed), \(load)")
        let asked = decision.actions.contains { $0.kind == .makeHTTPS }
        #expect(outcome.makesHTTPS == asked, "seed \(seed), \(load)")
        compared += 1
      }
    }
    #expect(compared > 500)
  }

  @Test("a blocker that goes back and forth between pages decides like a fresh one")
  func interleavedPages() throws {
    var compared = 0
    for seed in Self.seeds where seed % 2 == 0 {
      guard let (lists, made) = makeCase(seed) else { continue }
      let loads = made.compactMap(\.resourceLoad)
      var kept = ContentBlocker(lists: lists)
      for step in 0..<loads.count * 2 {
        // Mixes in other loads' pages; then the same loads in reverse.
        var load = loads[step < loads.count ? step : 2 * loads.count - 1 - step]
        if step % 3 == 2 { load.topURL = loads[step % loads.count].topURL }
        if step % 5 == 4 { load.frameURL = loads[(step / 2) % loads.count].frameURL }
        var fresh = ContentBlocker(lists: lists)
        let expected = fresh.decision(for: load)
        let found = kept.decision(for: load)
        #expect(found.actions == expected.actions, "seed \(seed), step \(step)")
        #expect(found.lists == expected.lists, "seed \(seed), step \(step)")
        compared += 1
      }
    }
    #expect(compared > 500)
  }

  @Test("explanations name the rules that the reference finds, with what happened to them")
  func explanationsAgreeWithReference() throws {
    var compared = 0
    for seed in Self.seeds {
      let made = ComparisonCase(seed: seed)
      guard let found = try? ByteCodeEngine().load(made.texts) else { continue }
      let expected = try ReferenceEngine().load(made.texts)
      for load in made.loads {
        #expect(
          found.evaluate(load).map(\.fates) == expected.evaluate(load).map(\.fates),
          "seed \(seed), \(load)"
        )
        compared += 1
      }
    }
    #expect(compared > 500)
  }

  @Test("there is no reason against a rule exactly when the reference finds it")
  func reasonsAgreeWithReference() throws {
    var reasons: [String: Int] = [:]
    for seed in Self.seeds {
      let made = ComparisonCase(seed: seed)
      guard let reference = try? ReferenceEngine().load(made.texts) else { continue }
      let sources = made.texts.map { ListSource($0) }
      for reading in made.loads {
        guard let load = reading.resourceLoad, load.isChecked else { continue }
        for (source, outcome) in zip(sources, reference.evaluate(reading)) {
          for rule in 0..<source.ruleCount {
            let reason = NonMatch(rule: rule, of: source, load: load)
            #expect(
              (reason == .none) == (outcome.fates[rule] != nil),
              "seed \(seed), rule \(rule), \(reason), \(reading)"
            )
            reasons["\(reason)".prefix { $0 != "(" }.description, default: 0] += 1
          }
        }
      }
    }
    // Every reason occurs, except the two that generated lists and loads cannot have.
    #expect(
      reasons.keys.sorted() == [
        "conditionExcludes", "conditionUnmet", "globalSheet", "loadContext", "loadType",
        "methodWithCondition", "none", "requestMethod", "resourceType", "skipped", "urlFilter",
      ]
    )
  }

  @Test("the place of a match is found by the pattern, and only patterns for everything have none")
  func urlRanges() throws {
    var ranges = 0
    for seed in Self.seeds where seed % 3 == 0 {
      guard let (lists, loads) = makeCase(seed) else { continue }
      let sources = lists.map { ListSource($0.source) }
      var blocker = ContentBlocker(lists: lists)
      for load in loads.compactMap(\.resourceLoad) {
        for match in blocker.explanation(for: load, sources: sources).matches {
          guard let range = match.urlRange else { continue }
          #expect(range.upperBound <= load.url.utf8.count)
          ranges += 1
        }
      }
    }
    #expect(ranges > 100)
  }
}
