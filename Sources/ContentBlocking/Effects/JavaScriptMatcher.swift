internal import ContentRules

/// Runs a pattern on a text by backtracking, as JavaScript defines it.
///
/// Hot: one step per instruction. Choices and overwritten slots share one stack of 8-byte entries,
/// so the length of the text costs no recursion. Every step adds at most two entries, so the step
/// limit bounds both time and memory.
struct JavaScriptMatcher {
  /// The most steps of one search; a search that takes more counts as no match.
  ///
  /// Automata need no such limit, but backtracking can take exponential time, as in `(a*)*b`.
  /// Ordinary filters take a few steps per character, so the limit allows URLs of a million
  /// characters, with a stack below 64 MiB.
  ///
  /// > Deviation: WebKit's interpreter gives up after a million attempts, its compiled expressions
  /// > run on for ever.
  static let maximumSteps = 4_000_000

  /// A choice to return to, or a slot to restore.
  private struct Entry {
    /// The instruction of a choice, or the complement of a slot's number.
    var target: Int32
    /// The position of a choice, or the slot's former value.
    var value: Int32
  }

  private enum Outcome {
    case matched
    case failed
    case exhausted
  }

  private let pattern: JavaScriptPattern
  /// The start and end of every group, then the slots of loops; −1 for none.
  private var slots: [Int32]
  private var stack: [Entry] = []
  private var steps: Int

  private init(_ pattern: JavaScriptPattern, steps: Int) {
    self.pattern = pattern
    self.slots = Array(repeating: -1, count: pattern.slotCount)
    self.steps = steps
  }

  /// Finds the first match in a text.
  ///
  /// - Parameters:
  ///   - pattern: What to search for.
  ///   - text: ASCII bytes, fewer than 2³¹.
  ///   - maximumSteps: The most instructions to run, over all starting positions.
  /// - Returns: The bytes of the match and of every group in order, `nil` for a group that did not
  ///   take part; `nil` if there is no match or the steps ran out.
  static func firstMatch(
    of pattern: JavaScriptPattern,
    in text: Span<UInt8>,
    maximumSteps: Int = maximumSteps
  ) -> [Range<Int>?]? {
    guard text.count < Int(Int32.max) else { return nil }
    var matcher = JavaScriptMatcher(pattern, steps: maximumSteps)
    for start in 0...(pattern.isAnchored ? 0 : text.count) {
      if let set = pattern.firstCharacters {
        guard start < text.count, set.contains(text[start]) else { continue }
      }
      switch matcher.run(text, from: start) {
      case .matched: return (0..<pattern.groupCount).map { matcher.capture($0) }
      case .failed: continue
      case .exhausted: return nil
      }
    }
    return nil
  }

  /// Returns what a group captured, if it was completed.
  private func capture(_ group: Int) -> Range<Int>? {
    let start = slots[group * 2]
    let end = slots[group * 2 + 1]
    return start >= 0 && end >= start ? Int(start)..<Int(end) : nil
  }

  private mutating func write(_ value: Int32, to slot: Int) {
    let former = slots[slot]
    guard former != value else { return }
    stack.append(Entry(target: ~Int32(truncatingIfNeeded: slot), value: former))
    slots[slot] = value
  }

  /// Undoes all writes since the last choice and takes its other branch; `nil` without a choice.
  private mutating func backtrack() -> (instruction: Int, position: Int)? {
    while let entry = stack.popLast() {
      if entry.target >= 0 { return (Int(entry.target), Int(entry.value)) }
      slots[Int(~entry.target)] = entry.value
    }
    return nil
  }

  /// Tries to match at one position; after a failure all slots are as before.
  private mutating func run(_ text: Span<UInt8>, from start: Int) -> Outcome {
    var next = 0
    var position = start
    while true {
      steps -= 1
      if steps < 0 { return .exhausted }
      var succeeds = true
      switch pattern.program[next] {
      case .nothing, .beginLoop, .beginIteration, .record:
        remember(pattern.program[next], at: position)
      case .character(let set):
        succeeds = position < text.count && set.contains(text[position])
        if succeeds { position += 1 }
      case .startOfText:
        succeeds = position == 0
      case .endOfText:
        succeeds = position == text.count
      case .reference(let group):
        if let range = capture(Int(group)) {
          steps -= range.count
          succeeds = Self.repeats(text, range, at: position)
          if succeeds { position += range.count }
        }
      case .either(let first, let second):
        stack.append(Entry(target: second, value: Int32(truncatingIfNeeded: position)))
        next = Int(first)
        continue
      case .jump(let target):
        next = Int(target)
        continue
      case .endIteration(let slot):
        succeeds = Int(slots[Int(slot)]) != position
      case .accept:
        return .matched
      }
      if succeeds {
        next += 1
      } else if let choice = backtrack() {
        (next, position) = choice
      } else {
        return .failed
      }
    }
  }

  /// Runs an instruction that only writes to slots.
  private mutating func remember(_ instruction: JavaScriptPattern.Instruction, at position: Int) {
    let position = Int32(truncatingIfNeeded: position)
    switch instruction {
    case .record(let slot):
      write(position, to: Int(slot))
    case .beginLoop(let slot):
      write(-1, to: Int(slot))
    case .beginIteration(let slot, let groups):
      write(position, to: Int(slot))
      steps -= groups.count
      // Once the steps are used up, the run ends before any capture is read.
      guard steps >= 0 else { return }
      for group in groups {
        write(-1, to: Int(group) * 2)
        write(-1, to: Int(group) * 2 + 1)
      }
    default:
      break
    }
  }

  /// Whether the bytes of a range are repeated at a position.
  private static func repeats(_ text: Span<UInt8>, _ range: Range<Int>, at position: Int) -> Bool {
    guard range.count <= text.count - position else { return false }
    for offset in 0..<range.count where text[range.lowerBound + offset] != text[position + offset] {
      return false
    }
    return true
  }
}
