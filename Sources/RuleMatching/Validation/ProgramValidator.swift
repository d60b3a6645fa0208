/// Checks programs: known instructions, operands in range, an end within the section.
struct ProgramValidator {
  let image: Image
  let start: Int
  let end: Int
  let characterSetCount: Int
  let threadLimit: UInt32
  /// One bit per byte of the section, set if the program that begins there was checked.
  private var checked: [UInt64]
  /// The bytes that may still be checked, which bounds the time: valid programs do not overlap.
  private var bytesLeft: Int
  /// The last program checked, since most filters share a few.
  private var last = UInt32.max

  init(image: Image, sections: SectionTable, threadLimit: UInt32) {
    self.image = image
    start = sections.start(.programs)
    end = sections.end(.programs)
    characterSetCount = sections.size(.characterSets) / 16
    self.threadLimit = threadLimit
    checked = Array(repeating: 0, count: (end - start + 63) / 64)
    bytesLeft = end - start
  }

  /// Checks the program at an offset within the section, unless that was done before.
  @inline(__always)
  mutating func validate(_ program: UInt32) throws(ByteCodeError) {
    if program != last { try validateAnother(program) }
  }

  private mutating func validateAnother(_ program: UInt32) throws(ByteCodeError) {
    let offset = start + Int(inFile: program)
    guard offset < end else { throw ByteCodeError(.badProgram, at: offset) }
    last = program
    let bit: UInt64 = 1 << UInt64(program & 63)
    if checked[Int(program >> 6)] & bit != 0 { return }
    checked[Int(program >> 6)] |= bit
    let programEnd =
      switch image.u8(offset) {
      case Opcode.dfa: try validateDFA(offset)
      case Opcode.threads: try validateThreads(offset)
      default: try validatePieces(offset)
      }
    guard programEnd - offset <= bytesLeft else { throw fault(offset) }
    bytesLeft -= programEnd - offset
  }

  /// Whether a checked program consists of pieces.
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
        guard offset + 1 < end else { throw fault(offset) }
        offset += 2 + Int(image.u8(offset + 1))
      case Opcode.set:
        var next = offset + 1
        let set = try readVarint(image, &next, end)
        guard Int(set) < characterSetCount else { throw fault(offset) }
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
      guard isInRange else { throw fault(offset) }
    }
    return code + count * Opcode.threadSize
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
