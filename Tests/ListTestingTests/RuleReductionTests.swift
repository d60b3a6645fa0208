import ContentBlocking
import Foundation
import ListTesting
import TestSupport
import Testing

@Suite("Reducing lists")
struct RuleReductionTests {
  private static let rules = [
    /* 0 */ rule("one", "block"),
    /* 1 */ rule("a[.]test", "block", #""resource-type": ["image"]"#),
    /* 2 */ rule("a[.]test", "block", #""resource-type": ["script"]"#),
    /* 3 */ rule("tracked", "block-cookies"),
    /* 4 */ rule("wanted", "ignore-previous-rules"),
    /* 5 */ hiding(".*", ".ad"),
    /* 6 */ hiding(".*", ".ad, .promo", #""if-domain": ["a.test"]"#),
    /* 7 */ rule("tracked", "block-cookies", #""resource-type": ["image"]"#),
    /* 8 */ rule("^http:", "make-https"),
    /* 9 */ rule("first", "ignore-following-rules"),
    /* 10 */ rule("first", "block"),
  ]

  private func reduction(
    _ line: String,
    _ rules: [String] = rules,
    wantsExceptions: Bool = true
  ) throws -> RuleReduction {
    let file = try tests(line)
    return RuleReduction(
      try list(rules),
      file.expectations,
      permissions: file.permissions,
      wantsExceptions: wantsExceptions
    )
  }

  @Test(
    "the fewest rules that still do it",
    arguments: [
      ("https://b.test/one image => block", [0]),
      ("https://a.test/tracked image => block, cookies stripped", [1, 3]),
      ("https://b.test/one/wanted image => load", [0, 4]),
      ("https://b.test/first image => load", [9, 10]),
      ("http://c.test/ image => https", [8]),
      ("https://a.test/x document => hide .promo", [6]),
      ("https://b.test/tracked/wanted script => cookies kept", [3, 4]),
      ("https://a.test/one image => block by \"one\"", [0]),
    ]
  )
  func outcomes(line: String, rules: [Int]) throws {
    var reduction = try reduction(line)
    let result = try reduction.result()
    #expect(result.isFewest)
    if line.contains("cookies") {
      // Rules 3 and 7 do the same here.
      #expect(result.rules.count == rules.count)
    } else {
      #expect(result.rules == rules)
    }
  }

  @Test("the result is a list that does it, and none of its rules can be left out")
  func minimal() throws {
    // 40 rules block, an exception cancels those before it, and the last of them blocks again.
    var rules = (0..<40).map { _ in rule("ad", "block") }
    rules.insert(rule("ad", "block-cookies"), at: 20)
    rules.insert(rule("ad", "ignore-previous-rules", #""load-type": ["third-party"]"#), at: 30)
    let line = "https://a.test/ad image on https://b.test/ => block, cookies kept"
    var reduction = try reduction(line, rules)
    let result = try reduction.result()
    #expect(result.rules.count == 3)
    let file = try tests(line)
    func holds(_ kept: [Int]) throws -> Bool {
      let judge = ListTestJudge([try list(kept.map { rules[$0] })])
      let verdict = judge.verdict(on: file.expectations[0])
      return verdict.holds && kept.contains(30) && kept.contains(20)
    }
    #expect(try holds(result.rules))
    for place in result.rules.indices {
      var rest = result.rules
      rest.remove(at: place)
      #expect(try !holds(rest))
    }
    let text = reduction.text(of: result.rules)
    #expect(throws: Never.self) {
      _ = try ContentRuleList(identifier: "few", encodedContentRuleList: text)
    }
  }

  @Test("a smaller set is found that leaving out rules does not lead to")
  func smallerSets() throws {
    // Leaving out single rules from the front ends at rules 1 to 3, but rule 0 alone does it.
    let rules = [
      rule("ad", #""type": "css-display-none", "selector": ".a, .b""#, #""if-domain": ["p.test"]"#),
      hiding("ad", ".a", #""if-domain": ["p.test"]"#),
      hiding("ad", ".b", #""if-domain": ["p.test"]"#),
    ]
    var reduction = try reduction("https://p.test/ad document => hide .a, hide .b", rules)
    let result = try reduction.result()
    #expect(result.rules == [0] && result.isFewest)
  }

  @Test("no smaller set does it, by trying all of them", arguments: 0..<25)
  func allSets(round: Int) throws {
    var random = RandomSource(seed: UInt64(4_200 + round))
    let pool = [
      rule("one", "block"), rule("two", "block"), rule("test", "block-cookies"),
      rule("^http:", "make-https"), rule("two", "ignore-previous-rules"),
      rule("one", "ignore-following-rules"), hiding(".*", ".a, .b"), hiding("one", ".a"),
      hiding("two", ".b", #""if-domain": ["a.test"]"#), rule("x", "block"),
    ]
    let rules = (0..<6).map { _ in pool[random.number(below: pool.count)] }
    let url = ["http://a.test/one", "http://a.test/two", "http://a.test/onetwo"][
      random.number(below: 3)
    ]
    let load = "\(url) document"
    let possible = ["block", "cookies stripped", "https", "hide .a", "hide .b"]
    let whole = ListTestJudge([try list(rules)])
    let claims = try possible.filter {
      whole.verdict(on: try tests("\(load) => \($0)").expectations[0]).holds
    }
    guard !claims.isEmpty else { return }
    let line = "\(load) => \(claims.joined(separator: ", "))"
    let expectation = try tests(line).expectations[0]
    func holds(_ kept: [Int]) throws -> Bool {
      guard !kept.isEmpty else { return false }
      let judge = ListTestJudge([try list(kept.map { rules[$0] })])
      return judge.verdict(on: expectation).holds
    }
    var fewest = Int.max
    for set in 1..<(1 << rules.count) where set.nonzeroBitCount < fewest {
      if try holds(rules.indices.filter { set & (1 << $0) != 0 }) { fewest = set.nonzeroBitCount }
    }
    var reduction = try reduction(line, rules)
    let result = try reduction.result()
    #expect(result.rules.count == fewest && result.isFewest, "\(line): \(rules)")
    #expect(try holds(result.rules))
  }

  @Test("what is not so, or is so without rules, has no result")
  func failures() throws {
    func failure(_ line: String, wantsExceptions: Bool = true) throws -> String {
      var reduction = try reduction(line, wantsExceptions: wantsExceptions)
      do throws(RuleReduction.Failure) {
        return "\(try reduction.result().rules)"
      } catch {
        switch error {
        case .notMet(let unmet): return "not met: \(unmet.count)"
        case .noRuleNeeded: return "no rule needed"
        case .notReproduced: return "not reproduced"
        }
      }
    }
    #expect(try failure("https://c.test/ image => block") == "not met: 1")
    #expect(try failure("https://c.test/ image => load") == "no rule needed")
    #expect(try failure("https://c.test/ document => show .nothing") == "no rule needed")
    let excepted = "https://b.test/one/wanted image => load"
    #expect(try failure(excepted, wantsExceptions: false) == "no rule needed")
    #expect(try failure(excepted) == "[0, 4]")
  }

  @Test("all expectations of a file hold together")
  func files() throws {
    var reduction = try reduction(
      """
      https://b.test/one image => block
      https://b.test/one/wanted image => load
      https://a.test/ document => hide .ad
      http://c.test/ image => https
      """,
      wantsExceptions: false
    )
    let result = try reduction.result()
    #expect(result.rules.count == 4)
    #expect(Set(result.rules).isSuperset(of: [0, 4, 8]))
  }

  @Test("a real list is reduced to what blocks a load", .disabled(if: SharedData.isAbsent))
  func realList() throws {
    let text = try SharedData.bytes("data/lists/blockparty.json")
    let list = try ContentRuleList(identifier: "real", encodedContentRuleList: text)
    let file = try tests(
      "https://www.google-analytics.com/analytics.js script on https://news.test/ => block"
    )
    var reduction = RuleReduction(list, file.expectations, wantsExceptions: true)
    let result = try reduction.result()
    #expect(result.rules.count == 1 && result.isFewest)
  }
}
