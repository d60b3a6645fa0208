/// Checks programs: known instructions, operands in range, an end within the section.
struct ProgramValidator: ~Copyable {
  let image: Image
  let start: Int
  let end: Int
  let characterSetCount: Int
  let threadLimit: UInt32
  /// Where programs begin that filters refer to, from the section's start.
  private var noted: PlaceSet

  init(image: Image, sections: SectionTable, threadLimit: UInt32) {
    self.image = image
    start = sections.start(.programs)
    end = sections.end(.programs)
    characterSetCount = sections.size(.characterSets) / 16
    self.threadLimit = threadLimit
    noted = PlaceSet(through: end - start)
  }

  /// Notes that a filter has the program at an offset within the section.
  @inline(__always)
  mutating func note(_ program: UInt32) throws(ByteCodeError) {
    let offset = Int(inFile: program)
    guard offset < end - start else { throw fault(start + offset) }
    // In bounds by the guard.
    unsafe noted.insert(unchecked: offset)
  }

  /// Notes a program at an offset that the caller knows to be at most the section's size.
  @unsafe
  @inline(__always)
  mutating func note(unchecked program: Int) { unsafe noted.insert(unchecked: program) }

  /// Checks each program that was noted.
  func validate() throws(ByteCodeError) {
    // Bounds the time: valid programs do not overlap.
    var bytesLeft = end - start
    try noted.forEach { place throws(ByteCodeError) in
      let offset = start + place
      let programEnd =
        switch image.u8(offset) {
        case Opcode.dfa: try validateDFA(offset)
        case Opcode.threads: try validateThreads(offset)
        default: try validatePieces(offset)
        }
      guard programEnd - offset <= bytesLeft else { throw fault(offset) }
      bytesLeft -= programEnd - offset
    }
  }

  /// Whether a noted program consists of pieces.
  func isPieces(_ program: UInt32) -> Bool {
    let opcode = image.u8(start + Int(program))
    return opcode != Opcode.dfa && opcode != Opcode.threads
  }

  private func fault(_ offset: Int) -> ByteCodeError { ByteCodeError(.badProgram, at: offset) }

  /// Checks a program of pieces and returns the offset of its end, as the two below do.
  private func validatePieces(_ program: Int) throws(ByteCodeError) -> Int {
    var offset = program
    while true {
      guard offset < end else { throw fault(program) }
      switch image.u8(offset) {
      case Opcode.accept:
        return offset + 1
      case Opcode.gap:
        offset += 1
      case Opcode.character:
        guard offset + 1 < end, 1..<128 ~= image.u8(offset + 1) else { throw fault(offset) }
        offset += 2
      case Opcode.string:
        guard offset + 1 < end, image.u8(offset + 1) >= 2 else { throw fault(offset) }
        offset += 2 + Int(image.u8(offset + 1))
      case Opcode.set:
        var next = offset + 1
        let set = try readVarint(image, &next, end)
        guard Int(inFile: set) < characterSetCount else { throw fault(offset) }
        offset = next
      default:
        throw fault(offset)
      }
    }
  }

  private func validateDFA(_ program: Int) throws(ByteCodeError) -> Int {
    guard program + Opcode.dfaHeaderSize <= end else { throw fault(program) }
    let width = Int(image.u8(program + 1))
    let states = Int(image.u16(program + 2))
    let classes = Int(image.u16(program + 4))
    let map = start + Int(inFile: image.u32(program + 8))
    let table = program + Opcode.dfaHeaderSize
    guard width == 1 || width == 2, states >= 2, 1...128 ~= classes, map + 128 <= end,
      table + states * classes * width <= end
    else { throw fault(program) }
    if Int(image.largestByte(in: map..<map + 128)) >= classes {
      for character in 0..<128 where Int(image.u8(map + character)) >= classes {
        throw fault(map + character)
      }
    }
    let cells = states * classes
    if width == 1, Int(image.largestByte(in: table..<table + cells)) < states {
      return table + cells
    }
    for cell in 0..<cells {
      let offset = table + cell * width
      let state = width == 1 ? Int(image.u8(offset)) : Int(image.u16(offset))
      guard state < states else { throw fault(offset) }
    }
    return table + states * classes * width
  }

  private func validateThreads(_ program: Int) throws(ByteCodeError) -> Int {
    guard program + Opcode.threadsHeaderSize <= end else { throw fault(program) }
    let count = Int(inFile: image.u32(program + 1))
    let code = program + Opcode.threadsHeaderSize
    guard count >= 1, count <= Int(threadLimit), code + count * Opcode.threadSize <= end else {
      throw fault(program)
    }
    // Usually all is well, and no branch is taken on the operations, which are unpredictable.
    var faults: UInt64 = 0
    for thread in 0..<count {
      // In bounds by the guard.
      let word = unsafe image.u64(unchecked: code &+ thread &* Opcode.threadSize)
      let operation = UInt8(truncatingIfNeeded: word)
      let target: UInt64 =
        operation & ~1 == Opcode.split ? UInt64(truncatingIfNeeded: count) : 0
      let set: UInt64 =
        operation == Opcode.set ? UInt64(truncatingIfNeeded: characterSetCount) : target
      let limit: UInt64 = operation <= Opcode.character ? 1 &<< 32 : set
      faults |= word &>> 32 < limit ? 0 : 1
    }
    let last = image.u8(code + (count - 1) * Opcode.threadSize)
    guard faults == 0, last == Opcode.accept || last == Opcode.jump else {
      throw fault(threadFault(code, count))
    }
    return code + count * Opcode.threadSize
  }

  /// Returns the offset of the first instruction at fault in a program of threads that has one.
  private func threadFault(_ code: Int, _ count: Int) -> Int {
    for thread in 0..<count {
      let offset = code + thread * Opcode.threadSize
      let operand = Int(inFile: image.u32(offset + 4))
      let isInRange =
        switch image.u8(offset) {
        case Opcode.accept: true
        case Opcode.character: thread + 1 < count
        case Opcode.set: thread + 1 < count && operand < characterSetCount
        case Opcode.split: thread + 1 < count && operand < count
        case Opcode.jump: operand < count
        default: false
        }
      if !isInRange { return offset }
    }
    return code
  }
}

/// Reads an unsigned LEB128 number of at most 32 bits that must end before `end`.
///
/// - Precondition: `end` lies within the image.
@inline(__always)
func readVarint(_ image: Image, _ offset: inout Int, _ end: Int) throws(ByteCodeError) -> UInt32 {
  guard offset >= 0, offset <= end - 8, end <= image.count else {
    return try readVarintAtEnd(image, &offset, end)
  }
  let word = unsafe image.u64(unchecked: offset)
  if word & 0x80 == 0 {
    offset &+= 1
    return UInt32(truncatingIfNeeded: word & 0x7F)
  }
  // The first of five bytes whose high bit is not set is the last one.
  let stops = ~word & 0x80_8080_8080
  guard stops != 0 else { throw ByteCodeError(.badRecord, at: offset + 5) }
  let bits = stops.trailingZeroBitCount
  let bytes = word & (1 &<< UInt64(truncatingIfNeeded: bits) &- 1)
  let low = bytes & 0x7F | bytes &>> 1 & 0x3F80 | bytes &>> 2 & 0x1F_C000
  let value = low | bytes &>> 3 & 0xFE0_0000 | bytes &>> 4 & 0x7_F000_0000
  offset &+= bits / 8 + 1
  guard value <= UInt64(UInt32.max) else { throw ByteCodeError(.badRecord, at: offset) }
  return UInt32(truncatingIfNeeded: value)
}

/// The same byte by byte.
private func readVarintAtEnd(
  _ image: Image,
  _ offset: inout Int,
  _ end: Int
) throws(ByteCodeError) -> UInt32 {
  var value: UInt64 = 0
  var shift: UInt64 = 0
  while true {
    guard offset < end, shift < 35 else { throw ByteCodeError(.badRecord, at: offset) }
    let byte = image.u8(offset)
    offset += 1
    value |= UInt64(byte & 0x7F) << shift
    if byte < 0x80 { break }
    shift += 7
  }
  guard let number = UInt32(exactly: value) else {
    throw ByteCodeError(.badRecord, at: offset)
  }
  return number
}
