import CaseGenerators
import ContentBlocking
import ContentRules
import EngineComparison
import ListAnalysis
import ReferenceMatcher
import ResourceLoads
import TestSupport
import Testing

@Suite struct RewritingTests {
  private func input(_ text: String) throws -> ListInput { try #require(ListInput(text)) }

  private func input(_ rules: [String]) throws -> ListInput { try #require(ListInput(rules)) }

  private func rule(_ filter: String, _ keys: String = "", _ action: String = "block") -> String {
    #"{"trigger":{"url-filter":\#(JSONValue.string(filter).text)\#(keys)},"action":{"type":"\#(action)"}}"#
  }

  private func hiding(_ selector: String, _ keys: String) -> String {
    #"{"trigger":{"url-filter":".*"\#(keys)},"action":{"type":"css-display-none","selector":"\#(selector)"}}"#
  }

  private func optimized(_ rules: [String]) throws -> ListOptimizer.Outcome {
    try ListOptimizer(input(rules), merges: true) { _, _, _ in }.outcome()
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func merged() throws {
    let rules = [
      hiding(".a", #","if-domain":["x.test"]"#), hiding(".b", #","if-domain":["x.test"]"#),
      rule("/t/", #","resource-type":["image"]"#), rule("/t/", #","resource-type":["script"]"#),
      rule("/d/", #","if-domain":["x.test"]"#), rule("/d/", #","if-domain":["y.test"]"#),
      rule("/gone/sub/"), rule("/gone/"),
    ]
    let outcome = try optimized(rules)
    #expect(outcome.ruleCount == 4)
    #expect(outcome.removed.map(\.rule) == [6])
    #expect(outcome.merged == [[0, 1], [2, 3], [4, 5]])
    let made = text(outcome.text)
    #expect(made.contains(#""selector":".a, .b""#))
    #expect(made.contains(#""resource-type":["image","script"]"#))
    #expect(made.contains(#""if-domain":["x.test","y.test"]"#))
    var comparator = try ListComparator(old: input(rules), new: input(made))
    #expect(try comparator.comparison().isEqual == true)
  }

  @Test func notMergedPastExceptions() throws {
    let outcome = try optimized([
      rule("/d/", #","if-domain":["x.test"]"#), rule("/d/ours/", "", "ignore-previous-rules"),
      rule("/d/", #","if-domain":["y.test"]"#),
    ])
    #expect(outcome.merged.isEmpty)
    #expect(outcome.ruleCount == 3)
  }

  @Test func cheaperSpelling() throws {
    let before = #"^[htpsw]+:\/\/([a-z0-9-]+\.)?shop\.test([\/:&\?].*)?$"#
    let other = #"^https?://a([^/].*)?$"#
    let outcome = try optimized([rule(before, #","load-type":["third-party"]"#), rule(other)])
    #expect(outcome.respelled == [0])
    let made = try input(text(outcome.text))
    let filter = made.rules[0].trigger.urlFilter.text
    #expect(filter == #"^[htpsw]+:\/\/([a-z0-9-]+\.)?shop\.test[\0\/:&\?]"#)
    #expect(made.rules[1].trigger.urlFilter.text == other)
    var comparator = try ListComparator(
      old: input([rule(before, #","load-type":["third-party"]"#), rule(other)]),
      new: made
    )
    #expect(try comparator.comparison().isEqual == true)
  }

  @Test func nothingLeft() throws {
    #expect(throws: ListOptimizer.Failure.self) {
      _ = try optimized([rule("^https://[^/@]+:443/")])
    }
  }

  /// Optimised and cut lists do to all loads what the list did.
  @Test(arguments: [CaseOptions(), .ignoring, .hiding])
  func generated(options: CaseOptions) throws {
    var options = options
    options.repetition = 60
    options.ruleCount = 5...16
    options.loadCount = 50
    let generator = CaseGenerator(options: options)
    var (shorter, cut) = (0, 0)
    for number in 0..<(80 * Effort.factor) {
      let made = generator.makeCase(seed: Effort.seed &* 9_173 &+ UInt64(number))
      guard let list = ListInput(made.jsonText), !list.rules.isEmpty else { continue }
      let whole = EffectsDecider(
        try ContentRuleList(identifier: "whole", rules: list.rules, source: list.text)
      )
      var others: [(String, EffectsDecider)] = []
      if let outcome = try? ListOptimizer(list, merges: true, tell: { _, _, _ in }).outcome() {
        if !outcome.removed.isEmpty || !outcome.merged.isEmpty { shorter += 1 }
        let optimized = try ContentRuleList(
          identifier: "shorter",
          encodedContentRuleList: outcome.text
        )
        others.append(("optimized", EffectsDecider(optimized)))
      }
      let limit = max(2, list.rules.count / 2)
      if let parts = try? ListSplitter(list, maxRules: limit, maxBytes: .max).parts(),
        parts.count > 1
      {
        cut += 1
        #expect(parts.allSatisfy { $0.rules.count <= limit })
        others.append(
          (
            "split",
            EffectsDecider(
              try parts.map {
                try ContentRuleList(identifier: "part", encodedContentRuleList: $0.text)
              }
            )
          )
        )
      }
      for load in made.loads {
        guard let load = load.possible?.resourceLoad else { continue }
        for (name, other) in others {
          let (first, second) = (whole.effects(on: load), other.effects(on: load))
          // Lists have no common order, so that only what is reported counts.
          let agrees = first.hasSameEffects(as: second)
          #expect(agrees, "seed \(made.seed), \(name): \(load)\n\(first)\n\(second)")
          if !agrees { return }
        }
      }
    }
    #expect(shorter > 5 && cut > 5)
  }

  @Test func mergedAgain() throws {
    let rules =
      (0..<40).map { rule("/ads\($0)/") } + [
        rule("/ads1/ours", "", "ignore-previous-rules"),
        rule(".*", #","if-domain":["shop.test"]"#, "ignore-previous-rules"),
      ]
    let list = try input(rules)
    let parts = try ListSplitter(list, maxRules: 15, maxBytes: .max).parts()
    #expect(parts.count > 3)
    let merged = try ListMerger(parts.map { try input(text($0.text)) }).outcome()
    var comparator = try ListComparator(old: list, new: input(text(merged.text)))
    #expect(try comparator.comparison().isEqual == true)
    #expect(merged.ruleCount == rules.count)
  }

  @Test("a joined list decides as its lists do together, whatever exceptions they share")
  func joinedDecidesAlike() throws {
    let filters = [
      "/a/", "/a/b", "/b", #"^[htpsw]+://x\.test[/:]"#, #"^[^:]+://+([^:/]+\.)?x\.test/a"#,
    ]
    let keys = ["", #","resource-type":["image"]"#, #","resource-type":["script"]"#]
    let actions = [
      "block", "block-cookies", "make-https", "ignore-previous-rules", "ignore-previous-rules",
      "ignore-following-rules",
    ]
    var source = RandomSource(seed: Effort.seed &+ 17)
    func someRule(_ source: inout RandomSource) -> String {
      let key = source.pick(keys)
      guard source.chance(85) else {
        return hiding(source.pick([".p", ".q"]), source.chance(50) ? "" : key)
      }
      let action = source.pick(source.chance(80) ? Array(actions.dropLast()) : actions)
      return rule(source.pick(filters), key, action)
    }
    let hosts = ["http://x.test/", "http://w.x.test/", "http://y.test/"]
    let urls = hosts.flatMap { host in ["a/", "a/b", "b", "c"].map { host + $0 } }
    let types: [ResourceType] = [.image, .script, .topDocument]
    var (joined, refused) = (0, 0)
    for number in 0..<(400 * Effort.factor) {
      // Few rules in all, so that lists share many.
      let pool = (0..<5).map { _ in someRule(&source) }
      let lists = (0..<source.number(in: 2...4)).map { _ in
        (0..<source.number(in: 1...5)).map { _ in source.pick(pool) }
      }
      guard let merged = try? ListMerger(lists.map { try input($0) }).outcome() else {
        refused += 1
        continue
      }
      joined += 1
      func decider(_ texts: [String]) throws -> EffectsDecider {
        EffectsDecider(
          try texts.map {
            try ContentRuleList(identifier: "list", encodedContentRuleList: Array($0.utf8))
          }
        )
      }
      let apart = try decider(lists.map { "[\($0.joined(separator: ","))]" })
      let together = try decider([text(merged.text)])
      for url in urls {
        for type in types {
          let address = try #require(WebURL(url))
          let page = type == .topDocument ? address : try #require(WebURL("http://y.test/"))
          let load = ResourceLoad(url: address, topURL: page, resourceType: type)
          let agrees = apart.effects(on: load).hasSameEffects(as: together.effects(on: load))
          #expect(agrees, "\(number): \(load)\n\(lists)\n\(text(merged.text))")
          if !agrees { return }
        }
      }
    }
    #expect(joined > 20 && refused > 20)
  }

  /// Such selectors mean something else before a comma, or without the rest of their list.
  @Test(arguments: [".x[b", ".a/*,*/.b", #"[c="x"#])
  func selectorsThatCannotBeJoined(selector: String) throws {
    func hide(_ selector: String) -> String {
      let text = JSONValue.string(selector).text
      return
        #"{"trigger":{"url-filter":"/b/"},"action":{"type":"css-display-none","selector":\#(text)}}"#
    }
    let list = [hide(selector), hide(".y"), hide(".c/*,*/.b")]
    let outcome = try optimized(list)
    #expect(outcome.merged.isEmpty && outcome.removed.isEmpty)
  }

  /// Notifications are counted, and exceptions with identifiers are reported once.
  @Test func reportsAndNotifications() throws {
    func notify(_ filter: String) -> String {
      #"{"trigger":{"url-filter":"\#(filter)"},"action":{"type":"notify","notification":"x"}}"#
    }
    let list = try input([notify("/a/"), rule("/c/"), rule("/d/"), notify("/b/")])
    let parts = try ListSplitter(list, maxRules: 2, maxBytes: .max).parts()
    #expect(parts.contains { $0.rules == [0, 3] })
    #expect(throws: ListMerger.Failure.self) {
      _ = try ListMerger([try input([notify("/a/")]), try input([notify("/b/")])]).outcome()
    }
    let ignore =
      #"{"trigger":{"url-filter":"/a/"},"action":{"type":"ignore-previous-rules"},"_identifier":3}"#
    let reported = try input([rule("/a/"), rule("/b/"), rule("/c/"), rule("/d/"), ignore])
    #expect(throws: ListSplitter.Failure.self) {
      _ = try ListSplitter(reported, maxRules: 3, maxBytes: .max).parts()
    }
    // The second list's report would be lost, or another one be made.
    let plain = try input([rule("/a/"), rule("/a/", "", "ignore-previous-rules")])
    let other = try input([rule("/a/"), ignore])
    #expect(throws: ListMerger.Failure.self) { _ = try ListMerger([plain, other]).outcome() }
  }

  @Test func mergeRefused() throws {
    let first = try input([rule("/ads/")])
    let second = try input([rule("/x/"), rule("/ads/", "", "ignore-previous-rules")])
    #expect(throws: ListMerger.Failure.self) { _ = try ListMerger([first, second]).outcome() }
    let merged = try ListMerger([second, first]).outcome()
    #expect(merged.ruleCount == 3)
  }

  @Test("an exception is no danger to a rule whose own list has the same one behind it")
  func mergeWithCommonExceptions() throws {
    let image = #","resource-type":["image"]"#
    let exception = rule("/ads/", image, "ignore-previous-rules")
    let following = rule("/ads/", image, "ignore-following-rules")
    let other = [rule("/ads/z/", #","resource-type":["script"]"#)]
    let last = [rule("/ads/y/", image), exception]
    func merge(_ first: [String]) throws -> ListMerger.Outcome {
      try ListMerger([first, other, last].map { try input($0) }).outcome()
    }
    let merged = try merge([rule("/ads/x/", image), exception])
    #expect(merged.ruleCount == 4 && merged.joinedExceptions == 1)
    // Of the same exception in one list the last is left as well, if it acts on nothing else.
    let twice = [rule("/ads/x/", image), exception, rule("/b/", image), exception]
    #expect(try merge(twice).ruleCount == 5)
    for first in [
      [exception, rule("/ads/x/", image)], [rule("/ads/x/", image), following, exception],
      [rule("/ads/x/", image)],
    ] {
      #expect(throws: ListMerger.Failure.self, "\(first)") { _ = try merge(first) }
    }
  }

  @Test("exceptions and rules about hosts are not compared unless one host is in the other")
  func mergeOfHosts() throws {
    let hosts = try input((0..<500).map { rule("^[htpsw]+://h\($0)\\.example[/:]") })
    func exceptions(_ hosts: [String]) throws -> ListInput {
      let anchor = #"^[^:]+://+([^:/]+\.)?"#
      return try input(
        hosts.flatMap { host in
          [rule(anchor + host + "[/:]"), rule(anchor + host + "/x", "", "ignore-previous-rules")]
        }
      )
    }
    let apart = ListMerger([hosts, try exceptions((0..<50).map { #"e\#($0)\.example"# })])
    #expect(try apart.outcome().ruleCount == 600)
    #expect(apart.comparisons == 0)
    let meeting = ListMerger([hosts, try exceptions([#"h7\.example"#])])
    #expect(throws: ListMerger.Failure.self) { _ = try meeting.outcome() }
    #expect(meeting.comparisons == 1)
  }
}

extension LoadEffects {
  fileprivate func hasSameEffects(as other: LoadEffects) -> Bool {
    outcome.isBlocked == other.outcome.isBlocked
      && outcome.blocksCookies == other.outcome.blocksCookies
      && outcome.makesHTTPS == other.outcome.makesHTTPS && hidden == other.hidden
      && Set(outcome.others) == Set(other.outcome.others)
  }
}
