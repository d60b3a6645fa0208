// Hot: runs for each filter with a table whose literal or host was met and whose sink wants it. Bounded by
// the URL's length. Each step waits for the one before, so that whatever else a step does costs little.
// Guarded by `Scripts/count-instructions`.

extension ProgramRunner {
  /// Decides whether a `dfa` program matches the text from a position on.
  func dfaMatches(_ program: Int, _ text: TextView, from start: Int) -> Bool {
    let isWide = image.u8(program &+ 1) == 2
    let classCount = Int(image.u16(program &+ 4))
    let firstAccepting = Int(image.u16(program &+ 6))
    let classMap = programs &+ Int(image.u32(program &+ 8))
    // States from the first accepting one on accept; state 1 is the start.
    if firstAccepting <= 1 { return true }
    let automaton = Automaton(
      classMap: classMap,
      classCount: classCount,
      table: program &+ Opcode.dfaHeaderSize,
      firstAccepting: firstAccepting
    )
    return isWide
      ? accepts(automaton, text, from: start) { Int(image.u16(automaton.table &+ 2 &* $0)) }
      : accepts(automaton, text, from: start) { Int(image.u8(automaton.table &+ $0)) }
  }

  /// The tables of a `dfa` program.
  private struct Automaton {
    /// The offset of the 128 classes of the characters.
    let classMap: Int
    let classCount: Int
    /// The offset of the states, each with a cell for each class.
    let table: Int
    /// States from here on accept.
    let firstAccepting: Int
  }

  /// Runs an automaton; `next` reads a cell of its table.
  @inline(__always)
  private func accepts(
    _ automaton: Automaton,
    _ text: TextView,
    from start: Int,
    _ next: (Int) -> Int
  ) -> Bool {
    // Both ends of the classes are within the file, so all that are read below are.
    _ = image.u8(automaton.classMap)
    _ = image.u8(automaton.classMap &+ 127)
    var state = 1
    var position = start
    // Up to and including the 0 behind the text, which `$` reads.
    while position <= text.count {
      // In bounds: the position is at most `count`, and 0 follows the text.
      let character = unsafe text.byte(unchecked: position)
      guard character < 128 else { return false }
      // In bounds by the two reads above.
      let characterClass = Int(unsafe image.u8(unchecked: automaton.classMap &+ Int(character)))
      let last = state
      state = next(state &* automaton.classCount &+ characterClass)
      // One comparison for both ends: less 1, the dead state 0 becomes the largest number.
      if UInt(bitPattern: state &- 1) >= UInt(bitPattern: automaton.firstAccepting &- 1) {
        return state != 0
      }
      position &+= 1
      // Asked after 32 characters, 64, 128 and so on: a few times for any text.
      let read = position &- start
      if read & (read &- 1) == 0, read >= 32, state == last, text.isASCII,
        waitsForEnd(state, automaton, next)
      {
        return true
      }
    }
    return false
  }

  /// Whether an automaton that is in a state accepts whatever follows in an ASCII text, as behind the
  /// separator of `([^a-z].*)?$`.
  private func waitsForEnd(_ state: Int, _ automaton: Automaton, _ next: (Int) -> Int) -> Bool {
    let row = state &* automaton.classCount
    let end = Int(image.u8(automaton.classMap))
    guard next(row &+ end) >= automaton.firstAccepting else { return false }
    for other in 0..<automaton.classCount {
      let successor = next(row &+ other)
      guard successor == state || successor >= automaton.firstAccepting else { return false }
    }
    return true
  }
}
