import CaseGenerators
import ContentBlocking
import ContentRules
import EngineComparison
import ListAnalysis
import ReferenceMatcher
import TestSupport
import Testing

@Suite struct RuleAnalyzerTests {
  private func findings(_ json: String) throws -> [ListFinding] {
    try #require(try findingsIfAccepted(json))
  }

  /// The findings in a list; nil if it is refused.
  private func findingsIfAccepted(_ json: String) throws -> [ListFinding]? {
    guard let list = ListInput(json) else { return nil }
    var analyzer = try RuleAnalyzer(list.rules)
    return analyzer.findings()
  }

  /// A list of rules, each a trigger's further keys and an action's type.
  private func list(_ rules: [(filter: String, keys: String, action: String)]) -> String {
    let texts = rules.map { rule in
      let filter = JSONValue.string(rule.filter).text
      return
        #"{"trigger":{"url-filter":\#(filter)\#(rule.keys)},"action":\#(rule.action)}"#
    }
    return "[" + texts.joined(separator: ",\n") + "]"
  }

  private static let block = #"{"type":"block"}"#
  private static let ignore = #"{"type":"ignore-previous-rules"}"#
  private static let following = #"{"type":"ignore-following-rules"}"#
  private static let headers =
    #"{"type":"modify-headers","priority":1,"request-headers":[{"operation":"remove","header":"X"}]}"#
  private static let hide = #"{"type":"css-display-none","selector":".ad"}"#

  /// Would take minutes if each of the domains above an entry were looked up.
  @Test func entriesOfManyLabels() throws {
    let long = String(repeating: "a.", count: 300_000) + "com"
    let found = try findings(
      list([
        ("x", #","if-domain":["\#(long)"]"#, Self.block),
        ("x", #","if-domain":["*b.\#(long)"]"#, Self.block),
        ("x", #","if-domain":["*a.com"]"#, Self.block),
      ])
    )
    #expect(found.map(\.rule) == [0, 1])
  }

  @Test func redundant() throws {
    let found = try findings(
      list([
        ("/ads/banner", "", Self.block),
        ("/ads/", "", Self.block),
        ("/ads/", #","load-type":["third-party"]"#, Self.block),
        ("/ads/", "", Self.block),
      ])
    )
    #expect(found.map(\.rule) == [0, 2, 3])
    #expect(found.allSatisfy { $0.code == .redundant && $0.because == [1] && $0.isRemovable })
  }

  @Test func unionOfTypes() throws {
    let found = try findings(
      list([
        ("/ads/", #","resource-type":["script"]"#, Self.block),
        ("/ads/", #","resource-type":["image"]"#, Self.block),
        ("/ads/x", #","resource-type":["image","script"]"#, Self.block),
      ])
    )
    #expect(found.map(\.code) == [.redundant])
    #expect(found.first?.because == [0, 1])
  }

  @Test func exceptionsBetween() throws {
    let rules = [
      ("/ads/", "", Self.block), ("/ads/ours", "", Self.ignore), ("/ads/", "", Self.block),
    ]
    // The later rule blocks what the exception let through, and so does the earlier one's work.
    let found = try findings(list(rules))
    #expect(found.first { $0.rule == 0 }?.because == [2])
    #expect(!found.contains { $0.rule == 2 })
  }

  @Test func cancelled() throws {
    let found = try findings(
      list([
        ("/ads/x", "", Self.block), ("/other", "", Self.block), ("/ads/", "", Self.ignore),
        ("^https?://[^/]+:80/", "", Self.ignore),
      ])
    )
    #expect(found.first { $0.rule == 0 }?.code == .alwaysCancelled)
    #expect(found.first { $0.rule == 0 }?.because == [2])
  }

  /// Of exceptions that drop each other, one stays.
  @Test func equalExceptions() throws {
    for count in 2...4 {
      let exceptions = Array(repeating: ("^https?://a\\.test/", "", Self.following), count: count)
      let found = try findings(list(exceptions + [("/foo", "", Self.block)]))
      #expect(found.map(\.rule) == Array(1..<count))
      #expect(found.allSatisfy { $0.code == .shadowed && $0.because == [0] && $0.isRemovable })
    }
    // The last one is dropped by the first two together, and so does the work of neither.
    let parts = try findings(
      list([
        ("/a/", #","load-type":["first-party"]"#, Self.following),
        ("/a/", #","load-type":["third-party"]"#, Self.following),
        ("/a/", "", Self.following), ("/a/", "", Self.block), ("/b/", "", Self.block),
      ])
    )
    #expect(parts.filter(\.isRemovable).map(\.rule) == [2, 3])
  }

  /// Between exceptions equal notifications share a slot, and blocks the first one's place before a
  /// redirect: section 7.2 of the rule language.
  @Test(arguments: [
    [
      ("/a/", #"{"type":"notify","notification":"x"}"#), ("^https://q\\.test$", Self.ignore),
      ("/b/", #"{"type":"notify","notification":"x"}"#),
    ],
    [
      ("/ads/x", Self.block),
      ("/ads/", #"{"type":"redirect","redirect":{"url":"https://z.test/"}}"#),
      ("/ads/", Self.block),
    ],
    // A rule that is also reported takes part in the slot.
    [
      ("^a://\\x01", Self.block + #","_identifier":1"#),
      ("/ads/", #"{"type":"redirect","redirect":{"url":"https://z.test/"}}"#),
      ("/ads/", Self.block),
    ],
    // The second header change has the slot of the first, and is cancelled with it.
    [
      ("^https?://foo\\.test/", Self.headers), ("^https?://bar\\.test/", Self.ignore),
      ("ba.*qux", Self.headers),
    ],
    // Without the first rule, the notification of y comes first.
    [
      ("^https?://foo\\.test/", #"{"type":"notify","notification":"x"}"#),
      ("/bar", #"{"type":"notify","notification":"y"}"#),
      ("/bar", #"{"type":"notify","notification":"x"}"#),
      ("^https?://foo\\.test/", Self.ignore),
    ],
    // The first two are one list of selectors, which the second leaves open.
    [
      ("/foo", Self.hide), ("/foo", #"{"type":"css-display-none","selector":".b[x"}"#),
      ("/fo(o)", Self.hide),
    ],
  ])
  func sharedSlots(_ rules: [(String, String)]) throws {
    let found = try findings(list(rules.map { ($0.0, "", $0.1) }))
    #expect(found.count == 1)
    #expect(found.allSatisfy { !$0.isRemovable })
  }

  @Test(.timeLimit(.minutes(1))) func manyRulesOfOnePattern() throws {
    let equal = try findings(list((0..<800).map { _ in ("/ads/", "", Self.block) }))
    #expect(equal.count == 799 && equal.allSatisfy { $0.because == [0] })
    let pages = try findings(
      list(
        (0..<100).map { ("/ads/", #","if-top-url":["^https://d\#($0)\\.test/"]"#, Self.block) }
      )
    )
    #expect(pages.isEmpty)
  }

  @Test func nothingToCancel() throws {
    let anchor = #"^[^:]+://+([^:/]+\.)?"#
    let found = try findings(
      list([
        (anchor + #"a\.test[/:]"#, "", Self.block),
        (anchor + #"b\.test[/:]"#, "", Self.ignore),
        (anchor + #"sub\.a\.test[/:]"#, "", Self.ignore),
      ])
    )
    #expect(found.map(\.rule) == [1])
    #expect(found.first?.code == .cancelsNothing)
  }

  @Test func contradictions() throws {
    let found = try findings(
      list([
        ("a", #","resource-type":["top-document"],"load-context":["child-frame"]"#, Self.block),
        ("a", #","resource-type":["top-document"],"load-type":["third-party"]"#, Self.block),
        (
          #"^https://a\.test/"#,
          #","resource-type":["top-document"],"if-top-url":["^https://b\\.test/"]"#, Self.block
        ),
        ("a", #","request-method":"get","if-domain":["a.test"]"#, Self.block),
        (#"^https?://"#, #","resource-type":["websocket"]"#, Self.block),
        (#"^https://[^/@]+:443/"#, "", Self.block),
        ("b", "", Self.block),
      ])
    )
    #expect(found.map(\.rule) == [0, 1, 2, 3, 4, 5])
    let codes = found.map(\.code)
    #expect(codes.prefix(5).allSatisfy { $0 == .contradiction } && codes.last == .neverMatches)
    // The prefetch of a link is a top-document on another page.
    #expect(found.map(\.isRemovable) == [true, false, false, true, true, true])
  }

  @Test func hidingByParts() throws {
    let found = try findings(
      list([
        (
          ".*", #","if-domain":["*shop.test"]"#,
          #"{"type":"css-display-none","selector":".a, .ad"}"#
        ),
        (".*", #","if-domain":["www.shop.test"]"#, Self.hide),
        (".*", #","if-domain":["www.shop.test","x.test"]"#, Self.hide),
      ])
    )
    #expect(found.map(\.rule) == [1])
    #expect(found.first?.because == [0])
  }

  @Test func samePattern() throws {
    let found = try findings(
      list([
        ("^https?://a", "", Self.block),
        ("^http[s]?://a", "", #"{"type":"block-cookies"}"#),
      ])
    )
    #expect(found.contains { $0.code == .samePattern && $0.rule == 1 && $0.because == [0] })
  }

  /// Whatever is removable changes no decision, each alone and all together.
  @Test(arguments: [CaseOptions(), .ignoring, .hiding])
  func removalsChangeNothing(options: CaseOptions) throws {
    var options = options
    options.repetition = 60
    options.ruleCount = 4...14
    options.loadCount = 60
    let generator = CaseGenerator(options: options)
    var removals = 0
    for number in 0..<(120 * Effort.factor) {
      let made = generator.makeCase(seed: Effort.seed &* 7_919 &+ UInt64(number))
      let json = made.jsonText
      let found = try findingsIfAccepted(json)?.filter(\.isRemovable).map(\.rule) ?? []
      guard !found.isEmpty, found.count < made.rules.count else { continue }
      removals += found.count
      for gone in found.map({ [$0] }) + [found] {
        let rest = made.rules.enumerated().filter { !gone.contains($0.offset) }.map(\.element.text)
        guard
          let after = try? ContentRuleList(
            identifier: "after",
            encodedContentRuleList: "[" + rest.joined(separator: ",\n") + "]"
          )
        else { continue }
        let before = try ContentRuleList(identifier: "before", encodedContentRuleList: json)
        var confirmation = Confirmation(before: before, after: after)
        for load in made.loads {
          guard let load = load.possible?.resourceLoad else { continue }
          let agrees = confirmation.agrees(on: load)
          #expect(agrees, "seed \(made.seed), without \(gone): \(load)\n\(json)")
          if !agrees { return }
        }
      }
    }
    #expect(removals > 50)
  }
}

extension ReferenceLoad {
  /// The load as a browser could make it; `nil` if none could.
  ///
  /// Generated loads combine everything with everything.
  var possible: ReferenceLoad? {
    var load = self
    let isSocket = url.hasPrefix("ws:") || url.hasPrefix("wss:")
    guard isSocket == (resourceType == "websocket") else { return nil }
    if resourceType == "top-document" {
      load.topURL = url
      load.isFirstParty = true
      load.loadContext = "top-frame"
    }
    if resourceType == "child-document" { load.loadContext = "child-frame" }
    return load
  }
}
