internal import ContentRules
internal import RuleMatching

/// The worst-case cost of running a program, in steps of a few nanoseconds.
///
/// A step is the comparison of one character with a set or of eight with a string, a DFA
/// transition, or one thread's look at a character. Patterns can ask for more of them than 32 bits hold.
struct ProgramCost: Equatable {
  /// Steps at each place where the program is tried, up to its first gap.
  var atPlace: Int64 = 0
  /// Steps for each character of the URL behind that place.
  var perCharacter: Int64 = 0

  /// Steps per character of a URL that is searched from its start.
  var anywhere: Int64 { max(atPlace, perCharacter) }
}

extension ProgramWriter {
  /// Returns the worst-case cost of a program.
  ///
  /// - Parameters:
  ///   - program: The program's offset.
  ///   - span: The most characters that it reads, if they are bounded.
  /// - Returns: The steps.
  func cost(of program: UInt32, span: Int? = nil) -> ProgramCost {
    let offset = Int(program)
    switch programs[offset] {
    case Opcode.dfa: return automatonCost(1, span)
    case Opcode.threads: return automatonCost(Int64(liveThreads(offset)), span)
    default: return costOfPieces(offset)
    }
  }

  private func automatonCost(_ width: Int64, _ span: Int?) -> ProgramCost {
    guard let span else { return ProgramCost(atPlace: width, perCharacter: width) }
    return ProgramCost(atPlace: width * Int64(span))
  }

  /// Bounds the threads that can be alive at once: the most that any one character keeps alive.
  private func liveThreads(_ start: Int) -> Int {
    let count = number(at: start + 1)
    let code = start + Opcode.threadsHeaderSize
    var alive = [Int](repeating: 0, count: 128)
    for thread in 0..<count where programs[code + thread * Opcode.threadSize] == Opcode.set {
      let reached = reach(from: thread + 1, code, count)
      let set = sets[number(at: code + thread * Opcode.threadSize + 4)]
      // An upper bound: threads reached from two instructions are counted twice, hence the `min`
      // below.
      for character in 0..<128 where set.contains(UInt8(character)) { alive[character] += reached }
    }
    return min(count, alive.max() ?? count)
  }

  /// Counts the threads that wait for a character behind an instruction; returns `count` if the
  /// walk gets long.
  private func reach(from thread: Int, _ code: Int, _ count: Int) -> Int {
    var reached = 0
    var stack = [thread]
    for _ in 0..<Self.longestReach {
      guard let thread = stack.popLast() else { return reached }
      let instruction = code + thread * Opcode.threadSize
      switch programs[instruction] {
      case Opcode.split: stack += [thread + 1, number(at: instruction + 4)]
      case Opcode.jump: stack.append(number(at: instruction + 4))
      default: reached += 1
      }
    }
    return stack.isEmpty ? reached : count
  }

  // Bounds the walk, which does not detect loops of empty groups, and keeps compiling linear.
  private static let longestReach = 16

  func number(at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(programs[offset + $1]) << (8 * $1) }
  }

  /// Compares every piece at every place, in the worst case nearly to its end.
  private func costOfPieces(_ start: Int) -> ProgramCost {
    var cost = ProgramCost()
    var piece: Int64 = 0
    var isFirst = true
    var offset = start
    while true {
      switch programs[offset] {
      case Opcode.character:
        piece += 1
        offset += 2
      case Opcode.string:
        let length = Int(programs[offset + 1])
        piece += Int64(1 + length / 8)
        offset += 2 + length
      case Opcode.set:
        piece += 1
        offset += 1
        while programs[offset] >= 0x80 { offset += 1 }
        offset += 1
      // A gap or the accept ends the piece. Only the first piece has a fixed place to be tried at.
      case let operation:
        if isFirst {
          cost.atPlace = piece
        } else {
          cost.perCharacter = max(cost.perCharacter, piece)
        }
        if operation != Opcode.gap { return cost }
        isFirst = false
        piece = 0
        offset += 1
      }
    }
  }
}
