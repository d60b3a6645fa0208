// Hot: runs for each filter whose literal or host was met and whose sink wants it. Bounded by the
// URL's length for pieces and DFAs; times the threads alive for threads, which
// `CompilerLimits.threadsPerFilter` bounds. No machine backtracks. Every instruction and operand
// was checked by `ProgramValidator`; reads are checked again. Guarded by
// `Scripts/count-instructions`; hostile programs by `tickbird-benchmarks hostile`.

/// Runs filter programs; see ``Opcode``.
struct ProgramRunner: Sendable {
  let image: Image
  /// The offset of ``Section/programs`` in the image.
  let programs: Int
  /// The offset of ``Section/characterSets`` in the image.
  let characterSets: Int

  /// Decides whether a program matches the text from a position on.
  ///
  /// - Parameters:
  ///   - program: The program's offset.
  ///   - text: The text, exact or folded as the filter asks for.
  ///   - start: The position where the program begins to read, at most `text.count`.
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

  /// Whether a program of pieces fails at its first instruction, without running it.
  ///
  /// Most filters behind a host ask for a path of their own and fail here.
  @inline(__always)
  func failsAtOnce(_ program: Int, _ text: TextView, at start: Int) -> Bool {
    let offset = programs &+ program
    let operation = image.u8(offset)
    if operation == Opcode.set {
      var next = offset &+ 1
      let set = Int(image.varint(&next))
      return !contains(set, text[start])
    }
    // A character is a string of one byte, which stands where a string has its length: no branch
    // between the two, which come in no order.
    let isString = operation == Opcode.string
    guard isString || operation == Opcode.character else { return false }
    let length = isString ? UInt64(min(image.u8(offset &+ 1), 8)) : 1
    let difference = image.u64(offset &+ (isString ? 2 : 1)) ^ text.word(at: start)
    return difference &<< (64 &- 8 &* length) != 0
  }

  @inline(__always)
  private func contains(_ set: Int, _ character: UInt8) -> Bool {
    guard character < 128 else { return false }
    let word = image.u64(characterSets &+ set &* 16 &+ Int(character >> 6) &* 8)
    return word >> UInt64(character & 63) & 1 != 0
  }

  private func piecesMatch(_ program: Int, _ text: TextView, from start: Int) -> Bool {
    var offset = program
    // The first piece, which may be empty, must match where the program starts.
    guard let end = pieceEnd(&offset, text, at: start) else { return false }
    return image.u8(offset) == Opcode.accept || gapMatches(offset &+ 1, text, from: end)
  }

  /// Whether a program consists of pieces.
  @inline(__always)
  func isPieces(_ program: Int) -> Bool { image.u8(programs &+ program) < Opcode.dfa }

  /// Whether a program asks for the end of a domain: plain text without a slash, and then one character of a set.
  func endsDomain(_ program: Int) -> Bool {
    var offset = programs &+ program
    while true {
      switch image.u8(offset) {
      case Opcode.character:
        if image.u8(offset &+ 1) == UInt8(ascii: "/") { return false }
        offset &+= 2
      case Opcode.string:
        let text = offset &+ 2..<offset &+ 2 &+ Int(image.u8(offset &+ 1))
        if image.bytes(text).contains(UInt8(ascii: "/")) { return false }
        offset = text.upperBound
      case Opcode.set:
        offset &+= 1
        image.skipVarint(&offset)
        return image.u8(offset) == Opcode.accept
      default: return false
      }
    }
  }

  /// A program of pieces behind its first piece, and the position reached in the text.
  struct Rest {
    /// The offset of the gap or accept behind the first piece.
    fileprivate var offset: Int
    fileprivate var position: Int
  }

  /// Matches the first piece of a pieces program at one place.
  func firstPiece(_ program: Int, _ text: TextView, at start: Int) -> Rest? {
    var offset = programs &+ program
    guard let end = pieceEnd(&offset, text, at: start) else { return nil }
    return Rest(offset: offset, position: end)
  }

  /// Matches the pieces behind the first one.
  func matchesRest(_ rest: Rest, _ text: TextView) -> Bool {
    image.u8(rest.offset) == Opcode.accept
      || gapMatches(rest.offset &+ 1, text, from: rest.position)
  }

  /// Finds each remaining piece at its leftmost place.
  ///
  /// Leftmost is best: it leaves the most text for what follows, so no other place need be tried.
  private func gapMatches(_ afterGap: Int, _ text: TextView, from start: Int) -> Bool {
    var piece = afterGap
    var position = start
    while true {
      let operation = image.u8(piece)
      if operation == Opcode.accept { return true }
      let lead = text.isASCII ? lead(of: piece, operation) : .none
      var offset = piece
      while true {
        switch lead {
        case .none: break
        case .byte(let first):
          guard let next = text.firstIndex(of: first, from: position) else { return false }
          position = next
        case .pair(let first, let second):
          guard let next = text.firstIndex(of: first, second, from: position) else { return false }
          position = next
        }
        guard position <= text.count else { return false }
        offset = piece
        if let end = pieceEnd(&offset, text, at: position) {
          position = end
          break
        }
        // A gap skips characters, which neither the 0 at the end nor bytes above 127 are.
        guard position < text.count, text[position] < 128 else { return false }
        position &+= 1
      }
      if image.u8(offset) == Opcode.accept { return true }
      piece = offset &+ 1
    }
  }

  /// What a piece of plain text begins with, for which a text is searched many bytes at a time.
  private enum Lead {
    case none
    case byte(UInt8)
    case pair(UInt8, UInt8)
  }

  @inline(__always)
  private func lead(of piece: Int, _ operation: UInt8) -> Lead {
    switch operation {
    case Opcode.character: .byte(image.u8(piece &+ 1))
    // Two bytes, since one is met too often; the validator checked that a string has them.
    case Opcode.string: .pair(image.u8(piece &+ 2), image.u8(piece &+ 3))
    default: .none
    }
  }

  /// Matches one piece at one place; advances the offset to the gap or accept behind it.
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
        // One beyond the text is allowed: sets with `$` contain the 0 there.
        guard position <= text.count, contains(set, text[position]) else { return nil }
        position &+= 1
        offset = next
      default:
        return position
      }
    }
  }

  /// Compares a string of a program with the text, which must be at least as long from there on.
  @inline(__always)
  private func stringMatches(
    _ string: Int,
    _ length: Int,
    _ text: TextView,
    at position: Int
  ) -> Bool {
    // Eight bytes at a time; strings and texts are both readable beyond their ends.
    var index = 0
    while length &- index >= 8 {
      if image.u64(string &+ index) != text.word(at: position &+ index) { return false }
      index &+= 8
    }
    if index == length { return true }
    let difference = image.u64(string &+ index) ^ text.word(at: position &+ index)
    return difference &<< UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- index)) == 0
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
    // Each step costs the threads alive; an instruction is added at most once per step (`mark`).
    while position <= text.count {
      threads.swap()
      if threads.currentCount == 0 { return false }
      let character = text[position]
      for index in 0..<threads.currentCount {
        let thread = threads.current(index)
        let instruction = code &+ thread &* Opcode.threadSize
        let advances =
          switch image.u8(instruction) {
          // The compiler writes sets; a file may hold characters, of which 0 must not match the
          // end.
          case Opcode.character: image.u8(instruction &+ 1) == character && character != 0
          default: contains(Int(image.u32(instruction &+ 4)), character)
          }
        if advances, add(thread &+ 1, code, &threads) { return true }
      }
      position &+= 1
    }
    return false
  }

  /// Adds a thread with all that it reaches without reading; returns true if that includes
  /// `accept`.
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

/// The threads waiting at the current and the next position, and the instructions seen in this
/// step.
struct ThreadLists {
  private var now: [UInt32]
  private var next: [UInt32]
  private var stack: [UInt32]
  private var seen: [UInt32]
  private var step: UInt32 = 0
  private(set) var currentCount = 0
  private var nextCount = 0
  private var stackCount = 0

  /// Creates lists for programs of at most `capacity` instructions.
  init(capacity: Int) {
    now = Array(repeating: 0, count: capacity)
    next = Array(repeating: 0, count: capacity)
    // Each instruction pushes at most two others, and only when it is first marked.
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
    // After 2³² steps old marks could equal the new step.
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

  /// Marks an instruction; returns false if it was marked in this step already.
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
