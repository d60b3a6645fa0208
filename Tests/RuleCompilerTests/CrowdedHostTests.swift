import ContentRules
import EngineTestSupport
import RuleMatching
import TestSupport
import Testing

@Suite("Crowded hosts")
struct CrowdedHostTests {
  private static let tails = [
    "/", "/a", "/ab", "/abc", "/abcd", "/abd", "/[ab]x", "/abc[0-9]", "[/:]", "/.*/like/",
    "/.*/likes", "/.*banner", "/.*[0-9]ads/", "/x.*y.*z", "/.*bann", "/(ab)?c", "/ABC/", "/.*/LIKE",
    "/abcdefgh", "/abcdefgi", "/abcdefgh.*like", "/ads/.*", "/.*ads_like", "/.*like_ads",
    "/.*liked",
    "/.*unliked", "/.*/banner/", "/.*bannerx",
  ]
  private static let pieces = [
    "/", "a", "ab", "abc", "abcd", "abcdefgh", "abcdefgi", "/like/", "LIKE", "likes", "banner",
    "Banner", "3ads/", "ads_like", "x", "y", "z", "c", "0", "9", "?", ":", "unliked",
  ]

  @Test("every filter is found, whatever the others", arguments: [false, true])
  func found(isCaseSensitive: Bool) throws {
    let patterns = Self.tails.map { #"^https?://([^/]+\.)?crowd\.test"# + $0 }
    let rules = patterns.enumerated().map {
      Rule($0.offset, $0.element, isCaseSensitive: isCaseSensitive)
    }
    let oracles = try patterns.map { try PatternOracle($0, isCaseSensitive: isCaseSensitive) }
    var decider = Decider(try CompiledRuleList(validating: compile(rules)))
    var random = RandomSource(seed: 7 &+ Effort.seed)
    var matched = Set<UInt32>()
    for _ in 0..<2_000 * Effort.factor {
      var url = Array("https://\(Bool.random(using: &random) ? "a." : "")crowd.test".utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        url += Array((Self.pieces.randomElement(using: &random) ?? "").utf8)
      }
      let expected = oracles.indices.filter { oracles[$0].matches(url) }.map { UInt32($0) }
      matched.formUnion(expected)
      #expect(decider.rules(url) == expected, "\(String(decoding: url, as: UTF8.self))")
    }
    #expect(matched.count > patterns.count / 2)
  }

  @Test("a pattern that is taken apart matches once")
  func once() throws {
    let patterns = [#"\.com/(js/)?ga-.*\.js"#, "/(ads)?banner(s)?/.*x(y)?z", "/like(s)?[0-9].*abc"]
    let oracles = try patterns.map { try PatternOracle($0) }
    var decider = Decider(
      try CompiledRuleList(
        validating: compile(patterns.enumerated().map { Rule($0.offset, $0.element) })
      )
    )
    let pieces = [
      ".com/", "js/", "ga-", ".js", "x", "/like", "s", "5", "abc", ".com/js/ga-", "/adsbanner/",
    ]
    var random = RandomSource(seed: 11 &+ Effort.seed)
    var matched = 0
    for _ in 0..<4_000 * Effort.factor {
      var url = Array("http://h".utf8)
      for _ in 0..<Int.random(in: 1...9, using: &random) {
        url += Array((pieces.randomElement(using: &random) ?? "").utf8)
      }
      let expected = oracles.indices.filter { oracles[$0].matches(url) }.map { UInt32($0) }
      matched += expected.count
      #expect(decider.rules(url) == expected, "\(String(decoding: url, as: UTF8.self))")
      #expect(decider.matchCount == expected.count)
    }
    #expect(matched > 100)
  }
}
