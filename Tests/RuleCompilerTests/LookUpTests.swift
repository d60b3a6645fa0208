import ContentRules
import EngineTestSupport
import ResourceLoads
import RuleCompiler
import RuleMatching
import Testing

@Suite("Looking filters up")
struct LookUpTests {
  @Test(
    "a text too short for the stride is found anywhere",
    arguments: [
      ["/ad/"], ["/ad/", "/longer-text/"], ["/ads/x", "/longer-text/"], ["abcd", "efgh", "ijkl"],
      ["abcdef", "long.er[0-9]text-to-find"],
    ]
  )
  func shortTexts(_ patterns: [String]) throws {
    let rules = patterns.enumerated().map { Rule($0, $1) }
    var decider = Decider(try CompiledRuleList(validating: compile(rules)))
    for shift in 0..<9 {
      let filler = String(repeating: "q", count: shift)
      let url = Array("https://a.test/\(filler)\(patterns[0])zz".utf8)
      #expect(decider.rules(url) == [0], "shifted by \(shift)")
    }
  }

  @Test(
    "a text with alternatives in it is found anywhere",
    arguments: [
      // Too many grams for any window of four places.
      ("((?<n>b[0-9][a-c])[ab])Ads", "b1bbAds"), ("(a[\\]a])(?<n>[ab]/[0-9])x1", "aab/1x1"),
      ("[ab][cd][ab][cd]", "acbd"), ("/ad[sx]", "/adx"), ("[/_]ads[/_.]", "_ads."),
    ]
  )
  func alternatives(_ pattern: String, _ text: String) throws {
    // The other rules determine the stride.
    let others = (1..<6).map { Rule($0, "/a-longer-text-\($0)/") }
    for rules in [[Rule(0, pattern)], [Rule(0, pattern)] + others] {
      var decider = Decider(try CompiledRuleList(validating: compile(rules)))
      for shift in 0..<9 {
        let filler = String(repeating: "q", count: shift)
        for url in ["https://a.test/\(filler)\(text)", "https://a.test/\(filler)\(text)zz"] {
          #expect(decider.rules(Array(url.utf8)) == [0], "\(url)")
        }
      }
    }
  }

  @Test(
    "a text at a URL's beginning is found also where a list's many short texts make each place be looked at"
  )
  func beginning() throws {
    let patterns = ["h[stu][stu][mnop]", "^[hnops]t[abhpt][ahpu]", "ht[bhnoprt][hpqst]"]
    let rules = (patterns + fourLetterTexts(15_000)).enumerated().map { Rule($0, $1) }
    let list = try CompiledRuleList(validating: compile(rules))
    var decider = Decider(list)
    for url in ["http://a.test/", "https://a.test/", "HTTP"] {
      #expect(decider.rules(Array(url.utf8)) == [0, 1, 2], "\(url)")
    }
    #expect(decider.rules(Array("https://a.test/-htsm".utf8)) == [0, 1, 2])
    #expect(decider.rules(Array("ws://a.test/-htsm".utf8)) == [0])
  }

  @Test(
    "a pattern of nearly every URL has the same answer for each of its alternatives, and counts once",
    arguments: [
      "https?://", "http(s)?:/", "https?:[/p]", "h?ttps?://", "tps?:[/p]/", ".ttps:/?/$",
      "https?:/?.a[/:]", "(www)?\\.com[/x]",
    ]
  )
  func everywhere(pattern: String) throws {
    let oracle = try PatternOracle(pattern)
    let condition = Condition(subject: .topURL, isNegated: false, entries: [pattern])
    let list = try CompiledRuleList(
      validating: compile([
        Rule(0, ".*", condition: condition), Rule(1, pattern, action: .notify("1")),
      ])
    )
    let addresses = [
      "http://b.test/", "https://b.test/", "https://b.test/?http://", "http://b.test/?https://",
      "http://a/", "https://a:1/", "ws://a.com/", "ws://www.com/", "wttps:/", "wttps://", "tps:p/",
      "ws://b.test/",
    ]
    for page in addresses {
      var decider = Decider(list, top: page)
      let isPage = oracle.matches(Array(page.utf8))
      for url in addresses {
        let rules: [UInt32] = (isPage ? [0] : []) + (oracle.matches(Array(url.utf8)) ? [1] : [])
        #expect(decider.rules(Array(url.utf8)) == rules, "\(page) \(url)")
        #expect(decider.matchCount <= rules.count)
      }
    }
  }

  @Test("a short text is found next to the ends of the URL and to bytes above 127")
  func borders() throws {
    let rules = ["abcd", "efgh", "ijkl", "mnop", "/ad/"].enumerated().map { Rule($0, $1) }
    var decider = Decider(try CompiledRuleList(validating: compile(rules)))
    #expect(decider.rules(Array("abcd".utf8)) == [0])
    for shift in 0..<5 {
      let filler = String(repeating: "q", count: shift)
      #expect(decider.rules(Array("abcd\(filler)efgh".utf8)) == [0, 1])
      #expect(
        decider.rules(Array("\(filler)ijkl".utf8) + [0xC3, 0xA9] + Array("mnop".utf8)) == [2]
      )
      #expect(decider.rules(Array("\(filler)ABCD\u{7F}/AD/".utf8)) == [0, 4])
    }
  }

  @Test(
    "a pattern with optional parts matches each of its texts, and is noted once",
    arguments: [
      ("https://a.test/counter/collect?", true), ("https://a.test/c2ct?", false),
      ("https://a.test/cct?x", true), ("https://a.test/counter/colle/ct?", false),
      ("https://a.test/cct?/counter/collect?/cct?", true),
    ]
  )
  func optionalParts(_ url: String, _ matches: Bool) throws {
    let rules = [
      Rule(0, "^[^:]+:(//)?.*/c(ounter/colle)?ct\\?"), Rule(1, "/some(thing)?[- ]?else/here"),
    ]
    var decider = Decider(try CompiledRuleList(validating: compile(rules)))
    #expect(decider.rules(Array(url.utf8)) == (matches ? [0] : []))
    for text in ["/some-else/here", "/something else/here", "/somethingelse/here"] {
      #expect(decider.rules(Array("https://a.test\(text)\(text)".utf8)) == [1])
    }
  }
}
