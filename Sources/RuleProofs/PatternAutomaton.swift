internal import Automata
package import ContentRules

/// The URLs that a pattern matches, as a deterministic automaton.
///
/// It reads a URL and the symbol 0 behind it. State 0 is dead, state 1 the start; a state that
/// accepts stays, since a pattern that was found is found.
package struct PatternAutomaton: Sendable {
  /// The automaton of an accepting search; its accepting states have no transitions.
  let dfa: DFA
  /// Whether each state accepts.
  let accepts: [Bool]

  /// The most states that an automaton may have; 64 KiB for a pattern with 16 classes.
  static let stateLimit = 4_096

  /// Builds the automaton of a valid pattern; `nil` if the pattern is refused, matches everything, or
  /// needs too many states.
  ///
  /// - Parameters:
  ///   - filter: The pattern.
  ///   - terms: Working memory; holds the pattern's terms afterwards.
  /// - Complexity: O(*s* · *k*) for *s* states and *k* classes of symbols.
  package init?(_ filter: URLFilter, _ terms: inout [Term]) {
    let parsed = URLFilterParser.parse(
      filter.text.utf8Span.span,
      isCaseSensitive: filter.isCaseSensitive,
      into: &terms
    )
    guard case .success(false) = parsed else { return nil }
    self.init(terms: terms)
  }

  /// Builds the automaton of a pattern's terms; `nil` if it needs too many states.
  init?(terms: [Term]) {
    // Longer ones have as many states as terms.
    guard terms.count <= Self.stateLimit else { return nil }
    let nfa = NFA(terms: terms[...])
    guard let dfa = nfa.determinized(stateLimit: Self.stateLimit, stopsAtAccept: true) else {
      return nil
    }
    self.dfa = dfa
    accepts = dfa.actions.map { !$0.isEmpty }
  }

  /// Whether the pattern matches a URL.
  package func matches(_ url: String) -> Bool {
    var state = 1
    for symbol in url.utf8 { state = next(state, symbol) }
    return accepts[next(state, 0)]
  }

  /// Returns the next state; an accepting one stays.
  @inline(__always)
  func next(_ state: Int, _ symbol: UInt8) -> Int {
    accepts[state] ? state : dfa.next(state, symbol)
  }
}

/// Serialised URLs of some kind as a deterministic automaton, for searches along with patterns.
package struct URLAutomaton: Sendable {
  /// The smallest automaton; a state with an action follows the symbol 0 behind a URL.
  let dfa: DFA
  /// Whether each state follows a whole URL.
  let isEnd: [Bool]

  /// Every URL that rules may see.
  package static let everything = URLAutomaton(.everything)
  /// Every URL that something else than a web socket may have.
  package static let withoutWebSockets = URLAutomaton(.withoutWebSockets)
  /// URLs of pages, as they are written.
  package static let pages = URLAutomaton(.urls([.http, .fragments]))
  /// Web sockets.
  package static let webSockets = URLAutomaton(.urls(.webSocket))

  private init(_ language: URLLanguage) {
    var instructions: [NFA.Instruction] = []
    var starts: [Int] = []
    // Each edge is a split, a symbol that is read, and a jump.
    for edges in language.edges {
      starts.append(instructions.count)
      // A state without edges follows a whole URL.
      instructions.append(edges.isEmpty ? .accept(0) : .jump(instructions.count + 1))
      for edge in edges {
        instructions.append(.split(instructions.count + 3))
        instructions.append(.consume(edge.symbols))
        instructions.append(.jump(edge.target))
      }
      if !edges.isEmpty { instructions.append(.consume(SymbolSet())) }
      if !edges.isEmpty { instructions.append(.accept(1)) }
    }
    for (state, start) in starts.enumerated() {
      for place in 0..<language.edges[state].count {
        let jump = start + 3 + place * 3
        if case .jump(let target) = instructions[jump] {
          instructions[jump] = .jump(starts[target])
        }
      }
    }
    guard
      let dfa = NFA(instructions).determinized(stateLimit: 65_536, stopsAtAccept: true)
    else { preconditionFailure("the language of URLs has a few hundred states") }
    self.dfa = dfa.minimized()
    isEnd = self.dfa.actions.map { !$0.isEmpty }
  }
}
