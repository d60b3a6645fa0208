import ContentRules
import EngineTestSupport
import ResourceLoads
import TestSupport
import Testing

@testable import RuleMatching

@Suite("Hosts of earlier requests")
struct HostMemoryTests {
  private static let labels = [
    "a", "ab", "abc", "test", "com", "co", "uk", "example", "cdn", "ads", "x-y",
    "averyveryverylonglabel",
  ]

  private static func rules(_ seed: UInt64) -> [Rule] {
    var random = RandomSource(seed: seed)
    return (0..<120).map { number in
      let host = (0..<Int.random(in: 1...3, using: &random))
        .map { _ in labels.randomElement(using: &random) ?? "" }.joined(separator: #"\."#)
      let anchor = HostAnchor.allCases[...4].randomElement(using: &random) ?? .http
      let tail =
        ["/", "[/:]", "/a", "", "/ab.*c", ":", "/A", "/aB", "/Ab[/]"].randomElement(using: &random)
        ?? ""
      let isCaseSensitive = Bool.random(using: &random)
      return Rule(number, "\(anchor.pattern)\(host)\(tail)", isCaseSensitive: isCaseSensitive)
    }
  }

  @Test(
    "they lead to the same filters as a scratch that has seen none",
    arguments: 0..<4 as Range<UInt64>
  )
  func same(seed: UInt64) throws {
    let lists = try [seed, seed + 100].map { seed in
      try CompiledRuleList(validating: compile(Self.rules(seed)))
    }
    var random = RandomSource(seed: seed &+ 1_000 &+ Effort.seed)
    var shared = MatchScratch()
    for list in lists { shared.prepare(for: list) }
    let nowhere: [UInt8] = []
    var pages = lists.map { _ in PageState() }
    for place in lists.indices {
      lists[place].update(&pages[place], topURL: nowhere.span, frameURL: nowhere.span, &shared)
    }
    var matched = 0
    for _ in 0..<3_000 * Effort.factor {
      let host = (0..<Int.random(in: 1...7, using: &random))
        .map { _ in Self.labels.randomElement(using: &random) ?? "" }.joined(separator: ".")
      let scheme =
        ["http://", "https://", "ws://", "HTTP://", "http:/"].randomElement(using: &random) ?? ""
      let path =
        ["", "/", "/a", "/abc", ":80/", "/ab/c", "?", "/A", "/aB/c", "/Ab/C", "/abcdefgH"]
        .randomElement(using: &random) ?? ""
      let url = Array((scheme + host + path).utf8)
      for place in lists.indices {
        var fresh = MatchScratch()
        fresh.prepare(for: lists[place])
        fresh.assign(url.span)
        shared.assign(url.span)
        let expected = lists[place].decide(
          LoadProperties(resourceType: .image, loadType: .firstParty),
          pages[place],
          &fresh
        )
        let decision = lists[place].decide(
          LoadProperties(resourceType: .image, loadType: .firstParty),
          pages[place],
          &shared
        )
        #expect(decision == expected)
        #expect(
          shared.matchedEntries.map(\.rule).sorted() == fresh.matchedEntries.map(\.rule).sorted(),
          "\(String(decoding: url, as: UTF8.self))"
        )
        matched += expected.isBlocked ? 1 : 0
      }
    }
    #expect(matched > 100)
  }

  @Test("A list never reads what one has stored that bore its number long before")
  func numbersBeginAgain() throws {
    // The same file but for the host, so that all else of a look-up is the same.
    let lists = try ["one", "two", "six"].map {
      try CompiledRuleList(validating: compile([Rule(0, #"^https?://([^/]+\.)?\#($0)\.com/"#)]))
    }
    let url = Array("https://one.com/".utf8)
    var scratch = MatchScratch()
    func blocks(_ list: CompiledRuleList) -> Bool {
      scratch.prepare(for: list)
      var page = PageState()
      list.update(&page, topURL: url.span, frameURL: url.span, &scratch)
      scratch.assign(url.span)
      return list.decide(
        LoadProperties(resourceType: .image, loadType: .firstParty),
        page,
        &scratch
      ).isBlocked
    }
    #expect(blocks(lists[0]))
    // More lists in turn than are remembered, so that each is new again when it returns.
    let others = try (0..<20).map { _ in
      try CompiledRuleList(validating: compile([Rule(0, "other")]))
    }
    for number in 1..<Int(HostMemory.mostNumbers) {
      scratch.prepare(for: others[number % others.count])
    }
    // It gets the first one's number, with which the first one's host was noted.
    #expect(!blocks(lists[1]))
    #expect(blocks(lists[0]))
    #expect(!blocks(lists[2]))
  }
}
