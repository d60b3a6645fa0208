import Automata
import ContentRules
import EngineTestSupport
import RuleCompiler
import RuleMatching
import TestSupport
import Testing

/// Patterns that become pieces, tables and threads, found by key, gram or always.
private let patterns: [String] = [
  "a", "/a/", "a.b", "ab.*ba", "^ab", "ab$", "a.*b.*a$", "^a.*b$", "a.+b", "a.+b.+$", "[ab]b$",
  "^[^:]+://", "a[0-9]b", "abab", "ababab", "abababab", "aabb.aabb", "abba.*baab", "a{1,}b", "a+b",
  "ab?a", "(ab)?c", "(ab)+c", "(ab)*ca", "(a(b)?)+c", "((ab)?c)*d", "(a.*)?b", "a(.*b)?$",
  "abcd([/:].*)?$", "^https?://", "^https?://a", "^https?://([^/]+\\.)?ab[:/]",
  "^https?://([^/]+\\.)?ab", "^https?://([^/]+\\.)?abcd", "^https?://([^/]+\\.)?abcdefgh",
  "^https?://([^/]+\\.)?abcdefgh[0-9]", "^https?://([^/]+\\.)?ab([/:].*)?$",
  "^https?://([^/]+\\.)?ab.*/x", "^[^:]+:(//)?([^/]+\\.)?ab[.]cd/", "^[htpsw]+://ab/",
  "^[htpsw]+://([a-z0-9-]+\\.)?ab\\.cd[:/]", "[^a-z0-9_.%-]ab[^a-z0-9_.%-]", "/ab/[a-z]+/cd$",
  "a[^b]+b[^a]+a", "x(y(z)?)?", "\\.js$", "[.]js([?].*)?$",
  "^data:", ".*abcd.*efgh.*", "[ab][ab][ab][ab]", "AbCd", "[A-C]d[^D-F]", "a.?b.?c.?d",
  "[qz][xj][zk][vq][jx][qz][xk][zj][ab][hw][eo][rn][ei][ns][ao][te][in][os][re][an][ab]s",
  "s[ab][qz][xj][zk][vq][jx][qz][xk][zj][vq][ab][th][he][er][in][an][on][at]",
  "[ab][qz][xj][zk][vq]",
  "(abcd)+efgh", "abcd(efgh)?", "(abcdefg)?hijk(lmnop)+", "s...t", "\u{7F}ab",
]

@Suite("Programs")
struct ProgramTests {
  private static func alphabet(of pattern: String) -> [UInt8] {
    Array(Set(pattern.utf8.filter { $0 < 128 } + "abAB/:.h0".utf8)).sorted()
  }

  @Test("every machine agrees with the simulated automaton", arguments: patterns, [false, true])
  func machines(_ pattern: String, _ isCaseSensitive: Bool) throws {
    let oracle = try PatternOracle(pattern, isCaseSensitive: isCaseSensitive)
    let rule = Rule(0, pattern, isCaseSensitive: isCaseSensitive)
    var decider = Decider(try CompiledRuleList(validating: compile([rule])))
    var threads = Decider(
      try CompiledRuleList(validating: compile([rule], limits: SampleLists.noTables))
    )
    let table = oracle.nfa.determinized(stateLimit: 2_000, stopsAtAccept: true)
    let minimal = table?.minimized()
    var random = RandomSource(seed: UInt64(pattern.utf8.count) &+ 17 &* Effort.seed)
    let alphabet = Self.alphabet(of: pattern)
    var matched = 0
    for round in 0..<120 * Effort.factor {
      var text = random.text(of: alphabet, upTo: 4)
      switch round % 3 {
      case 0: text = random.text(of: alphabet, upTo: 12)
      case 1: text = oracle.matchingText(&random)
      default:
        let middle = oracle.matchingText(&random)
        text = random.mutated(text + middle + text, alphabet: alphabet)
      }
      guard text.allSatisfy({ 1..<128 ~= $0 }) else { continue }
      let expected = oracle.matches(text)
      matched += expected ? 1 : 0
      let shown = String(decoding: text, as: UTF8.self)
      #expect(decider.rules(text) == (expected ? [0] : []), "\(shown)")
      #expect(threads.rules(text) == (expected ? [0] : []), "threads, \(shown)")
      if let table, let minimal {
        #expect(table.actions(reading: text + [0]).isEmpty == !expected, "table, \(shown)")
        #expect(minimal.actions(reading: text + [0]).isEmpty == !expected, "minimal, \(shown)")
      }
    }
    #expect(matched > 0, "nothing matched")
  }

  @Test(
    "an automaton that only waits for the end stops where no byte above 127 follows",
    arguments: [
      "^[^:]+:(//)?([^/]+\\.)?adnxs1*\\.com([^-_.%a-z0-9].*)?$", "^([ab][ba])+(/.*)?$",
      "^([ab][ba])+(/[^#]*)?$",
    ]
  )
  func waiting(_ pattern: String) throws {
    let oracle = try PatternOracle(pattern, isCaseSensitive: false)
    var decider = Decider(try CompiledRuleList(validating: compile([Rule(0, pattern)])))
    var matched = 0
    let starts = [
      "https://adnxs.com/", "https://x.adnxs1.com?", "https://adnxs.community/", "abba/", "ab", "/",
    ]
    for start in starts {
      for length in [0, 1, 30, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 1_000, 5_000] {
        for end in ["", "z", "#", "/", "#z"] {
          let text = Array((start + String(repeating: "y", count: length) + end).utf8)
          let expected = oracle.matches(text)
          matched += expected ? 1 : 0
          #expect(decider.rules(text) == (expected ? [0] : []), "\(start), \(length), \(end)")
          // No pattern goes past such a byte, and `$` is behind it.
          #expect(decider.rules(text + [0xC3, 0xA4]) == [])
        }
      }
    }
    #expect(matched > 40)
  }

  @Test("patterns in one list do not disturb each other", arguments: [false, true])
  func together(_ withoutTables: Bool) throws {
    var rules: [Rule] = []
    var oracles: [PatternOracle] = []
    for pattern in patterns {
      for isCaseSensitive in [false, true] {
        let oracle = try PatternOracle(pattern, isCaseSensitive: isCaseSensitive)
        rules.append(Rule(rules.count, pattern, isCaseSensitive: isCaseSensitive))
        oracles.append(oracle)
      }
    }
    let limits = withoutTables ? SampleLists.noTables : CompilerLimits()
    var decider = Decider(try CompiledRuleList(validating: compile(rules, limits: limits)))
    var random = RandomSource(seed: 99 &* Effort.seed)
    let alphabet = Array("abAB/:.h01cdefgh".utf8)
    for round in 0..<250 * Effort.factor {
      let start = oracles[round % oracles.count].matchingText(&random)
      let second = oracles.randomElement(using: &random)?.matchingText(&random) ?? []
      let text = random.mutated(start + second, alphabet: alphabet)
      guard text.allSatisfy({ 1..<128 ~= $0 }) else { continue }
      let expected = oracles.indices.filter { oracles[$0].matches(text) }.map { UInt32($0) }
      #expect(decider.rules(text) == expected, "\(String(decoding: text, as: UTF8.self))")
    }
  }
}
