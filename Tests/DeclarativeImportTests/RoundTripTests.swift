import ContentBlocking
import ContentRules
import DeclarativeImport
import DeclarativeRules
import ResourceLoads
import TestSupport
import Testing
import WebURL

/// A rule list that becomes declarative rules and comes back.
@Suite("Rule lists that come back from declarative rules", .disabled(if: SharedData.isAbsent))
struct RoundTripTests {
  @Test("a real list blocks the same requests of a log")
  func realList() throws {
    let text = try SharedData.bytes("data/lists/ka-block.json")
    let rules = try #require(RuleListReader.read(text).ruleList?.rules)
    let translation = Translator.translate([DeclarativeList(name: "ka-block", rules: rules)])
    let back = try ImportBench(AgreementWithModelTests.json(translation.rules))
    #expect(back.list.count(.impossible) == 0)
    var blocker = ContentBlocker(
      lists: [try ContentRuleList(identifier: "ka-block", encodedContentRuleList: text)]
    )
    var counts = (requests: 0, blocked: 0)
    let rows = try SharedData.lines("data/requests/top500-2019.tsv").dropFirst()
    for (number, row) in rows.enumerated() where number % 20 == Int(Effort.seed % 20) {
      let columns = row.split(separator: "\t", omittingEmptySubsequences: false)
      guard let url = WebURL(String(columns[0])), let page = WebURL(String(columns[1])),
        let type = ResourceType.words.first(where: { "\($0.word)" == columns[3] })?.type
      else { continue }
      let load = ResourceLoad(url: url, topURL: page, resourceType: type)
      let isBlocked = blocker.outcome(for: load).isBlocked
      counts.requests += 1
      counts.blocked += isBlocked ? 1 : 0
      #expect(back.outcome(load).isBlocked == isBlocked, "\(load)")
    }
    #expect(counts.requests > 500 && counts.blocked > 50, "\(counts)")
  }
}
