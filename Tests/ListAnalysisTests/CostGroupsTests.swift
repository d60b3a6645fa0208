import ContentBlocking
import ContentRules
import ListAnalysis
import ReferenceMatcher
import RuleMatching
import TestSupport
import Testing

@Suite struct CostGroupsTests {
  private func groups(_ rules: [String], measures: Bool = false) throws -> [CostGroup] {
    var analyzer = try RuleAnalyzer(#require(ListInput(rules)).rules)
    _ = analyzer.findings()
    return try analyzer.costs(measures: measures)
  }

  private func rule(_ filter: String, _ action: String = #""type":"block""#) -> String {
    #"{"trigger":{"url-filter":\#(JSONValue.string(filter).text)},"action":{\#(action)}}"#
  }

  private let hide = #""type":"css-display-none","selector":".a""#

  @Test func formsAndActions() throws {
    let rules = [
      rule(#"^[^:]+://+([^:/]+\.)?a\.test[/:]"#), rule(#"^[^:]+://+([^:/]+\.)?b\.test[/:]"#),
      rule(#"^[htpsw]+:\/\/([a-z0-9-]+\.)?c\.test([\/:&\?].*)?$"#),
      rule(#"^[htpsw]+:\/\/([a-z0-9-]+\.)?d\.test\/x"#),
      rule(#"^[^:]+:(//)?([^/]+\.)?e\.test"#), rule(#"^https?://([^/]+\.)?f\.test"#),
      rule("^https://g/"), rule("/ads/"), rule("x.y.z"), rule(".*", hide), rule("/ads/x", hide),
    ]
    let found = try groups(rules)
    #expect(
      found.map { "\($0.form.rawValue) \($0.action.name) \($0.ruleCount) \($0.firstRule)" } == [
        "host-anchor block 2 0", "old-host-anchor-to-end block 1 2", "old-host-anchor block 1 3",
        "loose-host-anchor block 1 4", "web-host-anchor block 1 5", "anchored block 1 6",
        "anywhere block 1 7", "without-text block 1 8", "every-url css-display-none 1 9",
        "anywhere css-display-none 1 10",
      ]
    )
    #expect(found.reduce(0) { $0 + $1.bytes } == rules.reduce(0) { $0 + $1.utf8.count })
    #expect(found.allSatisfy { $0.compiledBytes > 0 && $0.measured == nil })
    // Only the pattern that goes on to the end has a cheaper spelling, and WebKit gains by it.
    let cheaper = found.filter { $0.cheaper != nil }
    #expect(cheaper.map(\.form) == [.oldHostAnchorToEnd])
    #expect(
      cheaper.first?.cheaper?.spelling == #"^[htpsw]+:\/\/([a-z0-9-]+\.)?c\.test[\0\/:&\?]"#
    )
    let (before, after) = (PatternForm.oldHostAnchorToEnd, PatternForm.oldHostAnchor)
    #expect(try #require(before.webKitFactor) > #require(after.webKitFactor))
  }

  @Test func measured() throws {
    let found = try groups([rule("/ads/"), rule("/b/"), rule(".*", hide)], measures: true)
    #expect(found.count == 2)
    for group in found {
      let measured = try #require(group.measured)
      #expect(measured.compileSeconds > 0 && measured.matchSeconds > 0)
    }
  }
}
