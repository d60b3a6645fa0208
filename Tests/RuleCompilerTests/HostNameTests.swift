import ContentRules
import EngineTestSupport
import RuleMatching
import TestSupport
import Testing

/// Hosts with optional parts and classes, which are taken apart into names.
@Suite("Names of hosts")
struct HostNameTests {
  private static let anchors = HostAnchor.allCases.map { "\($0.pattern)" }
  private static let names = [
    #"s?metrics\.test"#, #"a8(ww)?\.test"#, #"[cfg]ads\.test"#, #"ads[12]\.test"#,
    #"a[-z]ads\.test"#,
    #"ads(\.a)?(\.b)?\.test"#, #"(x(y)?)?ads\.test"#, #"s?s?ads\.test"#, #"(www\.)?ads\.[a-c]"#,
    #"ads?\.[ct]o?m"#, #"[A-Z]ads\.test"#, #"adS?\.test"#, #"(ad)?"#, #"(ads)?\.test"#,
    #"[a-z]?[a-z]?ads\.test"#, #"[0-9a-z]ads\.test"#, #"ads[.-]?test"#, #"[/a]ads\.test"#,
    #"(a.*b)?ads\.test"#, #"(ab)+ads\.test"#, #"[ab][ab][ab][ab]ads"#, #"[ab][ab][ab][ab][ab]ads"#,
  ]
  private static let endings = [
    "", "/", "[/:]", "([/:].*)?$", "([^-_.%a-z0-9].*)?$", "/.*x(y)?z", "/[0-9]+/", "(/ad)?", ".*b",
  ]
  private static let pieces = [
    "metrics.test", "smetrics.test", "a8.test", "a8ww.test", "cads.test", "ads1.test", "a-ads.test",
    "azads.test", "ads.a.b.test", "ads.b.test", "ads.test", "xads.test", "xyads.test", "sads.test",
    "ssads.test", "www.ads.b", "ad.com", "ads.tm", "adS.test", "Aads.test", "adstest", "ads-test",
    "ababads", "abab", "a", ".", "/", ":", "@", "-", "0", "x", "y", "z", "/ad", "b", "www.", "?",
  ]

  @Test("each name is found, and a rule once", arguments: anchors)
  func found(_ anchor: String) throws {
    for isCaseSensitive in [false, true] {
      let patterns = Self.names.flatMap { name in Self.endings.map { anchor + name + $0 } }
      let rules = patterns.enumerated().map {
        Rule($0.offset, $0.element, isCaseSensitive: isCaseSensitive)
      }
      let oracles = try patterns.map { try PatternOracle($0, isCaseSensitive: isCaseSensitive) }
      var decider = Decider(try CompiledRuleList(validating: compile(rules)))
      var random = RandomSource(seed: 3 &+ Effort.seed)
      var matched = Set<UInt32>()
      for round in 0..<250 * Effort.factor {
        // Some with a name behind a user's, or a name twice.
        var url = Array((round % 8 == 0 ? "ftp:" : round % 8 == 1 ? "http:///" : "https://").utf8)
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          url += Array((Self.pieces.randomElement(using: &random) ?? "").utf8)
          if Bool.random(using: &random) { url.append(UInt8(ascii: ".")) }
        }
        let expected = oracles.indices.filter { oracles[$0].matches(url) }.map { UInt32($0) }
        matched.formUnion(expected)
        #expect(decider.rules(url) == expected, "\(String(decoding: url, as: UTF8.self))")
        #expect(decider.matchCount == expected.count)
      }
      #expect(matched.count > patterns.count / 8)
    }
  }

  @Test("a rule is noted once where two of its names match, also among thousands")
  func once() throws {
    let url = Array("http://smetrics.test@metrics.test/".utf8)
    for count in [1, 40, 5_000] {
      let rules = (0..<count).map {
        Rule($0, #"^https?://([^/]+\.)?s?metrics\.test[^a-z]"#, action: .notify("\($0)"))
      }
      var decider = Decider(try CompiledRuleList(validating: compile(rules)))
      #expect(decider.rules(url) == (0..<count).map { UInt32($0) })
      #expect(decider.matchCount == count)
    }
  }

  @Test("a pattern of many classes or optional parts is not taken apart")
  func limited() throws {
    let optional = String(repeating: "a?", count: 40)
    let classes = String(repeating: "[a-j]", count: 40)
    let groups = String(repeating: "(", count: 400) + "a" + String(repeating: ")?", count: 400)
    for name in [optional + "ads", classes, groups] {
      let pattern = #"^https?://([^/]+\.)?"# + name + #"\.test"#
      let file = try compile([Rule(0, pattern)], source: [])
      #expect(file.count < 20_000)
      let oracle = try PatternOracle(pattern)
      var decider = Decider(try CompiledRuleList(validating: file))
      for host in ["aaads.test", "a.test", String(repeating: "b", count: 40) + ".test", "ads.test"]
      {
        let url = Array("https://\(host)/".utf8)
        #expect(decider.rules(url) == (oracle.matches(url) ? [0] : []), "\(name) \(host)")
      }
    }
  }
}
