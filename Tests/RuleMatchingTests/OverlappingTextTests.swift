import ContentRules
import EngineTestSupport
import ResourceLoads
import TestSupport
import TextScanning
import Testing

@testable import RuleMatching

/// Texts that stand at several places which overlap, such as `aaaaaaa`.
///
/// What a pattern has behind a gap may follow only the first of these places.
@Suite struct OverlappingTextTests {
  /// Decides by a given scan, and tells matching rules as often as they were noted.
  private struct ScanDecider: ~Copyable {
    let list: CompiledRuleList
    var scratch: MatchScratch

    init(_ patterns: [String], scan: ScanCode) throws {
      let rules = patterns.enumerated().map { Rule($0, $1, action: .notify("\($0)")) }
      list = try CompiledRuleList(validating: compile(rules))
      scratch = MatchScratch(scanCode: scan)
      scratch.prepare(for: list)
    }

    mutating func rules(_ url: String) -> [Int] {
      var page = PageState()
      let url = Array(url.utf8)
      list.update(&page, topURL: url.span, frameURL: url.span, &scratch)
      scratch.assign(url.span)
      _ = list.decide(LoadProperties(resourceType: .image, loadType: .firstParty), page, &scratch)
      return scratch.matchedEntries.map { Int($0.rule) }.sorted()
    }
  }

  private static let codes = ScanCode.allCases.filter(\.isAvailable)

  @Test(
    "the rest may follow the first place alone",
    arguments: ["aaaaaaa.*ab", "aaaaaaa.*aab", "aaaaaaa.*aaab"],
    codes
  )
  func rest(pattern: String, scan: ScanCode) throws {
    // Up to four other filters, to which the same gram leads, stand in front of the one that matches.
    for others in 0...4 {
      let patterns = (0..<others).map { "aaaaaaa\($0).*x" } + [pattern]
      var decider = try ScanDecider(patterns, scan: scan)
      let oracle = try PatternOracle(pattern)
      for length in 7...30 {
        for front in ["", "-", "--", "---"] {
          let url = "http://x/\(front)\(String(repeating: "a", count: length))b"
          let expected = oracle.matches(Array(url.utf8)) ? [others] : []
          #expect(decider.rules(url) == expected, "\(url)")
        }
      }
    }
  }

  /// A few letters again and again.
  private static func run(_ lengths: ClosedRange<Int>, _ random: inout RandomSource) -> String {
    let period = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      Bool.random(using: &random) ? "a" : "b"
    }
    return (0..<Int.random(in: lengths, using: &random)).map { period[$0 % period.count] }.joined()
  }

  @Test("generated ones match as an automaton says", arguments: codes)
  func generated(scan: ScanCode) throws {
    var random = RandomSource(seed: 97 &+ Effort.seed)
    var (matched, asked) = (0, 0)
    for _ in 0..<200 * Effort.factor {
      let patterns = (0..<Int.random(in: 1...9, using: &random)).map { _ in
        (0..<Int.random(in: 1...3, using: &random)).map { place in
          Self.run(place == 0 ? 4...14 : 1...6, &random)
        }.joined(separator: ".*")
      }
      let oracles = try patterns.map { try PatternOracle($0) }
      var decider = try ScanDecider(patterns, scan: scan)
      for _ in 0..<20 {
        let count = Int.random(in: 1...4, using: &random)
        let runs = (0..<count).map { _ in Self.run(1...20, &random) }
        let url =
          "http://x/" + runs.joined(separator: ["", "-", "b"].randomElement(using: &random) ?? "")
        let expected = oracles.indices.filter { oracles[$0].matches(Array(url.utf8)) }
        #expect(decider.rules(url) == expected, "\(patterns) \(url)")
        matched += expected.count
        asked += patterns.count
      }
    }
    #expect(matched > asked / 20 && matched < asked * 19 / 20)
  }
}
