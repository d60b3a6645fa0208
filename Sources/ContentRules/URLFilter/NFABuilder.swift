package import Automata

extension NFA {
  /// Builds the automaton of a sequence of terms, with action 0 at its end.
  ///
  /// Without recursion; open groups are on a stack.
  package init(terms: ArraySlice<Term>) {
    var instructions: [Instruction] = []
    instructions.reserveCapacity(terms.count * 2 + 1)
    var open: [(end: Int, quantifier: Quantifier, start: Int)] = []

    func begin(_ quantifier: Quantifier) -> Int {
      let start = instructions.count
      // Skips the term; its target is set at the end.
      if quantifier.allowsZero { instructions.append(.split(start)) }
      return start
    }
    func end(_ quantifier: Quantifier, from start: Int) {
      switch quantifier {
      case .one: break
      case .oneOrMore: instructions.append(.split(start))
      case .zeroOrOne: instructions[start] = .split(instructions.count)
      case .zeroOrMore:
        instructions.append(.jump(start))
        instructions[start] = .split(instructions.count)
      }
    }

    for index in terms.indices {
      let term = terms[index]
      switch term.kind {
      case .characters(let set):
        let start = begin(term.quantifier)
        instructions.append(.consume(set.symbols))
        end(term.quantifier, from: start)
      case .group(let count):
        open.append((index + 1 + count, term.quantifier, begin(term.quantifier)))
      }
      while let group = open.last, group.end == index + 1 {
        open.removeLast()
        end(group.quantifier, from: group.start)
      }
    }
    instructions.append(.accept(0))
    self.init(instructions)
  }
}

extension CharacterSet {
  /// The set as an automaton reads it.
  package var symbols: SymbolSet { SymbolSet(low: low, high: high) }
}
