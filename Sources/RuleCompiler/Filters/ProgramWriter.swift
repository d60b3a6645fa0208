internal import Automata
internal import ContentRules
internal import RuleMatching

/// Writes filter programs, deduplicated; see ``RuleMatching/Opcode``.
struct ProgramWriter {
  /// The programs section.
  var programs: [UInt8] = []
  /// The character-set section.
  private(set) var sets: [CharacterSet] = []
  /// The longest threads program so far, in instructions.
  var threadCount = 0
  private var setNumbers: [CharacterSet: Int] = [:]
  /// The offset of each distinct program.
  var known = ProgramTable()
  private var tailOffsets: [Tail: UInt32] = [:]
  private var classMaps: [[UInt8]: UInt32] = [:]
  var statesLeft: Int
  let limits: CompilerLimits

  /// Reused memory for the program being written.
  var draft: [UInt8] = []
  /// Reused memory for plain text in it.
  private var text: [UInt8] = []

  /// The key under which automata are cached, to build each once.
  private struct Tail: Hashable {
    var terms: ArraySlice<Term>
    var isCaseSensitive: Bool
  }

  /// A program and its cost per character of a URL.
  struct Written {
    var offset: UInt32
    var instructions: Int
  }

  init(limits: CompilerLimits) {
    self.limits = limits
    statesLeft = limits.statesPerList
    // Offset 0 is the program that accepts at once, so that records can leave it out.
    draft = [Opcode.accept]
    _ = appendDraft()
  }

  /// Writes the program that matches terms from where it starts, and returns its offset.
  ///
  /// - Throws: ``TooManyInstructions`` with the number needed, if it exceeds a limit.
  mutating func write(
    _ terms: ArraySlice<Term>,
    isCaseSensitive: Bool
  ) throws(TooManyInstructions) -> UInt32 {
    if writePieces(terms, isCaseSensitive: isCaseSensitive) { return appendDraft() }
    let tail = Tail(terms: terms, isCaseSensitive: isCaseSensitive)
    if let offset = tailOffsets[tail] { return offset }
    draft = try automaton(terms)
    let offset = appendDraft()
    // Long tails are rarely shared, and caching them would keep their terms in memory.
    if terms.count <= 16 { tailOffsets[tail] = offset }
    return offset
  }

  /// Writes the program that matches plain text and then an ending, and returns its offset.
  ///
  /// - Returns: `nil` for an ending that needs an automaton; write it together with the terms of
  ///   its text.
  mutating func write(
    _ text: Span<UInt8>,
    _ tail: inout HostShapes.Tail,
    isCaseSensitive: Bool
  ) -> UInt32? {
    if text.isEmpty, let offset = tail.program?.offset { return offset }
    if tail.program == nil {
      let isPieces = writePieces(tail.terms[...], isCaseSensitive: isCaseSensitive)
      tail.program = HostShapes.TailProgram(pieces: isPieces ? draft : nil)
    }
    guard let pieces = tail.program?.pieces else { return nil }
    draft.removeAll(keepingCapacity: true)
    Self.append(text: text, to: &draft)
    draft.append(contentsOf: pieces)
    let offset = appendDraft()
    if text.isEmpty { tail.program?.offset = offset }
    return offset
  }

  /// The error for a program that is longer or slower than the limits allow.
  struct TooManyInstructions: Error {
    /// How many instructions, or threads, it needs.
    var count: Int
    /// Whether ``count`` counts threads alive at once instead of instructions.
    var areThreads = false
  }

  /// Returns the draft's offset, appending it if it is new.
  mutating func appendDraft() -> UInt32 {
    let offset = UInt32(truncatingIfNeeded: programs.count)
    if let known = known.offset(of: draft, in: programs, orAt: offset) { return known }
    programs.append(contentsOf: draft)
    return offset
  }

  mutating func number(of set: CharacterSet) -> Int {
    if let number = setNumbers[set] { return number }
    setNumbers[set] = sets.count
    sets.append(set)
    return sets.count - 1
  }

  // MARK: Pieces

  /// Drafts the program of terms that are all single characters and gaps; returns false for others.
  private mutating func writePieces(
    _ terms: ArraySlice<Term>,
    isCaseSensitive: Bool
  ) -> Bool {
    let terms = Self.withPlainEnd(terms)
    guard terms.allSatisfy(Self.isPiece) else { return false }
    draft.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    for term in terms {
      if let set = term.singleSet ?? (term == Self.anyOnce ? .any : nil) {
        if let character = set.character(isCaseSensitive: isCaseSensitive) {
          text.append(character)
        } else {
          flushText()
          draft.append(Opcode.set)
          draft.appendVarint(UInt32(number(of: set)))
        }
      }
      if term.singleSet == nil {
        flushText()
        draft.append(Opcode.gap)
      }
    }
    flushText()
    draft.append(Opcode.accept)
    return true
  }

  private mutating func flushText() {
    if text.isEmpty { return }
    var flushed: [UInt8] = []
    swap(&flushed, &text)
    Self.append(text: flushed.span, to: &draft)
    flushed.removeAll(keepingCapacity: true)
    swap(&flushed, &text)
  }

  /// Appends the instructions for plain text to a program.
  private static func append(text: Span<UInt8>, to program: inout [UInt8]) {
    var start = 0
    while start < text.count {
      let end = min(start + 255, text.count)
      if end - start == 1 {
        program.append(Opcode.character)
      } else {
        program.append(Opcode.string)
        program.append(UInt8(truncatingIfNeeded: end - start))
      }
      program.append(text.extracting(start..<end))
      start = end
    }
  }

  /// Whether terms are written without an automaton.
  static func isPieces(_ terms: ArraySlice<Term>) -> Bool {
    withPlainEnd(terms).allSatisfy(isPiece)
  }

  /// Whether a term is a single character or a gap, or both.
  static func isPiece(_ term: Term) -> Bool {
    term.isGap || term.singleSet != nil || term == anyOnce
  }

  /// The term `.+`, written as any character and a gap.
  private static let anyOnce = Term(.characters(.any), .oneOrMore)

  /// Replaces an ending `(S.*)?$` by `[S$]`.
  ///
  /// Both match exactly where S or the end comes next, since `.*` reaches every end; but the latter
  /// needs no automaton.
  static func withPlainEnd(_ terms: ArraySlice<Term>) -> ArraySlice<Term> {
    guard let set = endOrAnything(terms) else { return terms }
    return ArraySlice(terms.dropLast(4)) + [Term(.characters(set.union(.endOfURL)))]
  }

  /// Returns the set S of terms that end in `(S.*)?$`, else `nil`.
  private static func endOrAnything(_ terms: ArraySlice<Term>) -> CharacterSet? {
    guard terms.count >= 4, case let end = terms.endIndex,
      terms[end - 4] == Term(.group(count: 2), .zeroOrOne), let set = terms[end - 3].singleSet,
      terms[end - 2].isGap, terms[end - 1].singleSet == .endOfURL,
      // In a group, the last four terms could mean something else.
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
    let threadCount = ThreadCount(terms).most
    guard threadCount <= limits.threadsPerFilter else {
      throw TooManyInstructions(count: threadCount, areThreads: true)
    }
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

  /// Lays out a DFA with its accepting states last, so that one comparison tells them.
  private mutating func table(_ dfa: DFA) -> [UInt8] {
    let resting = (0..<dfa.stateCount).filter { dfa.actions[$0].isEmpty || $0 == 1 }
    let accepting = (0..<dfa.stateCount).filter { !dfa.actions[$0].isEmpty && $0 != 1 }
    // An accepting start matches everything. No whole pattern does here, but a tail may.
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

  mutating func classMap(_ classes: [UInt8]) -> UInt32 {
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
}

/// The programs written so far, which deduplicates them.
struct ProgramTable {
  struct Entry {
    var offset: UInt32
    var count: UInt32
  }

  /// The programs in their order.
  private(set) var entries: [Entry] = []
  private var numbers = ProbingTable()

  /// Returns the offset of an equal program; if there is none, notes this one at `place` and
  /// returns `nil`.
  mutating func offset(
    of program: [UInt8],
    in programs: [UInt8],
    orAt place: UInt32
  ) -> UInt32? {
    var probe = numbers.probe(UInt32(truncatingIfNeeded: SeededHash.of(program.span)))
    while let number = numbers.next(&probe) {
      let entry = entries[number]
      if programs.span.isEqual(Int(entry.offset), Int(entry.count), program.span) {
        return entry.offset
      }
    }
    numbers.addNext(at: probe)
    entries.append(Entry(offset: place, count: UInt32(truncatingIfNeeded: program.count)))
    return nil
  }
}
