internal import ContentRules

/// Translates a valid url filter into instructions, in one pass.
///
/// A group begins before its quantifier is known, so every group starts with two no-op instructions
/// that the quantifier may overwrite:
///
///     *   0 either(1, 4)   1 beginIteration   2 …   endIteration   jump 0
///     ?   0 either(1, 3)   1 beginIteration   2 …   endIteration
///     +   0 beginLoop      1 nothing          2 …   endIteration   either   beginIteration   jump 1
struct JavaScriptPatternReader {
  /// How often an atom may be repeated.
  struct Repetition {
    var isOptional: Bool
    var isUnbounded: Bool
    var isLazy: Bool
  }

  private struct OpenGroup {
    /// The first of the two instructions before the group.
    var head: Int
    /// The number of the first group from this one on.
    var firstGroup: Int
    var isCapturing: Bool
  }

  let text: [UInt8]
  var index = 0
  var pattern = JavaScriptPattern()
  /// Whether something was found that a valid filter does not have.
  var isBroken = false
  private var nextGroup = 1
  private var openGroups: [OpenGroup] = []

  init(_ text: [UInt8]) {
    self.text = text
  }

  /// Reads the whole filter; returns false if the rule language does not accept it.
  mutating func read() -> Bool {
    pattern.groupCount = countGroups() + 1
    pattern.slotCount = pattern.groupCount * 2
    emit(.record(slot: 0))
    while !isBroken, let byte = peek() {
      index += 1
      switch byte {
      case UInt8(ascii: "("): openGroup()
      case UInt8(ascii: ")"): closeGroup()
      case UInt8(ascii: "["): emitAtom(.character(readSet()))
      case UInt8(ascii: "."): emitAtom(.character(Self.anyButLineBreaks))
      case UInt8(ascii: "^"): emit(.startOfText)
      case UInt8(ascii: "$"): emit(.endOfText)
      case UInt8(ascii: "\\"): readEscape()
      case UInt8(ascii: "|"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), 0x80...:
        isBroken = true
      default: emitAtom(.character(Self.set(of: byte)))
      }
    }
    emit(.record(slot: 1))
    emit(.accept)
    return !isBroken && openGroups.isEmpty
  }

  func peek(_ distance: Int = 0) -> UInt8? {
    index + distance < text.count ? text[index + distance] : nil
  }

  static let anyButLineBreaks: CharacterSet = {
    let lineBreaks: UInt64 = 1 << 10 | 1 << 13
    return CharacterSet(low: ~lineBreaks, high: ~0)
  }()

  static func set(of character: UInt8) -> CharacterSet {
    var set = CharacterSet()
    if character < 128 { set.insert(character) }
    return set
  }

  // MARK: Instructions

  private func target(_ index: Int) -> Int32 {
    Int32(truncatingIfNeeded: index)
  }

  /// The index of the next instruction.
  private var here: Int32 {
    target(pattern.program.count)
  }

  private mutating func emit(_ instruction: JavaScriptPattern.Instruction) {
    pattern.program.append(instruction)
  }

  private func either(
    _ again: Int32,
    _ exit: Int32,
    isLazy: Bool
  ) -> JavaScriptPattern.Instruction {
    isLazy ? .either(first: exit, second: again) : .either(first: again, second: exit)
  }

  /// Emits an instruction that consumes text, with the quantifier that follows.
  mutating func emitAtom(_ atom: JavaScriptPattern.Instruction) {
    guard let repetition = readRepetition() else { return emit(atom) }
    guard case .character = atom else {
      // The text of a group can be empty, so it needs a loop that detects empty iterations.
      let head = pattern.program.count
      emit(.nothing)
      emit(.nothing)
      emit(atom)
      return close(head, groups: 0..<0, repetition)
    }
    let start = here
    let isLazy = repetition.isLazy
    switch (repetition.isOptional, repetition.isUnbounded) {
    case (true, true):
      emit(either(start + 1, start + 3, isLazy: isLazy))
      emit(atom)
      emit(.jump(start))
    case (true, false):
      emit(either(start + 1, start + 2, isLazy: isLazy))
      emit(atom)
    case (false, _):
      emit(atom)
      emit(either(start, start + 2, isLazy: isLazy))
    }
  }

  /// Ends a quantified group; `head` is the first of the two instructions before it.
  private mutating func close(_ head: Int, groups: Range<Int32>, _ repetition: Repetition) {
    let slot = target(pattern.slotCount)
    pattern.slotCount += 1
    emit(.endIteration(slot: slot))
    let begin = JavaScriptPattern.Instruction.beginIteration(slot: slot, groups: groups)
    if repetition.isOptional {
      if repetition.isUnbounded { emit(.jump(target(head))) }
      pattern.program[head] = either(target(head) + 1, here, isLazy: repetition.isLazy)
      pattern.program[head + 1] = begin
    } else {
      pattern.program[head] = .beginLoop(slot: slot)
      emit(either(here + 1, here + 3, isLazy: repetition.isLazy))
      emit(begin)
      emit(.jump(target(head) + 1))
    }
  }

  // MARK: Groups

  /// Counts the capturing groups of the whole filter, which decides the meaning of `\1`.
  private func countGroups() -> Int {
    var count = 0
    var position = 0
    var isInSet = false
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "["): isInSet = true
      case UInt8(ascii: "]"): isInSet = false
      case UInt8(ascii: "(") where !isInSet:
        let isCapturing =
          position + 2 >= text.count || text[position + 1] != UInt8(ascii: "?")
          || text[position + 2] == UInt8(ascii: "<")
        if isCapturing { count += 1 }
      default: break
      }
      position += 1
    }
    return count
  }

  /// Reads what follows `(`.
  private mutating func openGroup() {
    var isCapturing = true
    if peek() == UInt8(ascii: "?") {
      if peek(1) == UInt8(ascii: ":") {
        isCapturing = false
        index += 2
      } else if peek(1) == UInt8(ascii: "<"), let end = text[index...].firstIndex(of: 0x3E) {
        index = end + 1
      } else {
        isBroken = true
      }
    }
    openGroups.append(
      OpenGroup(head: pattern.program.count, firstGroup: nextGroup, isCapturing: isCapturing)
    )
    emit(.nothing)
    emit(.nothing)
    guard isCapturing else { return }
    emit(.record(slot: target(nextGroup * 2)))
    nextGroup += 1
    // Both counts of groups must agree, or a slot would be missing.
    if nextGroup > pattern.groupCount { isBroken = true }
  }

  private mutating func closeGroup() {
    guard let group = openGroups.popLast() else {
      isBroken = true
      return
    }
    if group.isCapturing { emit(.record(slot: target(group.firstGroup * 2 + 1))) }
    if let repetition = readRepetition() {
      close(group.head, groups: target(group.firstGroup)..<target(nextGroup), repetition)
    }
  }

  // MARK: Quantifiers

  /// Reads a quantifier, if there is one.
  private mutating func readRepetition() -> Repetition? {
    var repetition: Repetition
    switch peek() {
    case UInt8(ascii: "*"): repetition = .init(isOptional: true, isUnbounded: true, isLazy: false)
    case UInt8(ascii: "+"): repetition = .init(isOptional: false, isUnbounded: true, isLazy: false)
    case UInt8(ascii: "?"): repetition = .init(isOptional: true, isUnbounded: false, isLazy: false)
    case UInt8(ascii: "{"):
      guard let counted = readCounts() else { return nil }
      repetition = counted
    default: return nil
    }
    index += 1
    if peek() == UInt8(ascii: "?") {
      repetition.isLazy = true
      index += 1
    }
    return repetition
  }

  /// Reads `{0,1}`, `{0,}` or `{1,}` up to the brace; an incomplete brace stands for itself.
  private mutating func readCounts() -> Repetition? {
    let start = index
    index += 1
    guard let minimum = readNumber() else {
      index = start
      return nil
    }
    var maximum: Int? = minimum
    if peek() == UInt8(ascii: ",") {
      index += 1
      maximum = readNumber()
    }
    guard peek() == UInt8(ascii: "}") else {
      index = start
      return nil
    }
    switch (minimum, maximum) {
    case (0, 1), (0, nil), (1, nil): break
    default: isBroken = true
    }
    return Repetition(isOptional: minimum == 0, isUnbounded: maximum == nil, isLazy: false)
  }

  /// Reads a decimal number, clamped to the largest.
  mutating func readNumber() -> Int? {
    let start = index
    var value = 0
    while let byte = peek(), byte &- 0x30 < 10 {
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      value = overflows ? .max : product.addingReportingOverflow(Int(byte &- 0x30)).partialValue
      if value < 0 { value = .max }
      index += 1
    }
    return index > start ? value : nil
  }
}
