/// A nondeterministic automaton as a list of instructions.
///
/// It starts at instruction 0. A symbol that is read leads to the next instruction; `split` and
/// `jump` read nothing. Actions are numbers without a meaning here.
///
///     ab*   →   0 consume a · 1 split 4 · 2 consume b · 3 jump 1 · 4 accept
public struct NFA: Hashable, Sendable {
  /// One instruction.
  public enum Instruction: Hashable, Sendable {
    /// Reads a symbol in the set and goes on to the next instruction.
    case consume(SymbolSet)
    /// Goes on at the next instruction and at the given one.
    case split(Int)
    /// Goes on at the given instruction.
    case jump(Int)
    /// Ends with an action.
    case accept(UInt32)
  }

  /// The instructions; every target lies within them, and the last one is a jump or an accept.
  public var instructions: [Instruction]

  /// Creates an automaton from its instructions.
  public init(_ instructions: [Instruction] = []) {
    self.instructions = instructions
  }
}

extension NFA {
  /// Returns the instructions that read or accept and are reached from the given ones without
  /// reading.
  ///
  /// - Returns: Their numbers in ascending order.
  /// - Complexity: O(*m*) for *m* instructions.
  public func epsilonClosure(of starts: [Int]) -> [Int] {
    var seen = [Bool](repeating: false, count: instructions.count)
    var stack = starts
    var closure: [Int] = []
    while let state = stack.popLast() {
      guard !seen[state] else { continue }
      seen[state] = true
      switch instructions[state] {
      case .consume, .accept: closure.append(state)
      case .jump(let target): stack.append(target)
      case .split(let target):
        stack.append(target)
        stack.append(state + 1)
      }
    }
    closure.sort()
    return closure
  }

  /// Returns the actions whose `accept` is reached while reading the symbols, by simulation.
  ///
  /// - Complexity: O(*n* · *m*) for *n* symbols and *m* instructions.
  public func actions(reading symbols: some Sequence<UInt8>) -> Set<UInt32> {
    var actions: Set<UInt32> = []
    var states = epsilonClosure(of: [0])
    func note() {
      for state in states {
        if case .accept(let action) = instructions[state] { actions.insert(action) }
      }
    }
    note()
    for symbol in symbols {
      var next: [Int] = []
      for state in states {
        if case .consume(let set) = instructions[state], set.contains(symbol) {
          next.append(state + 1)
        }
      }
      states = epsilonClosure(of: next)
      note()
      if states.isEmpty { break }
    }
    return actions
  }
}
