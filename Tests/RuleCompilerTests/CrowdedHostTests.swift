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

  /// With 129 of a kind, an entry is searched for; with 12,000 filters, they take more than 64 KiB.
  @Test("every filter is found among very many", arguments: [256, 260, 24_000])
  func many(count: Int) throws {
    let host = #"^https?://([^/]+\.)?crowd\.test"#
    // In turn those with a text behind the host, and those with one anywhere behind it.
    let rules = (0..<count).map { number in
      Rule(number, host + (number % 2 == 0 ? "/p\(number)/" : "/.*g\(number)x"))
    }
    var decider = Decider(try CompiledRuleList(validating: compile(rules)))
    var random = RandomSource(seed: 13 &+ Effort.seed)
    let places = [0, 1, count - 2, count - 1] + (0..<400).map { _ in random.number(below: count) }
    for place in places {
      let (text, other) = (place & ~1, place | 1)
      for (path, expected) in [
        ("/p\(text)/", [text]), ("/a/g\(other)x", [other]),
        ("/p\(text)/g\(other)x", [text, other]),
        ("/p\(other)/", []), ("/g\(text)x", []), ("/p\(text)", []), ("/q/p\(text)/", []),
        ("/p\(text)/g1x?g\(other)x", Array(Set([text, 1, other])).sorted()),
      ] {
        let url = "https://a.crowd.test\(path)"
        #expect(decider.rules(Array(url.utf8)) == expected.map { UInt32($0) }, "\(url)")
      }
    }
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
