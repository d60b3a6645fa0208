internal import ContentRules
internal import RuleMatching

/// What running a program takes at worst, in steps of a few nanoseconds.
///
/// A step is the comparison of one character with a set or of eight with a string, one transition of
/// a table, or one thread's look at a character.
struct ProgramCost: Equatable {
  /// Steps at a place where the program is tried, up to its first gap.
  var atPlace = 0
  /// Steps for each character of the URL behind it.
  var perCharacter = 0

  /// Steps for each character of a URL that the program is searched for in.
  var anywhere: Int { max(atPlace, perCharacter) }
}

extension ProgramWriter {
  /// What running a program takes.
  ///
  /// - Parameters:
  ///   - program: The program's offset.
  ///   - span: The characters that it reads at most, if they are bounded.
  /// - Returns: The steps.
  func cost(of program: UInt32, span: Int? = nil) -> ProgramCost {
    let offset = Int(program)
    switch programs[offset] {
    case Opcode.dfa: return automatonCost(1, span)
    case Opcode.threads: return automatonCost(liveThreads(offset), span)
    default: return costOfPieces(offset)
    }
  }

  private func automatonCost(_ width: Int, _ span: Int?) -> ProgramCost {
    guard let span else { return ProgramCost(atPlace: width, perCharacter: width) }
    return ProgramCost(atPlace: width * span)
  }

  /// The most threads that can be alive at once: those that one character leaves alive.
  private func liveThreads(_ start: Int) -> Int {
    let count = number(at: start + 1)
    let code = start + Opcode.threadsHeaderSize
    var alive = [Int](repeating: 0, count: 128)
    for thread in 0..<count where programs[code + thread * Opcode.threadSize] == Opcode.set {
      let reached = reach(from: thread + 1, code, count)
      let set = sets[number(at: code + thread * Opcode.threadSize + 4)]
      for character in 0..<128 where set.contains(UInt8(character)) { alive[character] += reached }
    }
    return min(count, alive.max() ?? count)
  }

  /// How many threads wait for a character behind an instruction; all when that takes long to see.
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

  private static let longestReach = 16

  private func number(at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(programs[offset + $1]) << (8 * $1) }
  }

  /// Each piece is compared at each place, in the worst case nearly to its end.
  private func costOfPieces(_ start: Int) -> ProgramCost {
    var cost = ProgramCost()
    var piece = 0
    var isFirst = true
    var offset = start
    while true {
      switch programs[offset] {
      case Opcode.character:
        piece += 1
        offset += 2
      case Opcode.string:
        let length = Int(programs[offset + 1])
        piece += 1 + length / 8
        offset += 2 + length
      case Opcode.set:
        piece += 1
        offset += 1
        while programs[offset] >= 0x80 { offset += 1 }
        offset += 1
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
