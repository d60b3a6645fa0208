import ContentRules
import EngineTestSupport
import ResourceLoads
import RuleCompiler
import RuleMatching
import Testing

@Suite struct RepeatedMatchTests {
  /// The rules that were noted as matching, as often as they were.
  private func notedRules(_ patterns: [String], _ url: String) throws -> [UInt32] {
    let rules = patterns.enumerated().map { Rule($0, $1, action: .notify("\($0)")) }
    var limits = CompilerLimits()
    limits.instructionsPerText = 100_000
    let list = try CompiledRuleList(validating: compile(rules, limits: limits))
    var scratch = MatchScratch()
    var page = PageState()
    let url = Array(url.utf8)
    list.update(&page, topURL: url.span, frameURL: url.span, &scratch)
    scratch.assign(url.span)
    _ = list.decide(LoadProperties(resourceType: .image, loadType: .firstParty), page, &scratch)
    return scratch.matchedEntries.map(\.rule).sorted()
  }

  @Test(
    "A rule is noted once, however often its text stands in the URL",
    arguments: [
      "aaaaaaaa", "aaaa", "aaaaaaaa.*a", #"^[^:]+:(//)?([^/]+\.)?aaa"#,
      #"^https?://([^/]*\.)?aaa[.:/]"#, "[ab]aaaaaaaaaaa[ab]",
    ]
  )
  func oneRule(pattern: String) throws {
    let host = String(repeating: "aaa.", count: 300)
    let path = String(repeating: "a", count: 600)
    let patterns = Array(repeating: pattern, count: 50)
    #expect(try notedRules(patterns, "http://\(host)test/\(path)") == Array(0..<50))
  }

  @Test("So it is with many patterns that match in many places")
  func manyRules() throws {
    let letters = "abcdefghijklmnopqrst"
    let patterns = letters.flatMap { first in
      letters.map { "[x\(first)]xxxxxxxxxxx[x\($0)]" }
    }
    let url = "http://a.test/" + String(repeating: "x", count: 500)
    #expect(try notedRules(patterns, url) == Array(0..<400))
  }
}
