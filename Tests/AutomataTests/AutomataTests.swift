import Automata
import EngineTestSupport
import TestSupport
import Testing

/// Deterministic automata, and the smallest of them, do what the automaton that they are made of does.
@Suite struct DeterminizationTests {
  private static let patterns = [
    "ab*c", "(ab)+[^/:-]$", "^[^:]+:(//)?([^/]+\\.)?x", "a?a?a?aaa", "[a-c]+[b-d]+", "(a(bc)*)+d",
    "^https?://([^/]+\\.)?a\\.b/(ad)+/.*x",
  ]

  /// A text of characters that the patterns are about; character 0 ends it.
  private static func text(_ random: inout RandomSource) -> [UInt8] {
    random.text(of: Array("abcdx/:.-hpst".utf8), upTo: 12) + [0]
  }

  @Test("it has the actions of the simulation", arguments: patterns)
  func actions(_ pattern: String) throws {
    let oracle = try PatternOracle(pattern)
    let full = try #require(oracle.nfa.determinized(stateLimit: 4_000, stopsAtAccept: false))
    let short = try #require(oracle.nfa.determinized(stateLimit: 4_000, stopsAtAccept: true))
    let smallest = full.minimized()
    #expect(smallest.stateCount <= full.stateCount)
    var random = RandomSource(seed: Effort.seed)
    var found = 0
    for round in 0..<300 {
      var text = Self.text(&random)
      if round % 2 == 0 { text = oracle.matchingText(&random) + text }
      let expected = oracle.nfa.actions(reading: text)
      #expect(full.actions(reading: text) == expected)
      #expect(smallest.actions(reading: text) == expected)
      #expect(short.actions(reading: text) == expected)
      if !expected.isEmpty { found += 1 }
    }
    #expect(found > 100)
  }

  @Test("equal languages have equal smallest automata", arguments: [("a+b", "aa*b"), ("(a?)b", "a?b")])
  func smallest(_ one: String, _ other: String) throws {
    let automata = try [one, other].map {
      try #require(
        try PatternOracle($0).nfa.determinized(stateLimit: 100, stopsAtAccept: false)?.minimized()
      )
    }
    #expect(automata[0] == automata[1])
  }

  @Test("what takes more states than allowed is given up")
  func limit() throws {
    let nfa = try PatternOracle("[ab].......c").nfa
    let whole = try #require(nfa.determinized(stateLimit: 10_000, stopsAtAccept: false))
    #expect(whole.stateCount > 8)
    #expect(nfa.determinized(stateLimit: whole.stateCount, stopsAtAccept: false) == whole)
    #expect(nfa.determinized(stateLimit: whole.stateCount - 1, stopsAtAccept: false) == nil)
  }
}
