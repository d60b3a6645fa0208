import ContentRules
import EngineTestSupport
import ResourceLoads
import TestSupport
import Testing

@testable import RuleMatching

/// Filters that many rules share, which are looked up by the page's conditions.
@Suite("Crowded filters")
struct CrowdedFiltersTests {
  /// A rule that applies on some of the pages `https://siteN.test/`.
  private struct Case {
    var rule: Rule
    /// A text of the URLs that the filter matches.
    var text: String
    /// The sites of the condition; `nil` without one.
    var sites: Set<Int>?
    var isNegated = false
    var isForImages = false

    func applies(_ url: String, site: Int, isImage: Bool) -> Bool {
      url.contains(text) && (!isForImages || isImage)
        && (sites.map { $0.contains(site) != isNegated } ?? true)
    }
  }

  private static let sites = 40
  /// A filter behind a host, two with a tail behind one host, two that are looked up by a text, and one that always runs.
  private static let filters = [
    ("^https?://([^/]+\\.)?crowd\\.test[:/]", "crowd.test/"),
    ("^https?://([^/]+\\.)?tails\\.test/ads", "tails.test/ads"),
    ("^https?://([^/]+\\.)?tails\\.test/banner.*x", "tails.test/bannerx"),
    ("/gathering/", "/gathering/"), ("/throng.*z", "/throngz"), ("[0-9]q", "7q"),
  ]
  private static let urls = [
    "https://a.crowd.test/", "https://tails.test/ads", "https://a.tails.test/bannerx",
    "https://x.test/gathering/", "https://x.test/throngz", "https://x.test/7q",
    "https://crowd.test.x/", "https://tails.test/", "https://tails.test/bannery",
    "https://x.test/gathering", "https://crowd.test/gathering/throngz/7q",
    "https://x.tails.test/ads/gathering/?throngz",
  ]

  private static func cases(_ random: inout RandomSource, sharedBy counts: [Int]) -> [Case] {
    var cases: [Case] = []
    for (filter, count) in zip(filters, counts) {
      for _ in 0..<count {
        let isForImages = random.chance(30)
        var new = Case(
          rule: Rule(0, filter.0),
          text: filter.1,
          isForImages: isForImages
        )
        if random.chance(90) {
          new.sites = Set(
            (0..<random.number(in: 1...3)).map { _ in random.number(below: Self.sites) }
          )
          new.isNegated = random.chance(25)
        }
        cases.append(new)
      }
    }
    // In the order of a list, the rules of the filters come mixed.
    cases.shuffle(using: &random)
    for index in cases.indices {
      let condition = cases[index].sites.map { sites in
        Condition(
          subject: .domain,
          isNegated: cases[index].isNegated,
          entries: sites.sorted().map { "*site\($0).test" }
        )
      }
      let action: Action =
        switch random.number(in: 0...9) {
        case 0: .cssDisplayNone(selector: ".s\(index % 7)")
        case 1: .ignorePreviousRules
        case 2: .blockCookies
        default: .block
        }
      cases[index].rule = Rule(
        index,
        cases[index].rule.trigger.urlFilter.text,
        flags: cases[index].isForImages ? TriggerFlags(resourceTypes: .image) : TriggerFlags(),
        condition: condition,
        action: action
      )
    }
    return cases
  }

  @Test("rules match as if each filter were its own", arguments: 0..<8 as Range<UInt64>)
  func matching(seed: UInt64) throws {
    var random = RandomSource(seed: seed &+ Effort.seed)
    let least = CrowdedFilters.leastPostings
    let counts = (0..<Self.filters.count).map { _ in
      random.pick([least - 1, least, least + 4, 3 * least, 20 * least])
    }
    let cases = Self.cases(&random, sharedBy: counts)
    let list = try CompiledRuleList(validating: compile(cases.map(\.rule)))
    var scratch = MatchScratch()
    scratch.prepare(for: list)
    // One state for all pages: nothing that it knows of one may reach another.
    var page = PageState()
    var applied = 0
    for site in 0..<Self.sites + 2 {
      let top = Array("https://www.site\(site).test/".utf8)
      list.update(&page, topURL: top.span, frameURL: top.span, &scratch)
      for url in Self.urls {
        let bytes = Array(url.utf8)
        for isImage in [true, false] {
          scratch.assign(bytes.span)
          _ = list.decide(
            LoadProperties(resourceType: isImage ? .image : .script, loadType: .thirdParty),
            page,
            &scratch
          )
          let found = list.matchedEntries(page, scratch).map { Int($0.rule) }
          let expected = cases.filter { $0.applies(url, site: site, isImage: isImage) }
            .map(\.rule.index)
          #expect(found.sorted() == expected, "\(url) on \(site), \(counts)")
          applied += expected.count
        }
      }
    }
    #expect(applied > 1000)
  }

  @Test("a filter is crowded from a number of rules with conditions on that must match")
  func limits() throws {
    let least = CrowdedFilters.leastPostings
    func crowded(conditions: Int, negated: Int, plain: Int) throws -> Int {
      let all = (0..<conditions + negated + plain).map { number in
        Rule(
          number,
          "^https?://([^/]+\\.)?crowd\\.test[:/]",
          flags: TriggerFlags(loadTypes: number % 2 == 0 ? .thirdParty : .firstParty),
          condition: number < conditions + negated
            ? Condition(
              subject: .domain,
              isNegated: number >= conditions,
              entries: ["*site\(number).test"]
            ) : nil,
          action: number % 3 == 0 ? .blockCookies : .block
        )
      }
      let list = try CompiledRuleList(validating: compile(all))
      return list.crowded.filters.reduce(0) { sum, filter in
        sum + filter.usual.count + list.crowded.conditional.count
      }
    }
    #expect(try crowded(conditions: least - 1, negated: 0, plain: 0) == 0)
    #expect(try crowded(conditions: least, negated: 0, plain: 0) == least)
    #expect(try crowded(conditions: least - 1, negated: least, plain: 0) == 0)
    #expect(try crowded(conditions: least, negated: least, plain: 0) == 2 * least)
  }

  @Test("a filter is looked up by where its postings begin, and by nothing near")
  func lookUp() throws {
    var random = RandomSource(seed: Effort.seed)
    let cases = Self.cases(&random, sharedBy: [50, 60, 70, 80, 90, 100])
    let list = try CompiledRuleList(validating: compile(cases.map(\.rule)))
    // What always runs is in a table of its own.
    #expect(list.crowded.filters.count == Self.filters.count - 1)
    for (number, filter) in list.crowded.filters.enumerated() {
      #expect(list.crowded.filter(at: filter.postings.lowerBound) == number)
      #expect(list.crowded.filter(at: filter.postings.lowerBound - 1) == nil)
      #expect(list.crowded.filter(at: filter.postings.lowerBound + 1) == nil)
    }
    #expect(list.crowded.filter(at: .max) == nil)
  }
}
