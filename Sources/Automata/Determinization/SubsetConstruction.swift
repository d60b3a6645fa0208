// Hot while compiling patterns that are not plain text; a URL's decision never runs this. Bounded
// by the caller's `stateLimit`: subsets can be exponential in the instructions. Sets of
// instructions are bit sets, one word for 64, in flat arrays without an allocation per state.
// States are numbered in order of discovery, so the result does not depend on hashing. Guarded by
// the `compile` part of `Scripts/count-instructions`.

extension NFA {
  /// Builds the deterministic automaton of the same actions.
  ///
  /// - Parameters:
  ///   - stateLimit: The most states to build, dead and start included.
  ///   - stopsAtAccept: Whether states with an action get no transitions: true if only the first
  ///     action
  ///     counts.
  /// - Returns: The automaton; `nil` if it needs more states than the limit.
  /// - Complexity: O(*s* · *k* · *m*²/64) time for *s* states, *k* classes and *m* instructions at
  ///   worst, and *m*/8 bytes for each state and each instruction that is reached.
  public func determinized(stateLimit: Int, stopsAtAccept: Bool) -> DFA? {
    // Per class instead of per symbol: patterns distinguish a few classes of the 128 symbols.
    let (classes, classCount) = symbolClasses()
    var representative = [UInt8](repeating: 0, count: classCount)
    for symbol in (0..<128).reversed() {
      representative[Int(classes[symbol])] = UInt8(symbol)
    }
    var closures = Closures(of: self)
    let width = closures.width
    // The instructions that read each class: one AND with a subset gives those that advance.
    var readers = [UInt64](repeating: 0, count: classCount * width)
    for case (let number, .consume(let set)) in instructions.enumerated() {
      for symbolClass in 0..<classCount where set.contains(representative[symbolClass]) {
        readers[symbolClass * width + number >> 6] |= 1 << UInt64(number & 63)
      }
    }
    var subsets = SubsetTable(width: width)
    var next = [UInt64](repeating: 0, count: width)
    // State 0 is the empty set, which is dead: every class leads from it to itself.
    _ = subsets.number(of: next)
    closures.add(0, to: &next)
    // The start must be state 1 even if its closure is empty and so equals state 0.
    if subsets.number(of: next) == 0 { subsets.addAgain(next) }
    var transitions = [UInt32](repeating: 0, count: classCount)
    var actions: [[UInt32]] = [[]]
    var reached = ReachedSets(width: width)
    // Nearly all automata have one word of instructions, for which no array need be asked.
    let isOneWord = width == 1
    // States double as the work list: those from `state` on have no transitions yet. Row 0 is
    // zeros.
    var state = 1
    while state < subsets.count {
      let own = closures.actions(of: subsets, state)
      actions.append(own)
      guard !stopsAtAccept || own.isEmpty else {
        for _ in 0..<classCount { transitions.append(0) }
        state += 1
        continue
      }
      reached.removeAll()
      for symbolClass in 0..<classCount {
        if isOneWord {
          let reading = subsets[state, 0] & readers[symbolClass]
          if let number = reached.number(ofWord: reading) {
            transitions.append(number)
            continue
          }
        }
        let first = symbolClass * width
        for word in 0..<width {
          reached.draft[word] = subsets[state, word] & readers[first + word]
        }
        if !isOneWord, let number = reached.numberOfDraft {
          transitions.append(number)
          continue
        }
        for word in 0..<width { next[word] = 0 }
        for word in 0..<width {
          var reading = reached.draft[word]
          while reading != 0 {
            let instruction = word * 64 + reading.trailingZeroBitCount
            reading &= reading &- 1
            closures.add(instruction + 1, to: &next)
          }
        }
        let known = subsets.count
        let number = UInt32(truncatingIfNeeded: subsets.number(of: next))
        // Checked per transition, so that at most one state more than the limit is ever built.
        guard subsets.count == known || known < stateLimit else { return nil }
        transitions.append(number)
        reached.addDraft(number)
      }
      state += 1
    }
    return DFA(
      classes: classes,
      classCount: classCount,
      transitions: transitions,
      actions: actions
    )
  }

  /// Groups symbols that no instruction distinguishes into classes.
  ///
  /// - Returns: The class of each symbol, numbered by first appearance, and the number of classes.
  private func symbolClasses() -> (classes: [UInt8], count: Int) {
    // At most 128 parts in the end, since each contains a symbol.
    var parts = [SymbolSet(low: ~0, high: ~0)]
    for case .consume(let set) in instructions {
      for part in parts.indices {
        let inside = parts[part].intersection(set)
        guard !inside.isEmpty, inside != parts[part] else { continue }
        parts.append(parts[part].subtracting(set))
        parts[part] = inside
      }
    }
    parts.sort { $0.first < $1.first }
    var classes = [UInt8](repeating: 0, count: 128)
    for (number, part) in parts.enumerated() {
      for (half, offset) in [(part.low, 0), (part.high, 64)] {
        var rest = half
        while rest != 0 {
          classes[offset + rest.trailingZeroBitCount] = UInt8(truncatingIfNeeded: number)
          rest &= rest &- 1
        }
      }
    }
    return (classes, parts.count)
  }
}

extension SymbolSet {
  fileprivate func intersection(_ other: SymbolSet) -> SymbolSet {
    SymbolSet(low: low & other.low, high: high & other.high)
  }

  fileprivate func subtracting(_ other: SymbolSet) -> SymbolSet {
    SymbolSet(low: low & ~other.low, high: high & ~other.high)
  }

  /// The lowest symbol; 128 for the empty set.
  fileprivate var first: Int {
    low != 0 ? low.trailingZeroBitCount : 64 + high.trailingZeroBitCount
  }
}

/// The epsilon closures of instructions, as bit sets that are computed on first use.
private struct Closures {
  /// Words in a set.
  let width: Int
  private let instructions: [NFA.Instruction]
  /// The offset of each instruction's set in `sets`; −1 before it is computed.
  private var starts: [Int]
  private var sets: [UInt64] = []
  private var stack: [Int] = []
  /// The instructions that accept.
  private var accepting: [UInt64]

  init(of nfa: NFA) {
    instructions = nfa.instructions
    width = (instructions.count + 63) / 64
    starts = Array(repeating: -1, count: instructions.count)
    accepting = Array(repeating: 0, count: width)
    for case (let number, .accept) in instructions.enumerated() {
      accepting[number >> 6] |= 1 << UInt64(number & 63)
    }
  }

  /// Adds an instruction's closure to a set.
  mutating func add(_ instruction: Int, to set: inout [UInt64]) {
    switch instructions[instruction] {
    case .consume, .accept:
      set[instruction >> 6] |= 1 << UInt64(instruction & 63)
    case .split, .jump:
      if starts[instruction] < 0 { make(instruction) }
      let start = starts[instruction]
      for word in 0..<width { set[word] |= sets[start + word] }
    }
  }

  private mutating func make(_ instruction: Int) {
    let start = sets.count
    starts[instruction] = start
    for _ in 0..<2 * width { sets.append(0) }
    // The second half marks visited instructions, jumps included, and is removed at the end.
    let seen = start + width
    stack.append(instruction)
    while let state = stack.popLast() {
      let bit: UInt64 = 1 << UInt64(state & 63)
      guard sets[seen + state >> 6] & bit == 0 else { continue }
      sets[seen + state >> 6] |= bit
      switch instructions[state] {
      case .consume, .accept: sets[start + state >> 6] |= bit
      case .jump(let target): stack.append(target)
      case .split(let target):
        stack.append(target)
        stack.append(state + 1)
      }
    }
    sets.removeLast(width)
  }

  /// Returns the actions of a subset, in ascending order.
  func actions(of subsets: SubsetTable, _ state: Int) -> [UInt32] {
    var actions: [UInt32] = []
    for word in 0..<width {
      var members = subsets[state, word] & accepting[word]
      while members != 0 {
        if case .accept(let action) = instructions[word * 64 + members.trailingZeroBitCount],
          !actions.contains(action)
        {
          actions.append(action)
        }
        members &= members &- 1
      }
    }
    if actions.count > 1 { actions.sort() }
    return actions
  }
}

/// The subsets that some classes of one state lead to, by the instructions that read them.
///
/// Most classes of a state advance the same few instructions, or none, as all characters do that a text does
/// not go on with: where they lead need not be found again.
private struct ReachedSets {
  /// The instructions in question.
  var draft: [UInt64]
  /// The sets of instructions, one after the other.
  private var sets: [UInt64] = []
  private var numbers: [UInt32] = []
  /// The same if a set is one word; those that are not used are all ones, which no instructions read.
  private var words = Self.noWords

  /// The most sets to compare with; what a state with more does is found again each time.
  private static let most = 4
  private typealias Known = (set: UInt64, number: UInt32)
  private static let noWords: (Known, Known, Known, Known) = (
    (.max, 0), (.max, 0), (.max, 0), (.max, 0)
  )

  init(width: Int) { draft = Array(repeating: 0, count: width) }

  mutating func removeAll() {
    words = Self.noWords
    if numbers.isEmpty { return }
    sets.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
  }

  /// The subset that the instructions of one word lead to; `nil` if that is not known.
  func number(ofWord word: UInt64) -> UInt32? {
    if word == words.0.set { return words.0.number }
    if word == words.1.set { return words.1.number }
    if word == words.2.set { return words.2.number }
    return word == words.3.set ? words.3.number : nil
  }

  /// The subset that the instructions of ``draft`` lead to; `nil` if that is not known.
  var numberOfDraft: UInt32? {
    let width = draft.count
    for place in numbers.indices {
      var word = 0
      while word < width, sets[place * width + word] == draft[word] { word += 1 }
      if word == width { return numbers[place] }
    }
    return nil
  }

  /// Notes where the instructions of ``draft`` lead.
  mutating func addDraft(_ number: UInt32) {
    if draft.count == 1 {
      // The last four, newest first.
      words = ((draft[0], number), words.0, words.1, words.2)
      return
    }
    guard numbers.count < Self.most else { return }
    sets.append(contentsOf: draft)
    numbers.append(number)
  }
}

/// Sets of instructions, deduplicated and numbered.
private struct SubsetTable {
  private let width: Int
  private(set) var count = 0
  /// The sets' words, back to back.
  private var words: [UInt64] = []
  private var numbers = ProbingTable()

  init(width: Int) { self.width = width }

  subscript(number: Int, word: Int) -> UInt64 { words[number * width + word] }

  /// Returns the number of a set, adding it if it is new.
  mutating func number(of set: [UInt64]) -> Int {
    var probe = numbers.probe(Self.hash(set))
    while let number = numbers.next(&probe) {
      if isEqual(number, set) { return number }
    }
    add(set, at: probe)
    return count - 1
  }

  /// Adds a set under a new number although it has one already, which stays the one that is found.
  mutating func addAgain(_ set: [UInt64]) {
    var probe = numbers.probe(Self.hash(set))
    while numbers.next(&probe) != nil {}
    add(set, at: probe)
  }

  private mutating func add(_ set: [UInt64], at probe: ProbingTable.Probe) {
    numbers.addNext(at: probe)
    words.append(contentsOf: set)
    count += 1
  }

  private func isEqual(_ number: Int, _ set: [UInt64]) -> Bool {
    for word in 0..<width where words[number * width + word] != set[word] { return false }
    return true
  }

  private static func hash(_ words: [UInt64]) -> UInt32 {
    var hash: UInt64 = 0
    for word in words {
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash &>> 29
    }
    return UInt32(truncatingIfNeeded: hash ^ hash &>> 17)
  }
}
