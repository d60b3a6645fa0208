import ContentBlocking
import ResourceLoads
import RuleMatching
import Testing

@Suite("What is hidden on a page")
struct PageHidingTests {
  private static func hide(_ trigger: String) -> (String, String) {
    (trigger, #""type":"css-display-none","selector":".a""#)
  }

  private static let rules = [
    hide(#""url-filter":".*""#),
    hide(#""url-filter":".*","if-domain":["page.test"]"#),
    hide(#""url-filter":".*","unless-domain":["page.test"]"#),
    hide(#""url-filter":"/style""#),
    hide(#""url-filter":".*","resource-type":["image"]"#),
    (#""url-filter":"/style""#, #""type":"block""#),
    (#""url-filter":"/clean""#, #""type":"ignore-previous-rules""#),
    hide(#""url-filter":"x""#),
  ]

  @Test("it is the sum of what the loads hide, ignore rules taken into account")
  func sums() throws {
    let list = try contentRuleList(listText(Self.rules))
    var blocker = ContentBlocker(lists: [list, list])
    var page = PageHiding(listCount: 2)
    var expected: Set<Int> = []
    let paths = ["a", "style.css", "clean/x", "a?x", "style.css?clean", "a", "style.css"]
    for path in paths {
      for type in [ResourceType.image, .script] {
        let load = try makeLoad("https://page.test/\(path)", type: type)
        let decision = blocker.decision(for: load)
        let rules = decision.actions.filter { $0.kind == .cssDisplayNone && $0.list == 0 }
          .flatMap(\.rules)
        // Both lists are the same.
        #expect(blocker.addHiding(of: load, to: &page) == 2 * rules.count, "\(path)")
        expected.formUnion(rules)
      }
    }
    #expect(page.rules(ofList: 0) == expected.sorted())
    #expect(page.rules(ofList: 1) == expected.sorted())
    #expect(page.count == 2 * expected.count)
    #expect(expected.count > 3)
    #expect(page.attachesGlobalSheet == [true, true])
  }

  @Test("a page all of whose loads an ignore-previous-rules acts on attaches no global sheet")
  func sheets() throws {
    let list = try contentRuleList(listText(Self.rules))
    var blocker = ContentBlocker(lists: [list])
    var page = PageHiding(listCount: 1)
    blocker.addHiding(of: try makeLoad("https://page.test/clean"), to: &page)
    #expect(page.attachesGlobalSheet == [false])
    #expect(page.rules(ofList: 0) == [])
  }

  @Test("explanations without hiding rules lack these alone")
  func details() throws {
    let list = try contentRuleList(listText(Self.rules))
    var blocker = ContentBlocker(lists: [list])
    let load = try makeLoad("https://page.test/style/x")
    let sources = [ListSource(list.source)]
    let all = blocker.explanation(for: load, sources: sources)
    let short = blocker.explanation(for: load, sources: sources, detail: .ranges)
    #expect(all.matches.map(\.rule).contains(3))
    #expect(short.matches == all.matches.filter { $0.rule == 5 })
    #expect(short.matches.count == 1)
    #expect(short.decision.actions == all.decision.actions.filter { $0.kind == .block })
    #expect(short.decision.lists == all.decision.lists)
    #expect(short.decision.hiddenSelectors.isEmpty)
    let bare = blocker.explanation(for: load, sources: sources, detail: [])
    #expect(bare.matches.map(\.rule) == [5] && bare.matches[0].urlRange == nil)
    #expect(short.matches[0].urlRange != nil)
  }
}
