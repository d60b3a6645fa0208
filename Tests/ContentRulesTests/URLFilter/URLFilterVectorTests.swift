import ContentRules
import Foundation
import Testing

private struct StatusVector: Decodable, Sendable {
  struct Generator: Decodable, Sendable {
    var `repeat`: String
    var count: Int
  }

  enum CodingKeys: String, CodingKey {
    case pattern, status
    case generator = "pattern_generator"
    case expectedKind = "expected_kind"
  }

  var pattern: String?
  var generator: Generator?
  var status: String
  var expectedKind: String?

  var text: String {
    pattern ?? generator.map { String(repeating: $0.repeat, count: $0.count) } ?? ""
  }
}

private struct PatternMatchGroup: Decodable, Sendable {
  struct Pattern: Decodable, Sendable {
    var pattern: String
    var id: Int
  }

  struct Case: Decodable, Sendable {
    enum CodingKeys: String, CodingKey {
      case input
      case ids = "match_ids"
    }

    var input: String
    var ids: [Int]
  }

  enum CodingKeys: String, CodingKey {
    case group, patterns, cases
    case isCaseSensitive = "case_sensitive"
  }

  var group: String
  var patterns: [Pattern]?
  var cases: [Case]
  var isCaseSensitive: Bool

  /// The patterns as listed, or four letters each: A–Z three times, then A–C.
  var allPatterns: [Pattern] {
    if let patterns { return patterns }
    var patterns: [Pattern] = []
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
    for first in letters {
      for second in letters {
        for third in letters {
          for last in letters.prefix(3) {
            patterns.append(
              Pattern(pattern: first + second + third + last, id: patterns.count)
            )
          }
        }
      }
    }
    return patterns
  }
}

private struct MatchGroup: Decodable, Sendable {
  struct Rule: Decodable, Sendable {
    struct Trigger: Decodable, Sendable {
      enum CodingKeys: String, CodingKey { case urlFilter = "url-filter" }
      var urlFilter: String
    }
    struct Action: Decodable, Sendable { var type: String }
    var trigger: Trigger
    var action: Action
  }

  struct Case: Decodable, Sendable {
    var url: String
    var expect: [Rule.Action]
  }

  var group: String
  var lists: [[Rule]]
  var cases: [Case]
}

@Suite("URL filters against the engine's tests")
struct URLFilterVectorTests {
  @Test("statuses", arguments: ["url-filter.json", "url-filter-observed.json"])
  func statuses(_ file: String) throws {
    let cases = try SpecificationVectors.groups(of: file, StatusVector.self).flatMap(\.cases)
    #expect(cases.count >= 50)
    for example in cases {
      let expected = example.status == "Accepted" ? example.expectedKind : example.status
      let found = outcome(of: example.text).status.rawValue
      #expect(found == expected, "\(example.text.prefix(80).debugDescription)")
    }
  }

  @Test("the terms match what the engine's automata match")
  func patternMatches() throws {
    let groups = try JSONDecoder().decode(
      [PatternMatchGroup].self,
      from: SpecificationVectors.data(of: "pattern-match.json")
    )
    for group in groups {
      let patterns = group.allPatterns
      // Every expected pattern, and a sample of the many others of the generated group.
      let step = patterns.count > 1_000 ? 29 : 1
      for example in group.cases {
        let input = TermSimulation.Input(example.input)
        var found: Set<Int> = []
        for (index, pattern) in patterns.enumerated()
        where index.isMultiple(of: step) || example.ids.contains(pattern.id) {
          let parsed = try URLFilterParser.parse(
            pattern.pattern,
            isCaseSensitive: group.isCaseSensitive
          ).get()
          if TermSimulation.matches(parsed, input) { found.insert(pattern.id) }
        }
        #expect(found == Set(example.ids), "\(group.group): \(example.input)")
      }
    }
  }

  @Test(
    "all patterns of the engine's match tests are accepted, and lone block rules match alike",
    arguments: ["match-regex.json", "match-automaton.json"]
  )
  func matchTests(_ file: String) throws {
    let groups = try JSONDecoder().decode(
      [MatchGroup].self,
      from: SpecificationVectors.data(of: file)
    )
    var simulated = 0
    for group in groups {
      let rules = group.lists.flatMap(\.self)
      let filters = try rules.prefix(2_000).map {
        try URLFilterParser.parse($0.trigger.urlFilter, isCaseSensitive: false).get()
      }
      guard filters.count <= 40, rules.allSatisfy({ $0.action.type == "block" }) else { continue }
      for example in group.cases where example.url.hasPrefix("http") && example.url.isASCII {
        let input = TermSimulation.Input(example.url)
        let isBlocked = filters.contains { TermSimulation.matches($0, input) }
        // A rule with a condition may still not apply; the other direction always holds.
        if !example.expect.isEmpty {
          #expect(isBlocked, "\(group.group): \(example.url)")
        }
        simulated += 1
      }
    }
    #expect(simulated > 0)
  }
}

extension String {
  fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 128 } }
}

/// Matches flat terms by keeping the set of places that a match can have reached.
///
/// Slow and short on purpose; it shares nothing with the engine that it checks.
enum TermSimulation {
  /// A URL's bytes with the end marker behind them.
  struct Input {
    var bytes: [UInt8]

    init(_ text: String) {
      bytes = Array(text.utf8) + [0]
    }
  }

  static func matches(_ filter: ParsedURLFilter, _ input: Input) -> Bool {
    filter.matchesEverything
      || !run(filter.terms, 0..<filter.terms.count, from: [0], input).isEmpty
  }

  private static func run(
    _ terms: [Term],
    _ range: Range<Int>,
    from start: Set<Int>,
    _ input: Input
  ) -> Set<Int> {
    var places = start
    var index = range.lowerBound
    while index < range.upperBound, !places.isEmpty {
      let term = terms[index]
      var length = 1
      if case .group(let count) = term.kind { length += count }
      func once(_ places: Set<Int>) -> Set<Int> {
        switch term.kind {
        case .group(let count):
          return run(terms, index + 1..<index + 1 + count, from: places, input)
        case .characters(let set):
          return Set(
            places.lazy.filter { $0 < input.bytes.count && set.contains(input.bytes[$0]) }
              .map { $0 + 1 }
          )
        }
      }
      switch term.quantifier {
      case .one: places = once(places)
      case .zeroOrOne: places.formUnion(once(places))
      case .oneOrMore: places = closure(of: once(places), under: once)
      case .zeroOrMore: places = closure(of: places, under: once)
      }
      index += length
    }
    return places
  }

  private static func closure(
    of places: Set<Int>,
    under step: (Set<Int>) -> Set<Int>
  ) -> Set<Int> {
    var reached = places
    var fresh = places
    while !fresh.isEmpty {
      fresh = step(fresh).subtracting(reached)
      reached.formUnion(fresh)
    }
    return reached
  }
}

@Suite("Terms of a pattern")
struct TermSimulationTests {
  @Test(
    "the terms match what the pattern says",
    arguments: [
      ("abc", "xabcx", true), ("abc", "xabx", false), ("^abc", "abcd", true),
      ("^abc", "xabc", false), ("abc$", "xabc", true), ("abc$", "abcx", false),
      (#"foo[\0/]"#, "http://a/foo", true), (#"foo[\0/]"#, "http://a/foo/bar", true),
      (#"foo[\0/]"#, "http://a/foobar", false), ("a.c", "abc", true), ("ab.", "ab", false),
      ("ab[^x]", "ab", false), ("a(bc)+d", "abcbcd", true), ("a(bc)+d", "ad", false),
      ("a(bc)*d", "ad", true), ("a(bc?)?d", "abd", true), ("a[]b", "ab", false),
      ("ABC", "abc", true), ("^(a(b(c)?)+)$", "abbcb", true), ("^(a(b(c)?)+)$", "ac", false),
      ("a()b", "ab", true), ("^a.*b$", "axxb", true), ("^a.*b$", "axxbx", false),
      (#"\1a"#, "\u{1}a", true), (#"[\x41-\x43]x"#, "bx", true), ("^$", "anything", true),
    ]
  )
  func matching(_ pattern: String, _ input: String, _ expected: Bool) throws {
    let parsed = try URLFilterParser.parse(pattern, isCaseSensitive: false).get()
    #expect(TermSimulation.matches(parsed, TermSimulation.Input(input)) == expected)
  }
}
