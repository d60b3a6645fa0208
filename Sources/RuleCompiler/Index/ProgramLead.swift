internal import RuleMatching

/// Plain text that a URL must contain for a program to match.
struct ProgramLead {
  /// What the URL must go on with where the program starts, letters folded.
  var start: [UInt8] = []
  /// A group of four folded bytes that must come somewhere; the rarest of those that are known.
  var gram: UInt32?
}

extension ProgramWriter {
  /// What is known of the URLs that a program matches.
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
