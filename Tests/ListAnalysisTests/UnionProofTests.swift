import ContentBlocking
import ContentRules
import ListAnalysis
import TestSupport
import Testing

/// Lists whose rules are cut in different ways: equality is proved where it holds, and never where
/// a piece is missing.
@Suite struct UnionProofTests {
  private func comparison(_ old: [String], _ new: [String]) throws -> Comparison {
    var comparator = try ListComparator(old: input(old), new: input(new))
    return try comparator.comparison()
  }

  private func input(_ rules: [String]) throws -> ListInput { try #require(ListInput(rules)) }

  /// A rule as pieces: what makes it a union.
  private struct Piece: Hashable {
    var filter: String
    var domain: String?
    var type: String
    var selector: String?
  }

  private static func text(
    _ filter: String,
    domains: [String],
    types: [String],
    selectors: [String]
  ) -> String {
    var keys = #""url-filter":"\#(filter)""#
    func list(_ words: [String]) -> String {
      "[" + words.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }
    if !domains.isEmpty { keys += #","if-domain":\#(list(domains))"# }
    if !types.isEmpty { keys += #","resource-type":\#(list(types))"# }
    let action =
      selectors.isEmpty
      ? #""type":"block""#
      : #""type":"css-display-none","selector":"\#(selectors.joined(separator: ", "))""#
    return #"{"trigger":{\#(keys)},"action":{\#(action)}}"#
  }

  private static func exception(
    _ filter: String,
    _ kind: String = "ignore-previous-rules"
  ) -> String {
    #"{"trigger":{"url-filter":"\#(filter)"},"action":{"type":"\#(kind)"}}"#
  }

  private static let both = ["script", "image"]

  @Test func unionOfDomains() throws {
    func block(_ domains: [String]) -> String {
      Self.text("/ads/", domains: domains, types: [], selectors: [])
    }
    let whole = [block(["*a.test", "b.test", "c.test"])]
    #expect(
      try comparison(whole, [block(["c.test"]), block(["*a.test", "b.test"])]).isEqual == true
    )
    // A domain is missing; a host does not stand for its subdomains.
    #expect(try comparison(whole, [block(["c.test"]), block(["*a.test"])]).isEqual == false)
    #expect(
      try comparison(whole, [block(["c.test"]), block(["a.test", "b.test"])]).isEqual == false
    )
  }

  @Test func unionOfSelectorsAndTypes() throws {
    func hide(_ selectors: [String], _ types: [String] = []) -> String {
      Self.text("/page/", domains: ["a.test"], types: types, selectors: selectors)
    }
    let whole = [hide([".x", ".y", ".z"])]
    #expect(try comparison(whole, [hide([".z", ".x"]), hide([".y"])]).isEqual == true)
    #expect(try comparison(whole, [hide([".x"]), hide([".y"])]).isEqual == false)
    func block(_ types: [String]) -> String {
      Self.text("/ads/", domains: ["a.test", "b.test"], types: types, selectors: [])
    }
    let script = Self.text("/ads/", domains: ["a.test"], types: ["script"], selectors: [])
    let rest = Self.text("/ads/", domains: ["b.test"], types: Self.both, selectors: [])
    let image = Self.text("/ads/", domains: ["a.test"], types: ["image"], selectors: [])
    #expect(try comparison([block(Self.both)], [script, rest, image]).isEqual == true)
    #expect(try comparison([block(Self.both)], [script, rest]).isEqual == false)
  }

  @Test(arguments: ["ignore-previous-rules", "ignore-following-rules"])
  func exceptionsBetween(kind: String) throws {
    func block(_ domains: [String]) -> String {
      Self.text("/ads/", domains: domains, types: [], selectors: [])
    }
    let (meets, misses) = (
      Self.exception("/ads/ours/", kind), Self.exception("^https://x/y$", kind)
    )
    let whole = block(["a.test", "b.test"])
    func split(_ exception: String) -> [String] {
      [block(["a.test"]), exception, block(["b.test"])]
    }
    let other = Self.text("^https://x/", domains: ["z.test"], types: [], selectors: [])
    #expect(try comparison([whole, meets], split(meets)).isEqual == false)
    #expect(try comparison([meets, whole], split(meets)).isEqual == false)
    #expect(
      try comparison([other, whole, misses, other], [other] + split(misses) + [other]).isEqual
        == true
    )
  }

  /// What is superfluous in one of the lists may be missing in the other one.
  @Test func withSuperfluousRules() throws {
    func block(_ filter: String, _ domains: [String]) -> String {
      Self.text(filter, domains: domains, types: [], selectors: [])
    }
    let late = Self.exception("/ads/ours/")
    let old = [
      Self.exception("/never/"), block("/ads/", ["a.test"]), block("/ads/", ["b.test"]),
      block("/ads/banner", ["a.test"]), block("/ads/ours/x", []), late,
    ]
    #expect(
      try comparison(old, [block("/ads/", ["a.test", "b.test"]), late]).isEqual == true
    )
    #expect(try comparison(old, [block("/ads/", ["a.test"]), late]).isEqual == false)
  }

  /// The global sheet goes with any exception; another rule that hides does not.
  @Test func globalSheet() throws {
    func hide(_ selectors: [String], _ types: [String] = []) -> String {
      Self.text(".*", domains: [], types: types, selectors: selectors)
    }
    let exception = Self.exception("/ours/")
    #expect(
      try comparison([hide([".a"]), hide([".b"]), exception], [hide([".a", ".b"]), exception])
        .isEqual == true
    )
    #expect(
      try comparison([hide([".a", ".b"]), exception], [hide([".a"]), exception, hide([".b"])])
        .isEqual == false
    )
  }

  /// Rules are cut into pieces and put together in another way, which is equal.
  ///
  /// Then a piece is left out, or put behind an exception that it meets: never called equal, unless it
  /// made no difference.
  @Test func generated() throws {
    var (equal, undecided, different) = (0, 0, 0)
    for number in 0..<(12 * Effort.factor) {
      var random = RandomSource(seed: Effort.seed &* 7_919 &+ UInt64(number))
      let gaps = (0..<3).map { _ in Self.pieces(&random) }
      let exceptions = [
        Self.exception(random.pick(["/ads/ours/", "/b/", "^https://x/"])),
        Self.exception(
          random.pick(["/ads/", "/c/x"]),
          random.pick(["ignore-following-rules", "ignore-previous-rules"])
        ),
      ]
      func list(_ gaps: [[Piece]]) -> [String] {
        var rules: [String] = []
        for (place, pieces) in gaps.enumerated() {
          rules += Self.rules(of: pieces, &random)
          if place < exceptions.count { rules.append(exceptions[place]) }
        }
        return rules
      }
      let old = list(gaps)
      let same = try comparison(old, list(gaps))
      #expect(same.isEqual == true, "seed \(number)")
      if same.isEqual == true { equal += 1 }
      var changed = gaps
      let gap = random.number(below: gaps.count)
      let piece = changed[gap].remove(at: random.number(below: changed[gap].count))
      if random.number(below: 2) == 0 { changed[(gap + 1) % gaps.count].append(piece) }
      let new = list(changed)
      let found = try comparison(old, new)
      switch found.isEqual {
      case true: try confirm(old, new, number)
      case false: different += 1
      default: undecided += 1
      }
    }
    #expect(equal > 9 && different > undecided)
  }

  /// Tries two lists on every kind of load that their pieces distinguish.
  private func confirm(_ old: [String], _ new: [String], _ seed: Int) throws {
    var confirmation = Confirmation(
      before: try ContentRuleList(
        identifier: "old",
        encodedContentRuleList: Array("[\(old.joined(separator: ","))]".utf8)
      ),
      after: try ContentRuleList(
        identifier: "new",
        encodedContentRuleList: Array("[\(new.joined(separator: ","))]".utf8)
      )
    )
    for path in ["ads/", "ads/ours/", "b/", "c/", "c/x", "ads/b/", "ads/c/x", "b/c/x", "d/"] {
      for host in ["x", "y.test"] {
        for page in ["a.test", "s.a.test", "b.test", "c.test", "d.test"] {
          for type in ["script", "image", "font"] {
            let load = try #require(
              Self.load("https://\(host)/\(path)", on: "https://\(page)/", type)
            )
            let agrees = confirmation.agrees(on: load)
            #expect(
              agrees,
              "seed \(seed): \(load)\n\(old.joined(separator: "\n"))\n\n\(new.joined(separator: "\n"))"
            )
            if !agrees { return }
          }
        }
      }
    }
  }

  private static func load(_ url: String, on page: String, _ type: String) -> ResourceLoad? {
    guard let url = WebURL(url), let page = WebURL(page) else { return nil }
    let types: [String: ResourceType] = ["script": .script, "image": .image, "font": .font]
    return types[type].map { ResourceLoad(url: url, topURL: page, resourceType: $0) }
  }

  private static func pieces(_ random: inout RandomSource) -> [Piece] {
    var pieces: Set<Piece> = []
    for _ in 0..<(1 + random.number(below: 3)) {
      let filter = random.pick(["/ads/", "/b/", "/c/", "/ads/ours/"])
      let selectors: [String?] = random.pick([[nil], [".x", ".y"], [".x", ".y", ".z"]])
      for domain in ["*a.test", "b.test", "c.test"].prefix(1 + random.number(below: 3)) {
        for type in Self.both.prefix(1 + random.number(below: 2)) {
          for selector in selectors {
            pieces.insert(Piece(filter: filter, domain: domain, type: type, selector: selector))
          }
        }
      }
    }
    return pieces.sorted { "\($0)" < "\($1)" }
  }

  /// Puts pieces together that differ in one part alone, at random.
  private static func rules(of pieces: [Piece], _ random: inout RandomSource) -> [String] {
    var rest = pieces
    for place in rest.indices.reversed() { rest.swapAt(place, random.number(below: place + 1)) }
    var rules: [String] = []
    while let first = rest.first {
      let part = random.number(below: 4)
      var joined: [Piece] = []
      rest.removeAll { piece in
        var piece = piece
        let own = piece
        switch part {
        case 0: piece.domain = first.domain
        case 1: piece.type = first.type
        case 2 where first.selector != nil && piece.selector != nil: piece.selector = first.selector
        default: break
        }
        guard piece == first, own == first || random.number(below: 4) > 0 else { return false }
        joined.append(own)
        return true
      }
      func parts(_ values: [String?]) -> [String] { Array(Set(values.compactMap(\.self))).sorted() }
      rules.append(
        text(
          first.filter,
          domains: parts(joined.map(\.domain)),
          types: parts(joined.map(\.type)),
          selectors: parts(joined.map(\.selector))
        )
      )
    }
    return rules
  }
}
