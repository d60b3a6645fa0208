import ContentRules
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
}
