import ContentRules
import EngineTestSupport
import ResourceLoads
import RuleMatching
import TestSupport
import Testing

/// The states of pages that follow each other, against automata that know nothing of indexes.
@Suite("Page states")
struct PageStateTests {
  /// Filters that match every URL, run on every one, or are looked up.
  private static let filters = [
    ".*", "^https?://", "https?:", "a[0-9]", "[a-c]x", "s?:/", "^[htps]+:.*b[0-9]", "ads", "banner",
  ]
  private static let domains = [
    "a.test", "*a.test", "www.a.test", "*b.test", "*test", "*co.uk", "x", "*[::1]", "*[::]",
    "*[a]b",
    "a.test:80", "*averyveryverylonglabel.test", "*0.1", "b",
  ]
  private static let patterns = [
    "^https?://a\\.test/[^?]*x", "b.*c", "a[0-9]", "\\\\[a-c]", "/A/", "x$", "[!-/]q", "^ws",
    // Keys of the same index as the domains', whose hosts are remembered for both.
    "^https?://([^/]+\\.)?a\\.test", "^[^:]+://+([^:/]+\\.)?test[:/]",
    "^https?://([^/:]*\\.)?b\\.test",
    // Texts of nearly every URL, by which none of them can be looked up.
    "https?://", "h?ttps?:/", "tps?:[/p]", "http(s)?:",
  ]
  private static let hosts = [
    "a.test", "www.a.test", "b.test", "x", "b", "a.b.test", "test", "www.co.uk", ".a.test",
    "a.test.",
    "averyveryverylonglabel.test", "127.0.0.1", "[::1]", "u@a.test", "a..test",
    "averyveryverylonglabel.averyveryverylonglabel.averyveryverylonglabel.a.test",
  ]
  private static let paths = [
    "", "/", "/x", "/a1", "/A/q", ":80/", ":8080/b1c", "/?u=http://a.test/", "/?\\:1/",
    "/x?://\\1:",
    "?a.test/", "/#s://b.test:", "/\\a", "/bc\\:/", "/?x://www.b.test", "//a.test/x",
  ]

  private struct Case {
    var rule: Rule
    var filter: PatternOracle?
    var entries: [PatternOracle]

    func applies(_ url: [UInt8], top: [UInt8], frame: [UInt8]) -> Bool {
      guard filter?.matches(url) ?? true else { return false }
      guard let condition = rule.trigger.condition else { return true }
      let page = condition.subject == .frameURL ? frame : top
      return entries.contains { $0.matches(page) } != condition.isNegated
    }
  }

  private static func oracle(_ pattern: String, isCaseSensitive: Bool = false) -> PatternOracle? {
    pattern == ".*" ? nil : try? PatternOracle(pattern, isCaseSensitive: isCaseSensitive)
  }

  private static func cases(_ random: inout RandomSource, count: Int) throws -> [Case] {
    try (0..<count).map { index in
      let filter = random.pick(filters)
      var condition: Condition?
      var oracles: [PatternOracle] = []
      if random.chance(85) {
        let subject: Condition.Subject = random.pick([.domain, .domain, .topURL, .frameURL])
        let isCaseSensitive = subject != .domain && random.chance(30)
        let entries = (0..<random.number(in: 1...3)).map { _ in
          random.pick(subject == .domain ? domains : patterns)
        }
        condition = Condition(
          subject: subject,
          isNegated: random.chance(40),
          entries: entries,
          isCaseSensitive: isCaseSensitive
        )
        oracles = try entries.map {
          try PatternOracle(
            subject == .domain
              ? String(decoding: DomainPattern.pattern(forDomain: $0), as: UTF8.self) : $0,
            isCaseSensitive: isCaseSensitive
          )
        }
      }
      // Without a condition it would be part of the global sheet, which is not among the matches.
      let mayHide = condition != nil || filter != ".*"
      let action: Action =
        mayHide && random.chance(40) ? .cssDisplayNone(selector: ".s\(index % 5)") : .block
      return Case(
        rule: Rule(index, filter, condition: condition, action: action),
        filter: oracle(filter),
        entries: oracles
      )
    }
  }

  private static func page(_ random: inout RandomSource) -> [UInt8] {
    let scheme = random.pick(["https://", "http://", "HTTP://", "ws://", "about:", "x-y://", "://"])
    let page = Array((scheme + random.pick(hosts) + random.pick(paths)).utf8)
    return random.chance(20)
      ? random.mutated(page, alphabet: Array("ab./:\\1[]?A".utf8)) : page
  }

  @Test(
    "one state and one scratch, used for page after page of several lists, say what automata say",
    arguments: 0..<6 as Range<UInt64>
  )
  func pages(seed: UInt64) throws {
    var random = RandomSource(seed: seed &+ Effort.seed)
    let cases = try [3, 40, 150].map { try Self.cases(&random, count: $0) }
    let lists = try cases.map {
      try CompiledRuleList(validating: compile($0.map(\.rule)))
    }
    var scratch = MatchScratch()
    for list in lists { scratch.prepare(for: list) }
    // One state for all lists: nothing that it knows of one may reach another.
    var page = PageState()
    let urls = ["https://ads.test/a1", "http://b7/banner", "x:cx", "ftp://a9/"].map {
      Array($0.utf8)
    }
    var counts = (applied: 0, not: 0)
    for _ in 0..<400 * Effort.factor {
      let top = Self.page(&random)
      let frame = random.chance(50) ? top : Self.page(&random)
      for place in lists.indices {
        lists[place].update(&page, topURL: top.span, frameURL: frame.span, &scratch)
        for url in urls {
          scratch.assign(url.span)
          _ = lists[place].decide(
            LoadProperties(resourceType: .script, loadType: .thirdParty),
            page,
            &scratch
          )
          let found = Set(lists[place].matchedEntries(page, scratch).map { Int($0.rule) })
          let expected = Set(
            cases[place].filter { $0.applies(url, top: top, frame: frame) }.map(\.rule.index)
          )
          #expect(
            found == expected,
            "\(String(decoding: url, as: UTF8.self)) on \(String(decoding: top, as: UTF8.self))"
          )
          counts.applied += expected.count
          counts.not += cases[place].count - expected.count
        }
      }
    }
    #expect(counts.applied > 10_000 && counts.not > 10_000)
  }
}
