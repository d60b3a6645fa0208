internal import RuleMatching

/// The plain text that a URL must contain for a program to match.
struct ProgramLead {
  /// The text that the URL must continue with where the program starts, letters folded.
  var start: [UInt8] = []
  /// The rarest gram of folded bytes that the URL must contain somewhere, if one is known.
  var gram: UInt32?
}

extension ProgramWriter {
  /// Returns the text that every URL matched by a program contains.
  ///
  /// Both fields are empty for a DFA or threads, whose text is not read back from the instructions.
  func lead(of program: UInt32) -> ProgramLead {
    var lead = ProgramLead()
    var offset = Int(program)
    var isAtStart = true
    var leastShare = Int.max
    func folded(_ byte: UInt8) -> UInt8 {
      UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
    while true {
      switch programs[offset] {
      case Opcode.character:
        if isAtStart { lead.start.append(folded(programs[offset + 1])) }
        offset += 2
      case Opcode.string:
        let text = programs[offset + 2..<offset + 2 + Int(programs[offset + 1])].map(folded)
        if isAtStart { lead.start += text }
        for place in 0..<max(0, text.count - FilterIndex.gramLength + 1) {
          let gram = (0..<FilterIndex.gramLength).reduce(UInt32(0)) {
            $0 | UInt32(text[place + $1]) << UInt32(8 * $1)
          }
          let share = GramFrequency.ofURLs.share(of: gram)
          // Strictly less: of equally rare grams the first one wins, on every machine.
          guard share < leastShare else { continue }
          leastShare = share
          lead.gram = gram
        }
        offset += 2 + text.count
      case Opcode.set:
        isAtStart = false
        offset += 1
        while programs[offset] >= 0x80 { offset += 1 }
        offset += 1
      case Opcode.gap:
        isAtStart = false
        offset += 1
      default:
        return lead
      }
    }
  }
}
