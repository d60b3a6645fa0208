extension DFA {
  /// The automaton with the fewest states that has the same actions.
  ///
  /// Refines the partition of states by their actions until no class of symbols leads two states
  /// of one part into different parts (Moore). States keep the order of their first members, so
  /// the result does not depend on hashing.
  ///
  /// - Complexity: O(*r* · *s* · *k*) for *r* rounds (at most *s*), *s* states and *k* classes.
  public func minimized() -> DFA {
    var parts = [UInt32](repeating: 0, count: stateCount)
    var partCount = 0
    // The dead state is a part of its own only as long as nothing else behaves like it, so it
    // takes part like any other and gets number 0 by coming first.
    do {
      var numbers: [[UInt32]: UInt32] = [:]
      for state in 0..<stateCount {
        let number = numbers[actions[state]] ?? UInt32(numbers.count)
        numbers[actions[state]] = number
        parts[state] = number
      }
      partCount = numbers.count
    }
    while true {
      var numbers: [[UInt32]: UInt32] = [:]
      var refined = parts
      var signature = [UInt32](repeating: 0, count: classCount + 1)
      for state in 0..<stateCount {
        signature[classCount] = parts[state]
        for symbolClass in 0..<classCount {
          signature[symbolClass] = parts[Int(transitions[state * classCount + symbolClass])]
        }
        let number = numbers[signature] ?? UInt32(numbers.count)
        numbers[signature] = number
        refined[state] = number
      }
      parts = refined
      if numbers.count == partCount { break }
      partCount = numbers.count
    }
    return quotient(parts, partCount)
  }

  private func quotient(_ parts: [UInt32], _ partCount: Int) -> DFA {
    // The start keeps number 1 even where it behaves like the dead state.
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
    for case let state? in representatives {
      minimal.actions.append(actions[state])
      for symbolClass in 0..<classCount {
        minimal.transitions.append(parts[Int(transitions[state * classCount + symbolClass])])
      }
    }
    return minimal
  }
}
