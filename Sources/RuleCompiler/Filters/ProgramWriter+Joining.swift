internal import ContentRules
internal import RuleMatching

extension ProgramWriter {
  /// Writes all programs of another writer, in their order, as if they had been written here.
  ///
  /// - Returns: For the offset of each of its programs that of the same program here.
  mutating func append(_ other: ProgramWriter) -> [UInt32] {
    // In the order in which the other writer met them, which is the one in which this one would have.
    let setNumbers = other.sets.map { UInt32(number(of: $0)) }
    let setsAreSame = setNumbers.indices.allSatisfy { setNumbers[$0] == $0 }
    var offsets = [UInt32](repeating: 0, count: other.programs.count)
    for entry in other.known.entries {
      let program = Int(entry.offset)..<Int(entry.offset + entry.count)
      draft.removeAll(keepingCapacity: true)
      switch other.programs[program.lowerBound] {
      case Opcode.dfa:
        draft.append(contentsOf: other.programs[program])
        let place = other.number(at: program.lowerBound + 8)
        replace(at: 8, classMap(Array(other.programs[place..<place + 128])))
      case Opcode.threads:
        draft.append(contentsOf: other.programs[program])
        for offset in stride(from: Opcode.threadsHeaderSize, to: draft.count, by: Opcode.threadSize)
        where draft[offset] == Opcode.set {
          let number = other.number(at: program.lowerBound + offset + 4)
          replace(at: offset + 4, setNumbers[number])
        }
      default:
        if setsAreSame {
          draft.append(contentsOf: other.programs[program])
        } else {
          appendPieces(other.programs[program], setNumbers)
        }
      }
      offsets[program.lowerBound] = appendDraft()
    }
    threadCount = max(threadCount, other.threadCount)
    // What both have built, which is at least what one would have.
    statesLeft -= other.stateCount
    return offsets
  }

  /// Whether each automaton of this writer and of others could have as many states as the limit for one
  /// pattern allows, whichever had been built before.
  func hasStatesLeft(withAlso others: [ProgramWriter]) -> Bool {
    statesLeft - others.reduce(0) { $0 + $1.stateCount } >= limits.statesPerFilter
  }

  /// How many states its automata have.
  var stateCount: Int { limits.statesPerList - statesLeft }

  /// Appends pieces to the draft, with other numbers for their sets.
  private mutating func appendPieces(_ pieces: ArraySlice<UInt8>, _ setNumbers: [UInt32]) {
    var offset = pieces.startIndex
    while offset < pieces.endIndex {
      var end = offset + 1
      switch pieces[offset] {
      case Opcode.character: end += 1
      case Opcode.string: end += 1 + Int(pieces[offset + 1])
      case Opcode.set:
        var number: UInt32 = 0
        var shift: UInt32 = 0
        repeat {
          number |= UInt32(pieces[end] & 0x7F) << shift
          shift += 7
          end += 1
        } while pieces[end - 1] >= 0x80
        draft.append(Opcode.set)
        draft.appendVarint(setNumbers[Int(number)])
        offset = end
      default: break
      }
      draft.append(contentsOf: pieces[offset..<end])
      offset = end
    }
  }

  private mutating func replace(at offset: Int, _ number: UInt32) {
    for byte in 0..<4 { draft[offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
  }
}
