extension Disassembler {
  /// Writes every program that a filter names, in the order of their offsets.
  mutating func writePrograms() {
    var programs: Set<UInt32> = []
    for section in [Section.urlIndex, .topURLIndex, .frameURLIndex] {
      for filter in IndexListing(list, section).filters {
        if let program = filter.program { programs.insert(program) }
      }
    }
    line("programs: \(programs.count)")
    for program in programs.sorted() { writeProgram(program, indent: 2) }
  }

  /// Writes one program, one instruction or state per line.
  mutating func writeProgram(_ program: UInt32, indent: Int) {
    let offset = sections.start(.programs) + Int(program)
    switch image.u8(offset) {
    case Opcode.dfa: writeDFA(program, offset, indent)
    case Opcode.threads: writeThreads(program, offset, indent)
    default:
      line("\(program): pieces", indent: indent)
      for instruction in pieces(program) {
        line("\(padded(left: "\(instruction.offset)", 6))  \(instruction.text)", indent: indent)
      }
    }
  }

  /// Returns a program as one line.
  func summary(of program: UInt32) -> String {
    let offset = sections.start(.programs) + Int(program)
    switch image.u8(offset) {
    case Opcode.dfa: return "dfa of \(image.u16(offset + 2)) states"
    case Opcode.threads: return "threads of \(image.u32(offset + 1)) instructions"
    default: return pieces(program).map(\.text).joined(separator: " ")
    }
  }

  private func pieces(_ program: UInt32) -> [(offset: Int, text: String)] {
    let start = sections.start(.programs)
    var offset = start + Int(program)
    var instructions: [(offset: Int, text: String)] = []
    while true {
      let place = offset - start
      offset += 1
      switch image.u8(offset - 1) {
      case Opcode.character:
        instructions.append((place, ListedCharacters.quoted([image.u8(offset)])))
        offset += 1
      case Opcode.string:
        let length = Int(image.u8(offset))
        let bytes = image.bytes(offset + 1..<offset + 1 + length)
        instructions.append((place, ListedCharacters.quoted(bytes)))
        offset += 1 + length
      case Opcode.set:
        instructions.append((place, characterSet(Int(image.varint(&offset))).text))
      case Opcode.gap:
        instructions.append((place, "gap"))
      default:
        instructions.append((place, "accept"))
        return instructions
      }
    }
  }

  private mutating func writeDFA(_ program: UInt32, _ offset: Int, _ indent: Int) {
    let isWide = image.u8(offset + 1) == 2
    let states = Int(image.u16(offset + 2))
    let classes = Int(image.u16(offset + 4))
    let firstAccepting = Int(image.u16(offset + 6))
    let map = Int(image.u32(offset + 8))
    line(
      "\(program): dfa of \(states) states, \(classes) classes (map at \(map)), "
        + "\(isWide ? 2 : 1) bytes a state",
      indent: indent
    )
    var members = [ListedCharacters](repeating: ListedCharacters(), count: classes)
    for character in 0..<128 {
      let number = image.u8(sections.start(.programs) + map + character)
      members[Int(number)].insert(UInt8(character))
    }
    let table = offset + Opcode.dfaHeaderSize
    for state in 1..<states {
      guard state < firstAccepting else {
        line("\(padded(left: "\(state)", 6))  accept", indent: indent)
        continue
      }
      // Targets in numerical order, without the dead state.
      var ways: [Int: ListedCharacters] = [:]
      for number in 0..<classes {
        let cell = state * classes + number
        let next = Int(
          isWide ? UInt16(image.u16(table + 2 * cell)) : UInt16(image.u8(table + cell))
        )
        ways[next, default: ListedCharacters()].low |= members[number].low
        ways[next, default: ListedCharacters()].high |= members[number].high
      }
      let text = ways.keys.sorted().filter { $0 != 0 }
        .map { "\((ways[$0] ?? ListedCharacters()).text) → \($0)" }.joined(separator: ", ")
      line("\(padded(left: "\(state)", 6))  \(text.isEmpty ? "dead" : text)", indent: indent)
    }
  }

  private mutating func writeThreads(_ program: UInt32, _ offset: Int, _ indent: Int) {
    let count = Int(image.u32(offset + 1))
    line("\(program): threads of \(count) instructions", indent: indent)
    for number in 0..<count {
      let instruction = offset + Opcode.threadsHeaderSize + number * Opcode.threadSize
      let operand = Int(image.u32(instruction + 4))
      let text =
        switch image.u8(instruction) {
        case Opcode.character: ListedCharacters.quoted([image.u8(instruction + 1)])
        case Opcode.set: characterSet(operand).text
        case Opcode.split: "split \(operand)"
        case Opcode.jump: "jump \(operand)"
        default: "accept"
        }
      line("\(padded(left: "\(number)", 6))  \(text)", indent: indent)
    }
  }
}
