package import Automata
internal import ContentRules
package import TestSupport

/// The pattern is one that no automaton is built of.
private struct MatchesEverything: Error {
  var pattern: String
}

/// A pattern as an automaton that is built and run apart from compiler and matcher, and a source of
/// texts that it matches.
package struct PatternOracle {
  private let terms: [Term]
  package let nfa: NFA

  package init(_ pattern: String, isCaseSensitive: Bool = false) throws {
    let parsed = try URLFilterParser.parse(pattern, isCaseSensitive: isCaseSensitive).get()
    if parsed.matchesEverything { throw MatchesEverything(pattern: pattern) }
    terms = parsed.terms
    var instructions: [NFA.Instruction] = []
    Self.append(terms[...], to: &instructions)
    nfa = NFA(instructions + [.accept(0)])
  }

  /// Whether the pattern matches a text; character 0 is fed behind it.
  package func matches(_ text: [UInt8]) -> Bool { !nfa.actions(reading: text + [0]).isEmpty }

  private static func length(of term: Term) -> Int {
    if case .group(let count) = term.kind { 1 + count } else { 1 }
  }

  private static func append(_ terms: ArraySlice<Term>, to code: inout [NFA.Instruction]) {
    var index = terms.startIndex
    while index < terms.endIndex {
      let term = terms[index]
      var body: [NFA.Instruction] = []
      let end = index + length(of: term)
      switch term.kind {
      case .characters(let set): body = [.consume(SymbolSet(low: set.low, high: set.high))]
      case .group: append(terms[index + 1..<end], to: &body)
      }
      let isLoop = term.quantifier == .zeroOrMore || term.quantifier == .oneOrMore
      if term.quantifier.allowsZero { code.append(.split(code.count + body.count + 1)) }
      let start = code.count
      if term.quantifier.allowsZero, isLoop {
        // Around the body and the way back.
        code[start - 1] = .split(start + body.count + 1)
      }
      code += body.map { $0.moved(by: start) }
      if isLoop {
        if term.quantifier == .zeroOrMore {
          code.append(.jump(start - 1))
        } else {
          code.append(.split(start))
        }
      }
      index = end
    }
  }

  // MARK: Texts

  /// A text that the pattern matches from its beginning, before anything is changed in it.
  package func matchingText(_ random: inout RandomSource) -> [UInt8] {
    var text: [UInt8] = []
    Self.generate(terms[...], &text, &random)
    return Array(text.prefix { $0 != 0 })
  }

  private static func generate(
    _ terms: ArraySlice<Term>,
    _ text: inout [UInt8],
    _ random: inout RandomSource
  ) {
    var index = terms.startIndex
    while index < terms.endIndex {
      let term = terms[index]
      let end = index + length(of: term)
      let times =
        switch term.quantifier {
        case .one: 1
        case .zeroOrOne: Int.random(in: 0...1, using: &random)
        case .zeroOrMore: Int.random(in: 0...3, using: &random)
        case .oneOrMore: Int.random(in: 1...3, using: &random)
        }
      for _ in 0..<times {
        switch term.kind {
        case .characters(let set):
          let members = (0..<128).filter { set.contains(UInt8($0)) }
          // Plain characters bring texts near to other patterns' matches.
          let plain = members.filter { "/:.abhtps1".utf8.contains(UInt8($0)) }
          let choice =
            (Bool.random(using: &random) ? plain : members).randomElement(using: &random)
            ?? members.randomElement(using: &random)
          text.append(UInt8(choice ?? 0))
        case .group:
          generate(terms[index + 1..<end], &text, &random)
        }
      }
      index = end
    }
  }
}

extension NFA.Instruction {
  fileprivate func moved(by distance: Int) -> NFA.Instruction {
    switch self {
    case .split(let target): .split(target + distance)
    case .jump(let target): .jump(target + distance)
    case .consume, .accept: self
    }
  }
}

extension RandomSource {
  /// A text with up to three places changed, left out or doubled.
  package mutating func mutated(_ text: [UInt8], alphabet: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 0...3, using: &self) where !text.isEmpty {
      let place = Int.random(in: text.indices, using: &self)
      switch Int.random(in: 0..<4, using: &self) {
      case 0: text.remove(at: place)
      case 1: text.insert(alphabet.randomElement(using: &self) ?? 0x61, at: place)
      case 2: text[place] = alphabet.randomElement(using: &self) ?? 0x61
      default: if text[place] | 32 > 96, text[place] | 32 < 123 { text[place] ^= 32 }
      }
    }
    return text
  }
}
