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

  /// Without `webScheme`: a list that has it asks the cache for pages alone.
  private static let anchors: [HostAnchor] = [
    .anySchemeSlashes, .anySchemeOptionalSlashes, .http, .webSchemeExact, .httpLabels,
  ]

  private static func host(_ count: ClosedRange<Int>, _ random: inout RandomSource) -> String {
    (0..<Int.random(in: count, using: &random))
      .map { _ in labels.randomElement(using: &random) ?? "" }.joined(separator: ".")
  }

  private static func rules(_ seed: UInt64) -> [Rule] {
    var random = RandomSource(seed: seed)
    return (0..<120).map { number in
      let host = host(1...3, &random).replacing(".", with: #"\."#)
      let anchor = anchors.randomElement(using: &random) ?? .http
      let tail =
        ["/", "[/:]", "/a", "", "/ab.*c", ":", "/A", "/aB", "/Ab[/]", "/ab/c"]
        .randomElement(using: &random) ?? ""
      let subject = [Condition.Subject.domain, .topURL, nil].randomElement(using: &random) ?? nil
      let entry = Self.host(1...2, &random)
      return Rule(
        number,
        "\(anchor.pattern)\(host)\(tail)",
        isCaseSensitive: Bool.random(using: &random),
        condition: subject.map {
          Condition(
            subject: $0,
            isNegated: Bool.random(using: &random),
            entries: [$0 == .domain ? "*\(entry)" : "://\(entry)/"]
          )
        }
      )
    }
  }

  /// Hosts few enough to be met again and again.
  private static func hosts(_ random: inout RandomSource) -> [String] {
    (0..<80).map { _ in host(1...7, &random) }
      + ["a.co.", ".b.co", "A.co", "a\u{e9}.co", "a..co", "-"]
  }

  private static func url(_ hosts: [String], _ random: inout RandomSource) -> [UInt8] {
    let host = hosts.randomElement(using: &random) ?? ""
    let scheme =
      ["http://", "https://", "ws://", "HTTP://", "http:/"].randomElement(using: &random) ?? ""
    let path =
      [
        "", "/", "/a", "/abc", ":80/", "/ab/c", "?", "?x/", "/A", "/aB/c", "/Ab/C", "/abcdefgH",
        "/ab/c?u=",
      ].randomElement(using: &random) ?? ""
    let text = Array((scheme + host + path).utf8)
    // A URL in a query, as domains are searched for there as well.
    return path.last == "=" ? text + url(hosts, &random) : text
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
    let hosts = Self.hosts(&random)
    var pages = lists.map { _ in (shared: PageState(), fresh: PageState()) }
    var matched = 0
    for _ in 0..<3_000 * Effort.factor {
      let url = Self.url(hosts, &random)
      let top = Self.url(hosts, &random)
      for place in lists.indices {
        var fresh = MatchScratch()
        fresh.prepare(for: lists[place])
        lists[place].update(&pages[place].fresh, topURL: top.span, frameURL: top.span, &fresh)
        lists[place].update(&pages[place].shared, topURL: top.span, frameURL: top.span, &shared)
        // What the page's update has cached is not used.
        fresh = MatchScratch()
        fresh.prepare(for: lists[place])
        fresh.assign(url.span)
        shared.assign(url.span)
        let expected = lists[place].decide(
          LoadProperties(resourceType: .image, loadType: .firstParty),
          pages[place].fresh,
          &fresh
        )
        let decision = lists[place].decide(
          LoadProperties(resourceType: .image, loadType: .firstParty),
          pages[place].shared,
          &shared
        )
        #expect(decision == expected)
        #expect(
          shared.matchedEntries.map(\.rule).sorted() == fresh.matchedEntries.map(\.rule).sorted(),
          "\(String(decoding: url, as: UTF8.self)) on \(String(decoding: top, as: UTF8.self))"
        )
        matched += expected.isBlocked ? 1 : 0
      }
    }
    #expect(matched > 100)
  }

  @Test("A file that does not say where keys have no slash leads to the same filters")
  func olderFiles() throws {
    let file = CompiledFile(try compile(Self.rules(7)))
    let field = file.start(.urlIndex) + 44
    // Both occur, so that what is left out of the cache is tried, and what is kept in it.
    #expect(file.u32(field) != 0 && file.u32(field) != FilterIndex.slashless)
    func list(_ slashless: UInt32) throws -> CompiledRuleList {
      var file = file
      for byte in 0..<4 {
        file.bytes[field + byte] = UInt8(truncatingIfNeeded: slashless >> (8 * UInt32(byte)))
      }
      file.repair()
      return try CompiledRuleList(validating: file.bytes)
    }
    // What is not true costs answers, by which the test sees that it looks at such keys, and nothing else.
    let lists = try [file.u32(field), 0, .max].map(list)
    var random = RandomSource(seed: 8 &+ Effort.seed)
    let hosts = Self.hosts(&random)
    var scratch = MatchScratch()
    for list in lists { scratch.prepare(for: list) }
    let nowhere: [UInt8] = []
    let pages = lists.map { list in
      var page = PageState()
      list.update(&page, topURL: nowhere.span, frameURL: nowhere.span, &scratch)
      return page
    }
    var lost = 0
    for _ in 0..<6_000 * Effort.factor {
      let url = Self.url(hosts, &random)
      let found = zip(lists, pages).map { list, page in
        scratch.assign(url.span)
        _ = list.decide(
          LoadProperties(resourceType: .image, loadType: .firstParty),
          page,
          &scratch
        )
        return scratch.matchedEntries.map(\.rule).sorted()
      }
      #expect(found[0] == found[1], "\(String(decoding: url, as: UTF8.self))")
      lost += found[0] == found[2] ? 0 : 1
    }
    #expect(lost > 0)
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
