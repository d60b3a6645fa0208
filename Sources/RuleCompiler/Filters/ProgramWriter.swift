internal import Automata
internal import ContentRules
internal import RuleMatching

/// Writes filter programs, each distinct one once; see ``RuleMatching/Opcode``.
struct ProgramWriter {
  /// The programs section.
  private(set) var programs: [UInt8] = []
  /// The character-set section.
  private(set) var sets: [CharacterSet] = []
  /// The longest threads program so far, in instructions.
  private(set) var threadCount = 0
  private var setNumbers: [CharacterSet: Int] = [:]
  private var offsets: [[UInt8]: UInt32] = [:]
  private var tailOffsets: [Tail: UInt32] = [:]
  private var classMaps: [[UInt8]: UInt32] = [:]
  private var statesLeft: Int
  private let limits: CompilerLimits

  /// Terms that were lowered before; most rules end in one of a few ways.
  private struct Tail: Hashable {
    var terms: ArraySlice<Term>
    var isCaseSensitive: Bool
  }

  /// A program and what running it costs for each character of a URL.
  struct Written {
    var offset: UInt32
    var instructions: Int
  }

  init(limits: CompilerLimits) {
    self.limits = limits
    statesLeft = limits.statesPerList
    // Offset 0 is the program that accepts at once, which an index need not name.
    _ = append([Opcode.accept])
  }

  /// Writes the program that matches terms from where it starts.
  ///
  /// - Throws: How many instructions it would take, when the limit does not suffice.
  mutating func write(
    _ terms: ArraySlice<Term>,
    isCaseSensitive: Bool
  ) throws(TooManyInstructions) -> UInt32 {
    let tail = Tail(terms: terms, isCaseSensitive: isCaseSensitive)
    if let offset = tailOffsets[tail] { return offset }
    let program: [UInt8]
    if let pieces = pieces(terms, isCaseSensitive: isCaseSensitive) {
      program = pieces
    } else {
      program = try automaton(terms)
    }
    let offset = append(program)
    // Long tails are rarely shared, and keeping them would keep their terms.
    if terms.count <= 16 { tailOffsets[tail] = offset }
    return offset
  }

  struct TooManyInstructions: Error {
    var count: Int
  }

  private mutating func append(_ program: [UInt8]) -> UInt32 {
    if let offset = offsets[program] { return offset }
    let offset = UInt32(truncatingIfNeeded: programs.count)
    offsets[program] = offset
    programs += program
    return offset
  }

  private mutating func number(of set: CharacterSet) -> Int {
    if let number = setNumbers[set] { return number }
    setNumbers[set] = sets.count
    sets.append(set)
    return sets.count - 1
  }

  // MARK: Pieces

  /// The program for terms that are single characters and gaps only; `nil` for others.
  private mutating func pieces(
    _ terms: ArraySlice<Term>,
    isCaseSensitive: Bool
  ) -> [UInt8]? {
    var terms = terms
    if let set = Self.endOrAnything(terms) {
      // `(S.*)?$` matches just where S or the end comes next: `.*` reaches every end.
      terms = ArraySlice(terms.dropLast(4)) + [Term(.characters(set.union(.endOfURL)))]
    }
    guard terms.allSatisfy({ $0.isGap || $0.singleSet != nil || $0 == Self.anyOnce }) else {
      return nil
    }
    var program: [UInt8] = []
    var literal: [UInt8] = []
    func flush() {
      for start in stride(from: 0, to: literal.count, by: 255) {
        let part = literal[start..<min(start + 255, literal.count)]
        if part.count == 1 {
          program += [Opcode.character, part[start]]
        } else {
          program += [Opcode.string, UInt8(part.count)] + part
        }
      }
      literal.removeAll(keepingCapacity: true)
    }
    for term in terms {
      if let set = term.singleSet ?? (term == Self.anyOnce ? .any : nil) {
        if let character = set.character(isCaseSensitive: isCaseSensitive) {
          literal.append(character)
        } else {
          flush()
          program.append(Opcode.set)
          program.appendVarint(UInt32(number(of: set)))
        }
      }
      if term.singleSet == nil {
        flush()
        program.append(Opcode.gap)
      }
    }
    flush()
    program.append(Opcode.accept)
    return program
  }

  /// `.+`: a character, then a gap.
  private static let anyOnce = Term(.characters(.any), .oneOrMore)

  /// The set S of terms that end in `(S.*)?$`.
  private static func endOrAnything(_ terms: ArraySlice<Term>) -> CharacterSet? {
    guard terms.count >= 4, case let end = terms.endIndex,
      terms[end - 4] == Term(.group(count: 2), .zeroOrOne), let set = terms[end - 3].singleSet,
      terms[end - 2].isGap, terms[end - 1].singleSet == .endOfURL,
      // Inside of a group this would be something else.
      terms.dropLast(4).allSatisfy({ if case .group = $0.kind { false } else { true } })
    else { return nil }
    return set
  }

  // MARK: Automata

  private mutating func automaton(
    _ terms: ArraySlice<Term>
  ) throws(TooManyInstructions) -> [UInt8] {
    let nfa = NFA(terms: terms)
    let count = nfa.instructions.count
    guard count <= limits.instructionsPerFilter else { throw TooManyInstructions(count: count) }
    if count <= limits.instructionsPerTable {
      let stateLimit = min(limits.statesPerFilter, statesLeft)
      if let dfa = nfa.determinized(stateLimit: stateLimit, stopsAtAccept: true) {
        statesLeft -= dfa.stateCount
        return table(dfa.minimized())
      }
      statesLeft -= stateLimit
    }
    return threads(nfa)
  }

  /// Lays a DFA out with its accepting states at the end.
  private mutating func table(_ dfa: DFA) -> [UInt8] {
    let resting = (0..<dfa.stateCount).filter { dfa.actions[$0].isEmpty || $0 == 1 }
    let accepting = (0..<dfa.stateCount).filter { !dfa.actions[$0].isEmpty && $0 != 1 }
    // A start that accepts makes everything match; no filter's terms allow that, but a tail's may.
    if !dfa.actions[1].isEmpty { return [Opcode.accept] }
    let order = resting + accepting
    var numbers = [Int](repeating: 0, count: order.count)
    for (number, state) in order.enumerated() { numbers[state] = number }
    let width = order.count <= 256 ? 1 : 2
    var program: [UInt8] = [Opcode.dfa, UInt8(width)]
    program.appendLittleEndian(UInt16(order.count))
    program.appendLittleEndian(UInt16(dfa.classCount))
    program.appendLittleEndian(UInt16(resting.count))
    program.appendLittleEndian(classMap(dfa.classes))
    for state in order {
      for symbolClass in 0..<dfa.classCount {
        let next = numbers[Int(dfa.transitions[state * dfa.classCount + symbolClass])]
        if width == 1 {
          program.append(UInt8(next))
        } else {
          program.appendLittleEndian(UInt16(next))
        }
      }
    }
    return program
  }

  private mutating func classMap(_ classes: [UInt8]) -> UInt32 {
    if let offset = classMaps[classes] { return offset }
    let offset = UInt32(truncatingIfNeeded: programs.count)
    classMaps[classes] = offset
    programs += classes
    return offset
  }

  private mutating func threads(_ nfa: NFA) -> [UInt8] {
    threadCount = max(threadCount, nfa.instructions.count)
    var program: [UInt8] = [Opcode.threads]
    program.appendLittleEndian(UInt32(nfa.instructions.count))
    for instruction in nfa.instructions {
      var operation = Opcode.accept
      var operand: UInt32 = 0
      switch instruction {
      case .accept: break
      case .consume(let set):
        operation = Opcode.set
        operand = UInt32(number(of: CharacterSet(low: set.low, high: set.high)))
      case .split(let target):
        operation = Opcode.split
        operand = UInt32(target)
      case .jump(let target):
        operation = Opcode.jump
        operand = UInt32(target)
      }
      program += [operation, 0, 0, 0]
      program.appendLittleEndian(operand)
    }
    return program
  }

  /// What running a program costs for each character of a URL at worst, in steps.
  func cost(of program: UInt32) -> Int {
    let offset = Int(program)
    guard programs[offset] == Opcode.threads else { return 1 }
    return (1...4).reduce(0) { $0 | Int(programs[offset + $1]) << (8 * ($1 - 1)) }
  }
}
