import CaseGenerators
import ReferenceMatcher
import TestSupport
import Testing

struct CaseGeneratorTests {
  static let options: [(name: String, options: CaseOptions)] = [
    ("plain", .init()), ("ignoring", .ignoring), ("hiding", .hiding), ("hostile", .hostile),
    ("overlapping", .overlapping), ("common", .common), ("large", .large(ruleCount: 300)),
  ]

  /// How many seeds are tried; fewer for lists that take long.
  private static func seeds(_ name: String) -> Range<UInt64> { 0..<(name == "large" ? 6 : 200) }

  @Test func numbersAreThoseOfSplitMix64() {
    var random = RandomSource(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
  }

  @Test func drawsStayInTheirBounds() {
    var random = RandomSource(seed: 7)
    var seen: Set<Int> = []
    for _ in 0..<200 { seen.insert(random.number(in: -1...2)) }
    #expect(seen == [-1, 0, 1, 2])
    #expect(random.number(below: 0) == 0)
    #expect((0..<100).allSatisfy { _ in random.pick(weighted: [(0, 1), (3, 2)]) == 2 })
  }

  @Test(arguments: options.map(\.name))
  func oneSeedMakesOneCase(_ name: String) throws {
    let generator = CaseGenerator(options: try Self.find(name))
    for seed in Self.seeds(name).prefix(5) {
      let first = generator.makeCase(seed: seed)
      let second = generator.makeCase(seed: seed)
      #expect(first.jsonText == second.jsonText)
      #expect(first.loads == second.loads)
    }
    #expect(generator.makeCase(seed: 0).jsonText != generator.makeCase(seed: 1).jsonText)
  }

  /// The case of a seed must not change from one machine, process or release to another.
  @Test func casesAreTheSameInEveryProcess() {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for seed in 0..<50 {
      let made = CaseGenerator().makeCase(seed: UInt64(seed))
      let loads = made.loads.map { "\($0.url) \($0.topURL) \($0.frameURL) \($0.resourceType)" }
      for byte in (made.jsonText + loads.joined()).utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    #expect(
      hash == 12_134_767_296_246_791_317,
      "The generator draws other cases than before: \(hash)"
    )
  }

  @Test(arguments: options.map(\.name))
  func listsAreAcceptedAndLoadsMatchAboutHalfTheTime(_ name: String) throws {
    let generator = CaseGenerator(options: try Self.find(name))
    var loads = 0
    var hits = 0
    var outcomes: Set<String> = []
    for seed in Self.seeds(name) {
      let made = generator.makeCase(seed: seed)
      let list = try ReferenceRuleList(
        jsonText: made.jsonText.utf8,
        isSelectorValid: GeneratedCase.isSelectorValid
      )
      for load in made.loads {
        let result = list.evaluate(load)
        loads += 1
        // Rules of the global sheet match every load, which says nothing about it.
        hits += result.matched.contains { $0.outcome != .inGlobalSheet } ? 1 : 0
        for matched in result.matched {
          outcomes.insert(String("\(matched.outcome)".prefix { $0 != "(" }))
        }
      }
    }
    let share = hits * 100 / loads
    print("\(name): \(share) % of \(loads) loads match")
    #expect((30...70).contains(share), "\(name): \(share) %")
    #expect(outcomes.isSuperset(of: ["applied", "merged", "cancelled"]), "\(outcomes)")
    if name != "large" { #expect(outcomes.isSuperset(of: ["inGlobalSheet", "swallowed"])) }
  }

  @Test(arguments: ["plain", "hostile"])
  func literalCheckOfTheReferenceChangesNothing(_ name: String) throws {
    let generator = CaseGenerator(options: try Self.find(name))
    for seed in 1_000..<UInt64(1_030) {
      let made = generator.makeCase(seed: seed)
      var list = try ReferenceRuleList(
        jsonText: made.jsonText.utf8,
        isSelectorValid: GeneratedCase.isSelectorValid
      )
      for load in made.loads {
        list.options.usesLiteralCheck = true
        let quick = list.evaluate(load)
        list.options.usesLiteralCheck = false
        #expect(list.evaluate(load) == quick, "seed \(seed): \(load)")
      }
    }
  }

  @Test func allKeysActionsAndValuesOccur() {
    var seen: Set<String> = []
    var types: Set<String> = []
    for seed in Self.seeds("plain") {
      let made = CaseGenerator().makeCase(seed: seed)
      for rule in made.rules { Self.collect(rule, &seen) }
      for load in made.loads {
        types.formUnion([load.resourceType, load.loadContext, load.method ?? "no method"])
        types.insert(load.isFirstParty ? "first" : "third")
      }
    }
    let wanted = [
      "url-filter", "url-filter-is-case-sensitive", "top-url-filter-is-case-sensitive",
      "frame-url-filter-is-case-sensitive", "resource-type", "load-type", "load-context",
      "request-method", "if-domain", "unless-domain", "if-top-url", "unless-top-url",
      "if-frame-url", "unless-frame-url", "_identifier", "_rulesetIdentifier",
      "type=block", "type=block-cookies", "type=css-display-none", "type=ignore-previous-rules",
      "type=ignore-following-rules", "type=make-https", "type=notify", "type=redirect",
      "type=modify-headers", "load-type=first-party", "load-type=third-party",
      "load-context=top-frame", "load-context=child-frame", "extension-path", "transform",
      "regex-substitution", "url", "request-headers", "response-headers",
    ]
    #expect(seen.isSuperset(of: wanted), "\(Set(wanted).subtracting(seen))")
    let words = [
      "document", "top-document", "child-document", "image", "style-sheet", "script", "font",
      "raw", "svg-document", "media", "popup", "ping", "fetch", "websocket", "csp-report", "other",
    ]
    #expect(seen.isSuperset(of: words.map { "resource-type=" + $0 }))
    #expect(types.isSuperset(of: Set(words).subtracting(["document", "raw"])))
    #expect(types.isSuperset(of: ["first", "third", "top-frame", "child-frame", "no method"]))
  }

  /// Each spelling that patterns can have should occur in some url filter.
  @Test(arguments: [
    "^[^:]+://+([^:/]+\\.)?", "^[htpsw]+:\\/\\/([a-z0-9-]+\\.)?", "^[^:]+:(//)?([^/]+\\.)?",
    "^https?://([^/]+\\.)?", "[:/]", "[/:]", "$", "\\0", "[\\0/]", "(?:", "(?<n1>", "()", "{0,1}",
    "{0,}", "{1,}", "*?", "+?", "??", "[^", "[]", "[^]", "\\x", "\\u", "\\141", ".*", ".+", "^$",
    "a{,1}", "\\cA", "\\.", "\\/",
  ])
  func patternsUseEachConstruct(_ construct: String) {
    let occurs = (0..<600).contains { seed in
      CaseGenerator().makeCase(seed: UInt64(seed)).rules.contains { rule in
        rule.object?["trigger"]?.object?["url-filter"]?.string?.contains(construct) == true
      }
    }
    #expect(occurs)
  }

  @Test func loadsComeInAllKinds() {
    let loads = Self.seeds("plain").flatMap { CaseGenerator().makeCase(seed: $0).loads }
    for part in [
      "http://", "https://", "ws://", "wss://", "ab://", "@", ":8080", "10.0.0.9", "[::1]", "?",
      "%",
    ] { #expect(loads.contains { $0.url.contains(part) }, "\(part)") }
    #expect(loads.contains { $0.topURL.hasPrefix("blob:") })
    #expect(loads.contains { $0.topURL.contains("?u=http://") })
    #expect(loads.contains { $0.frameURL == "about:blank" })
    for url in loads.flatMap({ [$0.url, $0.topURL, $0.frameURL] }) {
      #expect(url.utf8.allSatisfy { 0x20 < $0 && $0 < 0x7F }, "\(url)")
    }
  }

  @Test func urlsThatAParserWouldChangeAreReplaced() {
    let generator = CaseGenerator(isURL: { $0.hasPrefix("http") && !$0.contains("%") })
    for seed in 0..<50 {
      for load in generator.makeCase(seed: UInt64(seed)).loads {
        #expect(load.url.hasPrefix("http") && !load.url.contains("%"))
      }
    }
  }

  @Test func firstPartyMeansTheDomainOfThePage() {
    for (url, top, expected) in [
      ("http://a.b.com/", "https://b.com:8080/", true), ("http://b.com/", "http://a.b.com/", true),
      ("http://ab.com/", "http://b.com/", false), ("ab://10.0.0.9/", "http://10.0.0.9/", true),
      ("http://1.0.0.9/", "http://10.0.0.9/", false),
      ("http://a.com/", "blob:http://a.com/1", true),
      ("http://a.com/", "about:blank", false), ("http://u:b.com@a.com/", "http://b.com/", false),
      ("http://[::1]/", "http://[::1]:8080/", true), ("http://a.com./", "http://x.a.com./", true),
      ("http://a.test/", "http://www.a.test/", true), ("http://b.lan/", "http://a.lan/", false),
      ("http://x.intranet/", "http://intranet/", true), ("http://lan/", "http://a.lan/", false),
      ("http://b.github.io/", "http://a.github.io/", false),
      ("ab://x.co.uk/", "http://co.uk/", true),
    ] { #expect(sharesDomain(url, top) == expected, "\(url) on \(top)") }
  }

  private static func find(_ name: String) throws -> CaseOptions {
    try #require(options.first { $0.name == name }).options
  }

  private static func collect(_ value: JSONValue, _ seen: inout Set<String>) {
    for member in value.array ?? [] { collect(member, &seen) }
    for (key, member) in value.object ?? [:] {
      seen.insert(key)
      for text in [member.string].compactMap(\.self) + (member.array ?? []).compactMap(\.string) {
        seen.insert(key + "=" + text)
      }
      collect(member, &seen)
    }
  }
}
