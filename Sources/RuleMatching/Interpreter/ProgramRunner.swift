// Hot where a filter's literal was seen; bounded by the URL's length times the program's
// instructions (threads), or by the URL's length (dfa).

/// Runs filter programs; see ``Opcode``.
struct ProgramRunner {
  let image: Image
  /// Where ``Section/programs`` begins in the image.
  let programs: Int
  /// Where ``Section/characterSets`` begins in the image.
  let characterSets: Int

  /// Decides whether a program matches the text from a position on.
  ///
  /// - Parameters:
  ///   - program: The program's offset.
  ///   - text: The text in the case that the filter asks for.
  ///   - start: Where the program begins to read, at most `text.count`.
  ///   - threads: Working memory for the `threads` machine.
  /// - Returns: Whether it matches.
  func matches(
    _ program: Int,
    _ text: TextView,
    from start: Int,
    _ threads: inout ThreadLists
  ) -> Bool {
    let offset = programs &+ program
    switch image.u8(offset) {
    case Opcode.dfa: return dfaMatches(offset, text, from: start)
    case Opcode.threads: return threadsMatch(offset, text, from: start, &threads)
    default: return piecesMatch(offset, text, from: start)
    }
  }

  /// Whether a look at what a program of pieces begins with shows that it does not match.
  ///
  /// Of the filters behind a host most ask for a path of their own, and fail here.
  @inline(__always)
  func failsAtOnce(_ program: Int, _ text: TextView, at start: Int) -> Bool {
    let offset = programs &+ program
    switch image.u8(offset) {
    case Opcode.string:
      let length = UInt64(min(image.u8(offset &+ 1), 8))
      let difference = image.u64(offset &+ 2) ^ text.word(at: start)
      return difference &<< (64 &- 8 &* length) != 0
    case Opcode.set:
      var next = offset &+ 1
      let set = Int(image.varint(&next))
      return !contains(set, text[start])
    case Opcode.character:
      return text[start] != image.u8(offset &+ 1)
    default:
      return false
    }
  }

  @inline(__always)
  private func contains(_ set: Int, _ character: UInt8) -> Bool {
    guard character < 128 else { return false }
    let word = image.u64(characterSets &+ set &* 16 &+ Int(character >> 6) &* 8)
    return word >> UInt64(character & 63) & 1 != 0
  }

  private func piecesMatch(_ program: Int, _ text: TextView, from start: Int) -> Bool {
    var offset = program
    // The first piece, which may be empty, has to match where it stands.
    guard let end = pieceEnd(&offset, text, at: start) else { return false }
    return image.u8(offset) == Opcode.accept || gapMatches(offset &+ 1, text, from: end)
  }

  /// Whether a program is one of pieces.
  @inline(__always)
  func isPieces(_ program: Int) -> Bool { image.u8(programs &+ program) < Opcode.dfa }

  /// What is left of a pieces program behind its first piece.
  struct Rest {
    /// The gap or accept behind the piece.
    fileprivate var offset: Int
    fileprivate var position: Int
  }

  /// Matches the first piece of a pieces program at one place.
  func firstPiece(_ program: Int, _ text: TextView, at start: Int) -> Rest? {
    var offset = programs &+ program
    guard let end = pieceEnd(&offset, text, at: start) else { return nil }
    return Rest(offset: offset, position: end)
  }

  /// Matches what is left behind a first piece.
  func matchesRest(_ rest: Rest, _ text: TextView) -> Bool {
    image.u8(rest.offset) == Opcode.accept
      || gapMatches(rest.offset &+ 1, text, from: rest.position)
  }

  /// Finds each of the remaining pieces at its leftmost place.
  private func gapMatches(_ afterGap: Int, _ text: TextView, from start: Int) -> Bool {
    var piece = afterGap
    var position = start
    while true {
      let operation = image.u8(piece)
      if operation == Opcode.accept { return true }
      // What a plain piece begins with is looked for eight bytes at a time.
      let first: UInt8? =
        switch operation {
        case Opcode.character: image.u8(piece &+ 1)
        case Opcode.string: image.u8(piece &+ 2)
        default: nil
        }
      var offset = piece
      while true {
        if let first, text.isASCII {
          guard let next = text.firstIndex(of: first, from: position) else { return false }
          position = next
        }
        guard position <= text.count else { return false }
        offset = piece
        if let end = pieceEnd(&offset, text, at: position) {
          position = end
          break
        }
        // A gap skips characters, which 0 and those above 127 are not.
        guard position < text.count, text[position] < 128 else { return false }
        position &+= 1
      }
      if image.u8(offset) == Opcode.accept { return true }
      piece = offset &+ 1
    }
  }

  /// Matches one piece at one place; moves the offset to the gap or accept behind it.
  @inline(__always)
  private func pieceEnd(_ offset: inout Int, _ text: TextView, at start: Int) -> Int? {
    var position = start
    while true {
      switch image.u8(offset) {
      case Opcode.character:
        guard position < text.count, text[position] == image.u8(offset &+ 1) else { return nil }
        position &+= 1
        offset &+= 2
      case Opcode.string:
        let length = Int(image.u8(offset &+ 1))
        guard position &+ length <= text.count else { return nil }
        guard stringMatches(offset &+ 2, length, text, at: position) else { return nil }
        position &+= length
        offset &+= 2 &+ length
      case Opcode.set:
        var next = offset &+ 1
        let set = Int(image.varint(&next))
        guard position <= text.count, contains(set, text[position]) else { return nil }
        position &+= 1
        offset = next
      default:
        return position
      }
    }
  }

  /// Compares a string of a program with the text, which is at least as long from there on.
  @inline(__always)
  private func stringMatches(
    _ string: Int,
    _ length: Int,
    _ text: TextView,
    at position: Int
  ) -> Bool {
    var index = 0
    while length &- index >= 8 {
      if image.u64(string &+ index) != text.word(at: position &+ index) { return false }
      index &+= 8
    }
    if index == length { return true }
    let difference = image.u64(string &+ index) ^ text.word(at: position &+ index)
    return difference &<< UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- index)) == 0
  }

  private func dfaMatches(_ program: Int, _ text: TextView, from start: Int) -> Bool {
    let isWide = image.u8(program &+ 1) == 2
    let classCount = Int(image.u16(program &+ 4))
    let firstAccepting = Int(image.u16(program &+ 6))
    let classMap = programs &+ Int(image.u32(program &+ 8))
    let table = program &+ Opcode.dfaHeaderSize
    var state = 1
    if firstAccepting <= 1 { return true }
    var position = start
    // One step beyond the text, for the character 0 behind it.
    while position <= text.count {
      // In bounds by the loop's condition, and because 0 follows the text.
      let character = unsafe text.byte(unchecked: position)
      guard character < 128 else { return false }
      let cell = state &* classCount &+ Int(image.u8(classMap &+ Int(character)))
      state = isWide ? Int(image.u16(table &+ 2 &* cell)) : Int(image.u8(table &+ cell))
      // Dead or accepting: with 1 subtracted, 0 is the largest number.
      if UInt(bitPattern: state &- 1) >= UInt(bitPattern: firstAccepting &- 1) {
        return state != 0
      }
      position &+= 1
    }
    return false
  }

  private func threadsMatch(
    _ program: Int,
    _ text: TextView,
    from start: Int,
    _ threads: inout ThreadLists
  ) -> Bool {
    let count = Int(image.u32(program &+ 1))
    let code = program &+ Opcode.threadsHeaderSize
    threads.reset(for: count)
    if add(0, code, &threads) { return true }
    var position = start
    while position <= text.count {
      threads.swap()
      if threads.currentCount == 0 { return false }
      let character = text[position]
      for index in 0..<threads.currentCount {
        let thread = threads.current(index)
        let instruction = code &+ thread &* Opcode.threadSize
        let advances =
          switch image.u8(instruction) {
          case Opcode.character: image.u8(instruction &+ 1) == character && character != 0
          default: contains(Int(image.u32(instruction &+ 4)), character)
          }
        if advances, add(thread &+ 1, code, &threads) { return true }
      }
      position &+= 1
    }
    return false
  }

  /// Adds a thread and all that it reaches without reading; true when that is `accept`.
  private func add(_ first: Int, _ code: Int, _ threads: inout ThreadLists) -> Bool {
    threads.push(first)
    while let thread = threads.pop() {
      guard threads.mark(thread) else { continue }
      let instruction = code &+ thread &* Opcode.threadSize
      switch image.u8(instruction) {
      case Opcode.accept:
        return true
      case Opcode.split:
        threads.push(Int(image.u32(instruction &+ 4)))
        threads.push(thread &+ 1)
      case Opcode.jump:
        threads.push(Int(image.u32(instruction &+ 4)))
      default:
        threads.append(thread)
      }
    }
    return false
  }
}

/// The threads of the two current positions, and which instructions were seen in this step.
struct ThreadLists {
  private var now: [UInt32]
  private var next: [UInt32]
  private var stack: [UInt32]
  private var seen: [UInt32]
  private var step: UInt32 = 0
  private(set) var currentCount = 0
  private var nextCount = 0
  private var stackCount = 0

  /// Creates lists for programs of up to `capacity` instructions.
  init(capacity: Int) {
    now = Array(repeating: 0, count: capacity)
    next = Array(repeating: 0, count: capacity)
    // Each instruction that is marked for the first time pushes at most two.
    stack = Array(repeating: 0, count: 2 * capacity + 2)
    seen = Array(repeating: 0, count: capacity)
  }

  var capacity: Int { now.count }

  mutating func reset(for count: Int) {
    precondition(count <= capacity, "the scratch was made for another list")
    currentCount = 0
    nextCount = 0
    stackCount = 0
    advance()
  }

  private mutating func advance() {
    step &+= 1
    if step == 0 {
      for index in seen.indices { seen[index] = 0 }
      step = 1
    }
  }

  mutating func swap() {
    Swift.swap(&now, &next)
    currentCount = nextCount
    nextCount = 0
    stackCount = 0
    advance()
  }

  func current(_ index: Int) -> Int { Int(now[index]) }

  mutating func push(_ thread: Int) {
    stack[stackCount] = UInt32(truncatingIfNeeded: thread)
    stackCount &+= 1
  }

  mutating func pop() -> Int? {
    guard stackCount > 0 else { return nil }
    stackCount &-= 1
    return Int(stack[stackCount])
  }

  /// Notes an instruction; false when this step has seen it already.
  mutating func mark(_ thread: Int) -> Bool {
    guard seen[thread] != step else { return false }
    seen[thread] = step
    return true
  }

  mutating func append(_ thread: Int) {
    next[nextCount] = UInt32(truncatingIfNeeded: thread)
    nextCount &+= 1
  }
}
