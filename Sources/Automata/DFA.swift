/// A deterministic automaton over classes of symbols.
///
/// State 0 is dead, state 1 the start. The row of state *s* is the `classCount` entries of
/// ``transitions`` from *s* · `classCount` on.
public struct DFA: Hashable, Sendable {
  /// The class of each of the 128 symbols.
  public var classes: [UInt8]
  /// The number of classes, at least 1.
  public var classCount: Int
  /// The next state for each state and class, row by row.
  public var transitions: [UInt32]
  /// The actions of each state, in ascending order.
  public var actions: [[UInt32]]

  /// The number of states, dead and start included.
  public var stateCount: Int { actions.count }

  /// Returns the next state; 0 for a symbol above 127.
  public func next(_ state: Int, _ symbol: UInt8) -> Int {
    guard symbol < 128 else { return 0 }
    return Int(transitions[state * classCount + Int(classes[Int(symbol)])])
  }

  /// Returns the actions of all states that reading the symbols passes through.
  public func actions(reading symbols: some Sequence<UInt8>) -> Set<UInt32> {
    var state = 1
    var found = Set(actions[state])
    for symbol in symbols {
      state = next(state, symbol)
      if state == 0 { break }
      found.formUnion(actions[state])
    }
    return found
  }
}
