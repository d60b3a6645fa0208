// Hot while compiling general patterns.

extension DFA {
  /// Returns the automaton with the fewest states that has the same actions.
  ///
  /// Hopcroft's algorithm: refines the partition of states by their actions until no class leads
  /// two states of one part into different parts. States keep the order of their first members.
  ///
  /// - Complexity: O(*s* · *k* · log *s*) for *s* states and *k* classes.
  public func minimized() -> DFA {
    var partition = Partition(stateCount: stateCount)
    partition.separate(by: actions)
    let sources = TransitionSources(self)
    var members: [Int32] = []
    while let part = partition.popPending() {
      // Copied, because the part may be split meanwhile.
      partition.copyMembers(of: part, to: &members)
      for symbolClass in 0..<classCount {
        for target in members {
          let range = sources.range(symbolClass, Int(target))
          // Most states are led to by few classes.
          if !range.isEmpty { partition.mark(sources.sources, range) }
        }
        if partition.hasMarked { partition.splitMarked() }
      }
    }
    let (parts, partCount) = partition.numbered()
    return quotient(parts, partCount)
  }

  private func quotient(_ parts: [UInt32], _ partCount: Int) -> DFA {
    // The start keeps number 1 even if it is equivalent to the dead state.
    guard parts[1] != parts[0] else {
      return DFA(
        classes: classes,
        classCount: classCount,
        transitions: Array(repeating: 0, count: 2 * classCount),
        actions: [[], []]
      )
    }
    var representatives = [Int?](repeating: nil, count: partCount)
    for state in 0..<stateCount where representatives[Int(parts[state])] == nil {
      representatives[Int(parts[state])] = state
    }
    var minimal = DFA(classes: classes, classCount: classCount, transitions: [], actions: [])
    minimal.actions.reserveCapacity(partCount)
    minimal.transitions.reserveCapacity(partCount * classCount)
    for case let state? in representatives {
      minimal.actions.append(actions[state])
      for symbolClass in 0..<classCount {
        minimal.transitions.append(parts[Int(transitions[state * classCount + symbolClass])])
      }
    }
    return minimal
  }
}

/// The states from which each class leads to each state.
private struct TransitionSources {
  private let classCount: Int
  /// The index of the first source of each state and class.
  private var starts: [Int32]
  private(set) var sources: [Int32]

  init(_ dfa: DFA) {
    let classCount = dfa.classCount
    let stateCount = dfa.stateCount
    self.classCount = classCount
    // Two more than there are ranges: counts are kept two further up, since filling moves each
    // start up.
    var starts = [Int32](repeating: 0, count: stateCount * classCount + 2)
    var sources = [Int32](repeating: 0, count: stateCount * classCount)
    var row = 0
    for _ in 0..<stateCount {
      for symbolClass in 0..<classCount {
        let target = Int(dfa.transitions[row + symbolClass])
        starts[target * classCount + symbolClass + 2] += 1
      }
      row += classCount
    }
    var sum: Int32 = 0
    for place in starts.indices {
      sum += starts[place]
      starts[place] = sum
    }
    row = 0
    for state in 0..<stateCount {
      for symbolClass in 0..<classCount {
        let place = Int(dfa.transitions[row + symbolClass]) * classCount + symbolClass + 1
        let next = starts[place]
        sources[Int(next)] = Int32(truncatingIfNeeded: state)
        starts[place] = next + 1
      }
      row += classCount
    }
    self.starts = starts
    self.sources = sources
  }

  /// Returns the range in ``sources`` of the states from which a class leads to a state.
  func range(_ symbolClass: Int, _ target: Int) -> Range<Int> {
    let place = target * classCount + symbolClass
    return Int(starts[place])..<Int(starts[place + 1])
  }
}

/// A partition of the states, refined step by step.
private struct Partition {
  private struct Part {
    var start: Int
    var end: Int
    /// The number of marked members, which come first.
    var marked = 0
  }

  /// The states, part by part, and the index and part of each.
  private var order: [Int32]
  private var places: [Int32]
  private var partOf: [Int32]
  private var parts: [Part] = []
  /// The work list: parts that may still split others.
  private var pending: [Int] = []
  /// Parts with marked members.
  private var touched: [Int] = []

  init(stateCount: Int) {
    order = (0..<Int32(truncatingIfNeeded: stateCount)).map { $0 }
    places = order
    partOf = Array(repeating: 0, count: stateCount)
  }

  /// Starts with one part for each distinct list of actions.
  mutating func separate(by actions: [[UInt32]]) {
    var numbers: [[UInt32]: Int32] = [:]
    var counts: [Int] = []
    for (state, own) in actions.enumerated() {
      // Most states have no action; skips the dictionary for them.
      let isPlain = own.isEmpty && !counts.isEmpty && actions[0].isEmpty
      let number =
        isPlain ? 0 : numbers[own] ?? Int32(truncatingIfNeeded: numbers.count)
      if Int(number) == counts.count {
        numbers[own] = number
        counts.append(0)
      }
      counts[Int(number)] += 1
      partOf[state] = number
    }
    // What leads into one part is what leads into none of the others, so one part need not be asked about:
    // the largest, which would take longest.
    let largest = counts.indices.max { counts[$0] < counts[$1] }
    var start = 0
    for (number, count) in counts.enumerated() {
      parts.append(Part(start: start, end: start))
      if number != largest { pending.append(number) }
      start += count
    }
    for state in actions.indices {
      let part = Int(partOf[state])
      put(Int32(truncatingIfNeeded: state), at: parts[part].end)
      parts[part].end += 1
    }
  }

  private mutating func put(_ state: Int32, at place: Int) {
    order[place] = state
    places[Int(state)] = Int32(truncatingIfNeeded: place)
  }

  mutating func popPending() -> Int? {
    pending.popLast()
  }

  func copyMembers(of part: Int, to members: inout [Int32]) {
    members.removeAll(keepingCapacity: true)
    members.append(contentsOf: order[parts[part].start..<parts[part].end])
  }

  /// Whether any state is marked.
  var hasMarked: Bool { !touched.isEmpty }

  /// Marks the states from which a class leads to a state: a range of ``TransitionSources/sources``.
  ///
  /// A class leads each state to one target, so distinct targets mark it once.
  mutating func mark(_ sources: [Int32], _ range: Range<Int>) {
    for source in range {
      let state = sources[source]
      let part = Int(partOf[Int(state)])
      let place = Int(places[Int(state)])
      let boundary = parts[part].start + parts[part].marked
      if parts[part].marked == 0 { touched.append(part) }
      put(order[boundary], at: place)
      put(state, at: boundary)
      parts[part].marked += 1
    }
  }

  /// Splits each part that is partly marked.
  mutating func splitMarked() {
    while let part = touched.popLast() {
      let (start, end, marked) = (parts[part].start, parts[part].end, parts[part].marked)
      parts[part].marked = 0
      guard marked < end - start else { continue }
      let boundary = start + marked
      // The smaller half becomes the new part, so that each state moves O(log *s*) times.
      let isFrontSmaller = marked <= end - boundary
      let new = parts.count
      parts.append(
        isFrontSmaller ? Part(start: start, end: boundary) : Part(start: boundary, end: end)
      )
      parts[part].start = isFrontSmaller ? boundary : start
      parts[part].end = isFrontSmaller ? end : boundary
      for place in parts[new].start..<parts[new].end {
        partOf[Int(order[place])] = Int32(truncatingIfNeeded: new)
      }
      // If the old part is pending, so are now both halves; if not, the smaller half alone
      // suffices.
      pending.append(new)
    }
  }

  /// Returns the part of each state, numbered by first appearance.
  func numbered() -> (parts: [UInt32], count: Int) {
    var numbers = [UInt32?](repeating: nil, count: parts.count)
    var result: [UInt32] = []
    result.reserveCapacity(partOf.count)
    var count: UInt32 = 0
    for part in partOf {
      if let number = numbers[Int(part)] {
        result.append(number)
      } else {
        numbers[Int(part)] = count
        result.append(count)
        count += 1
      }
    }
    return (result, Int(count))
  }
}
