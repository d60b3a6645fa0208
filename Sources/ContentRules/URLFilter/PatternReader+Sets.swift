extension PatternReader {
  /// The last member of a set, as far as a `-` behind it cares.
  private enum Member {
    case none
    /// A character that may begin a range.
    case character
    /// A character and a `-`.
    case characterAndHyphen
    case builtInClass
    case builtInClassAndHyphen
  }

  /// Reads a set; `index` is behind the bracket.
  mutating func readSet(in text: Span<UInt8>) {
    if !isRefused { sink() }
    let start = tokenStart
    var members = CharacterSet()
    var state = Member.none
    // The character that a hyphen may make the start of a range, and its position.
    var pending: UInt32 = 0
    var pendingRange = start..<start
    let isInverted = index < text.count && text[index] == 0x5E
    if isInverted { index += 1 }

    while index < text.count {
      let byte = text[index]
      let memberStart = index
      index += 1
      var value = UInt32(byte)
      if byte == 0x5D {
        if state == .character || state == .characterAndHyphen {
          insert(pending, at: pendingRange, into: &members)
        }
        if state == .characterAndHyphen { members.insert(0x2D) }
        return finishSet(members, isInverted: isInverted)
      } else if byte == 0x5C {
        switch escape(in: text, insideSet: true) {
        case .character(let character):
          value = character
        case .builtInClass(let letter):
          if state == .character || state == .characterAndHyphen {
            insert(pending, at: pendingRange, into: &members)
          }
          let joinsHyphen = state == .characterAndHyphen || state == .builtInClassAndHyphen
          state = joinsHyphen ? .none : .builtInClass
          refuseClass(letter, at: memberStart..<index)
          continue
        case .wordBoundary, .backReference, .malformed:
          return
        }
      } else if byte == 0x2D {
        // A bare hyphen makes a range of what is on both sides, if both are characters.
        switch state {
        case .character:
          state = .characterAndHyphen
          continue
        case .builtInClass:
          members.insert(0x2D)
          state = .builtInClassAndHyphen
          continue
        case .none, .characterAndHyphen, .builtInClassAndHyphen:
          break
        }
      } else if byte >= 0x80 {
        return failNonASCII(at: memberStart, in: text)
      }

      switch state {
      case .none, .builtInClass:
        state = .character
        (pending, pendingRange) = (value, memberStart..<index)
      case .character:
        insert(pending, at: pendingRange, into: &members)
        (pending, pendingRange) = (value, memberStart..<index)
      case .characterAndHyphen:
        guard pending <= value else {
          return fail(
            .yarrError,
            pendingRange.lowerBound..<index,
            "the range is out of order",
            hint: "the smaller character comes first; for a hyphen itself write \\-"
          )
        }
        insert(pending...value, at: pendingRange.lowerBound..<index, into: &members)
        state = .none
      case .builtInClassAndHyphen:
        insert(value, at: memberStart..<index, into: &members)
        state = .none
      }
    }
    fail(
      .yarrError,
      start..<start + 1,
      "the set is never closed",
      hint: "add ], or write \\[ for the character itself"
    )
  }

  /// Makes a term of a set's members.
  private mutating func finishSet(_ members: CharacterSet, isInverted: Bool) {
    if isRefused { return }
    var set = members
    if !isCaseSensitive {
      // Upper-case letters are the bits 1–26 of the upper word, lower-case ones 32 above them.
      let letters: UInt64 = 0x07FF_FFFE
      set.high |= (set.high & letters) << 32 | (set.high >> 32 & letters)
    }
    // The engine looks at the members only, so `[^\0]` must be at the end, like `[\0]`.
    let isEndOfLine = set == .endOfURL
    if isInverted {
      set = CharacterSet(low: ~set.low & ~1, high: ~set.high)
    }
    float(set, isEndOfLine: isEndOfLine)
  }

  private mutating func insert(
    _ character: UInt32,
    at range: Range<Int>,
    into members: inout CharacterSet
  ) {
    guard character < 128 else { return refuseNonASCIIEscape(range) }
    members.insert(UInt8(truncatingIfNeeded: character))
  }

  /// > Deviation: the engine aborts on a range that reaches above 127.
  private mutating func insert(
    _ characters: ClosedRange<UInt32>,
    at range: Range<Int>,
    into members: inout CharacterSet
  ) {
    guard characters.upperBound < 128 else { return refuseNonASCIIEscape(range) }
    for character in characters { members.insert(UInt8(truncatingIfNeeded: character)) }
  }

  private mutating func refuseClass(_ letter: UInt8, at range: Range<Int>) {
    let hint =
      switch letter {
      case 0x64: "write 0-9"
      case 0x77: "write A-Za-z0-9_"
      case 0x73: "leave it out, because a URL holds no white space"
      default: "name the characters themselves"
      }
    refuse(
      .atomCharacter,
      range,
      "the class \\\(Unicode.Scalar(letter)) is not supported in sets",
      hint: hint
    )
  }
}
