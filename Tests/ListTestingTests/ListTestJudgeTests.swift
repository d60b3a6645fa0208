import ContentBlocking
import ListTesting
import Testing

@Suite("What expectations mean")
struct ListTestJudgeTests {
  private static let rules = [
    /* 0 */ hiding(".*", ".everywhere"),
    /* 1 */ rule(#"^https?://ads\\.test"#, "block", #""load-type": ["third-party"]"#),
    /* 2 */ rule("/ad/", "block"),
    /* 3 */ rule("tracked", "block-cookies"),
    /* 4 */ rule("^http:", "make-https"),
    /* 5 */ hiding(".*", ".ad, .promo > b", #""if-domain": ["shop.test"]"#),
    /* 6 */ rule("wanted", "ignore-previous-rules"),
    /* 7 */ rule("late", "block"),
    /* 8 */ rule("from", #""type": "redirect", "redirect": {"url": "https://to.test/"}"#),
  ]

  private func holds(_ lines: String, head: String = "") throws -> [Bool] {
    let file = try tests(head + lines)
    let judge = ListTestJudge([try list(Self.rules)])
    judge.grant(file.permissions)
    return file.expectations.map { judge.verdict(on: $0).holds }
  }

  @Test("each outcome holds where it is so, and not where it is not")
  func outcomes() throws {
    let results = try holds(
      """
      https://ads.test/a script on https://p.test/ => block
      https://ads.test/a script on https://p.test/ => load
      https://ads.test/a script on https://ads.test/ => load, unchanged
      https://ads.test/a script on https://ads.test/ => block
      https://a.test/tracked image => load, cookies stripped
      https://a.test/tracked image => unchanged
      https://a.test/tracked image => cookies kept
      https://a.test/x image => cookies kept
      http://a.test/x image => https
      http://a.test:81/x image => https
      https://a.test/x image => https
      http://a.test/x image => unchanged
      data:text/plain,ad image => unchanged
      """
    )
    #expect(
      results == [
        true, false, true, false, true, false, false, true, true, false, false, false, true,
      ]
    )
  }

  @Test(
    "what changes nothing of a request leaves it unchanged, and a file of the extension does not"
  )
  func unchanged() throws {
    let rules = [
      rule(
        "answers",
        #""type": "modify-headers", "priority": 1, "response-headers": [{"operation": "remove", "header": "x"}]"#
      ),
      rule(
        "asks",
        #""type": "modify-headers", "priority": 1, "request-headers": [{"operation": "set", "header": "X", "value": "1"}]"#
      ),
      rule("mine", #""type": "redirect", "redirect": {"extension-path": "/x.js"}"#),
    ]
    let file = try tests(
      """
      permission: *://*/*
      http://a.test/answers image => unchanged
      http://a.test/asks image => unchanged
      http://a.test/mine script => unchanged
      http://a.test/mine script => redirect safari-web-extension://extension/x.js
      """
    )
    let judge = ListTestJudge([try list(rules)])
    judge.grant(file.permissions)
    let results = file.expectations.map { judge.verdict(on: $0).holds }
    #expect(results == [true, false, false, true])
  }

  @Test("a cause is the rule behind the outcome, by its pattern or its number")
  func causes() throws {
    let results = try holds(
      #"""
      https://ads.test/ad/ script on https://p.test/ => block by "/ad/", block by rule 1
      https://ads.test/ad/ script on https://p.test/ => block by "^https?://ads\.test"
      https://ads.test/ad/ script on https://p.test/ => block by "^https?://ads\\.test"
      https://ads.test/a script on https://p.test/ => block by "/ad/"
      https://ads.test/a script on https://p.test/ => block by rule 2
      https://ads.test/wanted script on https://p.test/ => load by "wanted"
      https://ads.test/wanted script on https://p.test/ => load by rule 1
      https://b.test/x script on https://p.test/ => load by "wanted"
      https://a.test/tracked/wanted image => cookies kept by rule 6
      http://a.test/x image => https by rule 4
      https://a.test/wanted/late image => block by "late"
      """#
    )
    #expect(
      results == [true, true, true, false, false, true, false, false, true, true, true]
    )
  }

  @Test("a failure of the cause names the rules that it was")
  func otherRules() throws {
    let file = try tests("https://a.test/ad/late script => block by rule 1")
    let verdict = ListTestJudge([try list(Self.rules)]).verdict(on: file.expectations[0])
    #expect(
      verdict.failures.map(\.reason) == [
        .otherRules([ListedRule(list: 0, rule: 2), ListedRule(list: 0, rule: 7)])
      ]
    )
  }

  @Test("hide and show compare selectors as texts, global sheet included")
  func selectors() throws {
    let results = try holds(
      """
      https://shop.test/ document => hide .ad, hide .promo  >  b, hide .everywhere
      https://other.test/ document => show .ad, hide .everywhere
      https://other.test/ document => hide .ad
      https://shop.test/wanted document => show .ad by "wanted", show .everywhere by rule 6
      https://shop.test/wanted document => hide .everywhere
      https://shop.test/ document => show .everywhere
      https://shop.test/ document => show .promo, hide .ad by rule 5
      https://shop.test/ document => hide .ad by rule 0
      """
    )
    #expect(results == [true, true, false, true, false, false, true, false])
  }

  @Test("redirects need the permission of the file's head")
  func redirects() throws {
    let line = "https://a.test/from image => redirect https://to.test/\n"
    #expect(try holds(line, head: "permission: *://a.test/*\n") == [true])
    #expect(try holds(line) == [false])
    #expect(try holds(line, head: "permission: *://b.test/*\n") == [false])
  }

  @Test("several lists decide together, and a rule's list is counted from 0")
  func severalLists() throws {
    let file = try tests(
      """
      https://a.test/x image => block by rule 1:0
      https://a.test/x image => block by rule 0:0
      https://a.test/y image => load
      """
    )
    let judge = ListTestJudge([
      try list([rule("nothing", "block")]), try list([rule("x$", "block")]),
    ])
    #expect(file.expectations.map { judge.verdict(on: $0).holds } == [true, false, true])
  }

  // MARK: Coverage

  @Test("rules are exercised that act, cancel or are cancelled, and selectors that are asked for")
  func coverage() throws {
    func states(_ lines: String) throws -> [RuleCoverage.State] {
      let judge = ListTestJudge([try list(Self.rules)], countsCoverage: true)
      for expectation in try tests(lines).expectations { _ = judge.verdict(on: expectation) }
      return try #require(judge.coverage)[0].states
    }
    func exercised(_ lines: String) throws -> [Int] {
      try states(lines).enumerated().filter { $0.element == .exercised }.map(\.offset)
    }
    #expect(try exercised("https://a.test/ad/ image => load") == [2])
    #expect(try exercised("https://a.test/ad/wanted image => load") == [2, 6])
    // An exception that cancels nothing, and a redirect without permission, have no effect.
    #expect(try exercised("https://a.test/wanted image => load") == [])
    #expect(try states("https://a.test/wanted/from image => load")[6] == .idle)
    #expect(try states("https://a.test/wanted/from image => load")[8] == .idle)
    #expect(try exercised("https://shop.test/ document => load") == [])
    #expect(try exercised("https://shop.test/ document => hide .ad") == [5])
    #expect(try exercised("https://shop.test/ document => hide .everywhere") == [0])
    #expect(try exercised("https://shop.test/wanted document => show .ad") == [5, 6])
    #expect(try exercised("https://other.test/ document => show .ad") == [])
  }

  @Test("rules without a valid selector are not counted, and groups add up")
  func coverageCounts() throws {
    let rules = Self.rules + [hiding("x", "::bad::")]
    let judge = ListTestJudge([try list(rules)], countsCoverage: true)
    let file = try tests("https://a.test/ad/wanted image => load")
    for expectation in file.expectations { _ = judge.verdict(on: expectation) }
    let coverage = try #require(judge.coverage)[0]
    #expect(coverage.count.exercised == 2 && coverage.count.total == 9)
    let groups = coverage.groups(judge.sources[0])
    #expect(groups.map(\.action).prefix(2) == ["block", "css-display-none"])
    #expect(groups.reduce(0) { $0 + $1.count.total } == 9)
    #expect(groups.reduce(0) { $0 + $1.count.exercised } == 2)
  }
}
