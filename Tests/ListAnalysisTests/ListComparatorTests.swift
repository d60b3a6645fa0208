import CaseGenerators
import ContentBlocking
import ContentRules
import EngineComparison
import ListAnalysis
import ReferenceMatcher
import TestSupport
import Testing

@Suite struct ListComparatorTests {
  private func comparison(_ old: [String], _ new: [String]) throws -> Comparison {
    var comparator = try ListComparator(old: input(old), new: input(new))
    return try comparator.comparison()
  }

  private func input(_ rules: [String]) throws -> ListInput { try #require(ListInput(rules)) }

  private func rule(_ filter: String, _ keys: String = "", _ action: String = "block") -> String {
    #"{"trigger":{"url-filter":\#(JSONValue.string(filter).text)\#(keys)},"action":{"type":"\#(action)"}}"#
  }

  private func kinds(_ comparison: Comparison) -> [String] {
    comparison.changes.map {
      "\($0.kind.rawValue) \($0.old.map(String.init) ?? "-") \($0.new.map(String.init) ?? "-")"
        + ($0.witness == nil ? "" : " !")
    }
  }

  @Test func sameText() throws {
    let list = [rule("/a"), rule("/b")]
    let found = try comparison(list, list)
    #expect(found.isEqual == true)
    #expect(found.changes.isEmpty)
  }

  @Test func kindsOfChanges() throws {
    let found = try comparison(
      [
        rule("/a/"), rule("/gone/"), rule("/w/", #","resource-type":["script"]"#),
        rule("/n/", #","if-domain":["a.test","b.test"]"#), rule("^https?://r/"),
        rule("/c/", #","if-domain":["a.test"]"#),
      ],
      [
        rule("/a/"), rule("/w/", #","resource-type":["script","image"]"#),
        rule("/n/", #","if-domain":["a.test"]"#), rule("^http[s]?://r/"),
        rule("/c/", #","if-domain":["b.test"]"#), rule("/new/"),
      ]
    )
    #expect(
      kinds(found) == [
        "wider 2 1 !", "narrower 3 2 !", "reworded 4 3", "changed 5 4 !", "added - 5 !",
        "removed 1 - !",
      ]
    )
    #expect(found.isEqual == false)
    for change in found.changes {
      guard let witness = change.witness else { continue }
      #expect(!witness.difference.changes.isEmpty)
    }
  }

  @Test func movedPastException() throws {
    let (block, other) = (rule("/ads/"), rule("/other/"))
    let exception = rule("/ads/ours/", "", "ignore-previous-rules")
    let found = try comparison([block, exception, other], [exception, block, other])
    #expect(found.isEqual == false)
    #expect(found.changes.map(\.kind) == [.moved])
    let free = try comparison([block, other, exception], [other, block, exception])
    #expect(free.isEqual == true)
    #expect(free.changes.map(\.kind) == [.moved])
  }

  /// An exception's report is cancelled by the next exception, if both match a load.
  @Test func movedReports() throws {
    func reported(_ filter: String, _ number: Int) -> String {
      rule(filter, "", "ignore-previous-rules").dropLast() + #","_identifier":\#(number)}"#
    }
    let (host, file) = (reported("^https?://foo\\.test/", 1), reported("qux$", 2))
    let found = try comparison([rule("/a"), host, file], [rule("/a"), file, host])
    #expect(found.isEqual != true)
    let apart = reported("^https?://bar\\.test/", 2)
    let free = try comparison([rule("/a"), host, apart], [rule("/a"), apart, host])
    #expect(free.isEqual == true)
    let other = reported("^https?://foo\\.test/", 3)
    let renamed = try comparison([rule("/a"), host], [rule("/a"), other])
    #expect(renamed.isEqual == false)
    #expect(renamed.changes.map(\.kind) == [.changed])
  }

  @Test func provedEqual() throws {
    let found = try comparison(
      [rule("/ads/"), rule("/ads/banner"), rule("/x/")],
      [rule("/ads/"), rule("/x/"), rule("/x/", #","load-type":["third-party"]"#)]
    )
    #expect(found.isEqual == true)
    #expect(Set(found.changes.map(\.kind)) == [.added, .removed])
  }

  @Test func hiddenBehindOtherRules() throws {
    // Most loads of the removed rule are blocked by others.
    let found = try comparison(
      [rule("/ads/"), rule("ads"), rule("^https://a/")],
      [rule("/ads/x"), rule("^https://a/")]
    )
    #expect(found.isEqual == false)
    #expect(found.changes.allSatisfy { $0.kind != .reworded })
    #expect(found.changes.contains { $0.kind == .removed && $0.witness != nil })
  }

  /// Lists that are called equal decide all loads alike; every witness is one.
  @Test(arguments: [CaseOptions(), .ignoring, .hiding])
  func generated(options: CaseOptions) throws {
    var options = options
    options.repetition = 50
    options.ruleCount = 2...8
    options.loadCount = 40
    let generator = CaseGenerator(options: options)
    var (equal, different) = (0, 0)
    for number in 0..<(100 * Effort.factor) {
      let seed = Effort.seed &* 6_271 &+ UInt64(number)
      let made = generator.makeCase(seed: seed)
      var random = RandomSource(seed: seed)
      let old = made.rules.map(\.text)
      var new = old
      switch random.number(below: 4) {
      case 0: new.swapAt(random.number(below: new.count), random.number(below: new.count))
      case 1: new.append(random.pick(new))
      case 2 where new.count > 1: new.remove(at: random.number(below: new.count))
      default: new.insert(random.pick(new), at: random.number(below: new.count))
      }
      guard let before = ListInput(old), let after = ListInput(new), !after.rules.isEmpty else {
        continue
      }
      var comparator = try ListComparator(old: before, new: after)
      let found = try comparator.comparison()
      if found.isEqual == false { different += 1 }
      guard found.isEqual == true else { continue }
      equal += 1
      var confirmation = Confirmation(
        before: try ContentRuleList(identifier: "old", encodedContentRuleList: before.text),
        after: try ContentRuleList(identifier: "new", encodedContentRuleList: after.text)
      )
      for load in made.loads {
        guard let load = load.possible?.resourceLoad else { continue }
        let agrees = confirmation.agrees(on: load)
        #expect(
          agrees,
          "seed \(seed): \(load)\n\(old.joined(separator: "\n"))\n\n\(new.joined(separator: "\n"))"
        )
        if !agrees { return }
      }
    }
    #expect(equal > 5 && different > 5)
  }
}
