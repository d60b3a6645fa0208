// Hot while compiling general patterns; bounded by the caller's limit on states.

extension NFA {
  /// Builds the deterministic automaton of the same actions.
  ///
  /// - Parameters:
  ///   - stateLimit: The most states to build, dead and start included.
  ///   - stopsAtAccept: Whether a state with an action needs no way on: true when only the first
  ///     action counts.
  /// - Returns: `nil` when the limit does not suffice.
  /// - Complexity: O(*s* · *k* · *m*) for *s* states, *k* classes and *m* instructions.
  public func determinized(stateLimit: Int, stopsAtAccept: Bool) -> DFA? {
    let (classes, classCount) = symbolClasses()
    var representative = [UInt8](repeating: 0, count: classCount)
    for symbol in (0..<128).reversed() {
      representative[Int(classes[symbol])] = UInt8(symbol)
    }
    var subsets: [[Int]] = [[], epsilonClosure(of: [0])]
    var numbers: [[Int]: Int] = [[]: 0, subsets[1]: 1]
    var transitions = [UInt32](repeating: 0, count: classCount)
    var actions: [[UInt32]] = [[]]
    var state = 1
    while state < subsets.count {
      let subset = subsets[state]
      let own = subset.compactMap { state -> UInt32? in
        if case .accept(let action) = instructions[state] { action } else { nil }
      }
      actions.append(Array(Set(own)).sorted())
      for symbolClass in 0..<classCount {
        guard !(stopsAtAccept && !own.isEmpty) else {
          transitions.append(0)
          continue
        }
        var targets: [Int] = []
        for member in subset {
          if case .consume(let set) = instructions[member],
            set.contains(representative[symbolClass])
          {
            targets.append(member + 1)
          }
        }
        let next = targets.isEmpty ? [] : epsilonClosure(of: targets)
        if let number = numbers[next] {
          transitions.append(UInt32(number))
        } else {
          guard subsets.count < stateLimit else { return nil }
          numbers[next] = subsets.count
          transitions.append(UInt32(subsets.count))
          subsets.append(next)
        }
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

  /// Puts symbols that no instruction tells apart into one class.
  ///
  /// - Returns: The class of each symbol, numbered by first appearance, and their number.
  private func symbolClasses() -> (classes: [UInt8], count: Int) {
    var classes = [UInt8](repeating: 0, count: 128)
    var count = 1
    var seen: Set<SymbolSet> = []
    for case .consume(let set) in instructions where seen.insert(set).inserted {
      // Each class splits into the symbols inside and outside of the set.
      var renumbered: [Int: UInt8] = [:]
      for symbol in 0..<128 {
        let key = Int(classes[symbol]) * 2 + (set.contains(UInt8(symbol)) ? 1 : 0)
        let number = renumbered[key] ?? UInt8(renumbered.count)
        renumbered[key] = number
        classes[symbol] = number
      }
      count = renumbered.count
    }
    return (classes, count)
  }
}
