import ContentBlocking
import Measuring
import ResourceLoads
import RuleMatching
import Testing

@Suite("Decisions and memory")
struct DecisionAllocationTests {
  /// Rules that are met twice are taken out in one way if up to 16 match, in another if more do; with the last
  /// rule, one more than `count` match.
  @Test(
    "a decision made again allocates nothing, however many rules match",
    arguments: [0, 1, 14, 15, 16, 40, 3_000]
  )
  func allocateNothing(besideLast count: Int) throws {
    let rules = (0..<count).map { number in
      // Under different keys, so that they are not found in the list's order.
      #"""
      {"trigger": {"url-filter": "\#(number.isMultiple(of: 2) ? "/path/to" : "advert")"},
       "action": {"type": "css-display-none", "selector": ".a\#(count - number)"}}
      """#
    }
    let last = #"{"trigger": {"url-filter": "banner"}, "action": {"type": "block"}}"#
    let text = Array("[\((rules + [last]).joined(separator: ","))]".utf8)
    let list = try CompiledRuleList(validating: ContentRuleList.compile(text).file)
    let page = Array("https://site.example/".utf8)
    let url = Array("https://ads.example/path/to/advert/banner.png".utf8)
    var scratch = MatchScratch()
    scratch.prepare(for: list)
    var state = PageState()
    list.update(&state, topURL: page.span, frameURL: page.span, &scratch)
    let properties = LoadProperties(
      resourceType: .image,
      loadType: .thirdParty,
      loadContext: .topFrame,
      requestMethod: .get
    )
    func decide() -> Bool {
      scratch.assign(url.span)
      return list.decide(properties, state, &scratch).isBlocked
    }
    var isBlocked = decide()
    #expect(isBlocked)
    #expect(Counting.allocations { isBlocked = decide() } == 0)
    #expect(isBlocked)
  }
}
