extension PatternReader {
  /// Reads `(` and the group's kind; `index` is behind the parenthesis.
  mutating func openGroup(in text: Span<UInt8>) {
    let offset = tokenStart
    var isLookBehind = false
    if index < text.count, text[index] == 0x3F {
      index += 1
      readGroupKind(in: text, isLookBehind: &isLookBehind)
    } else {
      beginGroup()
    }
    if isBroken { return }
    if isRefused { trackGroups(in: text, upTo: offset) }
    depth += 1
    if tracksGroups {
      openGroups.append(OpenGroup(offset: offset, isLookBehind: isLookBehind))
    }
  }

  /// Reads `)`.
  mutating func closeGroup() {
    guard depth > 0 else {
      return fail(
        .yarrError,
        tokenStart..<index,
        "there is no open group to close",
        hint: "write \\) for the character itself"
      )
    }
    depth -= 1
    quantifiable = .term
    if tracksGroups, let group = openGroups.popLast(), group.isLookBehind {
      quantifiable = .lookBehind
    }
    if isRefused { return }
    sink()
    if isRefused { return }
    let head = innermostGroup
    guard case .group(let parent) = terms[head].kind else { return }
    terms[head].kind = .group(count: terms.count - head - 1)
    innermostGroup = parent
    floating = head
    floatingIsEndOfLine = false
  }

  /// Starts the terms of a plain group.
  private mutating func beginGroup() {
    if isRefused { return }
    sink()
    if isRefused { return }
    guard depth < URLFilterParser.maximumGroupDepth else {
      return refuse(
        .tooDeep,
        tokenStart..<index,
        "groups are nested more than \(URLFilterParser.maximumGroupDepth) deep"
      )
    }
    terms.append(Term(.group(count: innermostGroup)))
    innermostGroup = terms.count - 1
  }

  /// Reads what follows `(?`.
  private mutating func readGroupKind(in text: Span<UInt8>, isLookBehind: inout Bool) {
    var hasModifiers = false
    var isRemoving = false
    var flags: UInt8 = 0
    repeat {
      guard index < text.count else { return failGroup() }
      let byte = text[index]
      index += 1
      switch byte {
      case 0x2D where !isRemoving:  // -
        isRemoving = true
        hasModifiers = true
        continue
      case 0x69, 0x6D, 0x73:  // i m s
        let flag: UInt8 = byte == 0x69 ? 1 : byte == 0x6D ? 2 : 4
        guard flags & flag == 0 else { return failGroup() }
        flags |= flag
        hasModifiers = true
        continue
      case 0x3A:  // :
        if !hasModifiers { beginGroup() } else if flags == 0 { return failGroup() }
      case 0x3D where !hasModifiers, 0x21 where !hasModifiers:  // = !
        refuseLookAround("look-ahead")
      case 0x3C where !hasModifiers:  // <
        readAngleBracket(in: text, isLookBehind: &isLookBehind)
      default:
        return failGroup()
      }
      break
    } while true
    if flags != 0 {
      refuse(
        .group,
        tokenStart..<index,
        "groups with modifiers cannot be expressed",
        hint: "use url-filter-is-case-sensitive for the whole pattern"
      )
    }
  }

  /// Reads what follows `(?<`: a name or a look-behind.
  private mutating func readAngleBracket(in text: Span<UInt8>, isLookBehind: inout Bool) {
    if let name = groupName(in: text) {
      if literalK != nil {
        return fail(
          .yarrError,
          literalK ?? tokenStart..<index,
          "\\k must name an earlier group once the pattern has named groups",
          hint: "the language has no back-references; write the text out"
        )
      }
      trackGroups(in: text, upTo: tokenStart)
      if let previous = groupNames[name], excludesSecondGroup(after: previous) {
        return fail(
          .yarrError,
          tokenStart..<index,
          "the group's name has been used before",
          hint: "a name has no effect; write ( instead"
        )
      }
      groupNames[name] = tokenStart
      beginGroup()
    } else if isBroken {
      return
    } else if index < text.count, text[index] == 0x3D || text[index] == 0x21 {
      index += 1
      isLookBehind = true
      refuseLookAround("look-behind")
    } else {
      fail(
        .yarrError,
        tokenStart..<index,
        "the group's name is malformed",
        hint: "a name has no effect; write ( instead"
      )
    }
  }

  private mutating func refuseLookAround(_ kind: String) {
    refuse(
      .group,
      tokenStart..<index,
      "\(kind) cannot be expressed",
      hint: "match less, and add a later rule with ignore-previous-rules for the exceptions"
    )
  }

  private mutating func failGroup() {
    fail(
      .yarrError,
      tokenStart..<index,
      "this kind of group is unknown",
      hint: "write (…) or (?:…); for the characters themselves write \\(\\?"
    )
  }

  // MARK: Names

  /// Whether a group at `previous` and one that would open now exclude each other in a match.
  ///
  /// They do if a `|` between them splits the innermost group around both. Checking the last group
  /// of a name is enough: if an earlier one conflicted, so would the last.
  private func excludesSecondGroup(after previous: Int) -> Bool {
    // Finds the innermost open group that was open at `previous` already; offsets rise with depth.
    var low = 0
    var high = openGroups.count
    while low < high {
      let middle = (low + high) / 2
      if openGroups[middle].offset < previous { low = middle + 1 } else { high = middle }
    }
    let disjunction = low == 0 ? lastTopLevelDisjunction : openGroups[low - 1].lastDisjunction
    return disjunction < previous
  }

  /// Reads a group's name with the `>` behind it; returns `nil`, without reading, if it is not a
  /// name.
  ///
  /// A malformed escape in it is a syntax error of its own.
  mutating func groupName(in text: Span<UInt8>) -> [UInt32]? {
    let start = index
    var name: [UInt32] = []
    while index < text.count {
      guard let scalar = nameScalar(in: text) else { return nil }
      if scalar == 0x3E, !name.isEmpty { return name }
      guard isNamePart(scalar, isFirst: name.isEmpty) else { break }
      name.append(scalar)
    }
    index = start
    return nil
  }

  /// Reads one character of a name; returns `nil` after recording that its escape is malformed.
  private mutating func nameScalar(in text: Span<UInt8>) -> UInt32? {
    let start = index
    index += 1
    if text[start] >= 0x80 {
      failNonASCII(at: start, in: text)
      return nil
    }
    guard text[start] == 0x5C else { return UInt32(text[start]) }
    if index < text.count, text[index] == 0x75 {
      index += 1
      if index < text.count, text[index] == 0x7B {
        if let value = bracedCodePoint(in: text) { return value }
      } else if let unit = hexadecimal(digits: 4, in: text) {
        return completeSurrogate(unit, in: text)
      }
    }
    fail(.yarrError, start..<min(index, text.count), "the escape in a group's name is malformed")
    return nil
  }

  private mutating func bracedCodePoint(in text: Span<UInt8>) -> UInt32? {
    var value: UInt32 = 0
    index += 1
    let digits = index
    while index < text.count, let digit = hexadecimalValue(text[index]) {
      value = value << 4 | digit
      guard value <= 0x10FFFF else { return nil }
      index += 1
    }
    guard index > digits, index < text.count, text[index] == 0x7D else { return nil }
    index += 1
    return value
  }

  private mutating func completeSurrogate(_ unit: UInt32, in text: Span<UInt8>) -> UInt32 {
    let start = index
    guard unit & 0xFC00 == 0xD800, index + 6 <= text.count,
      text[index] == 0x5C, text[index + 1] == 0x75
    else { return unit }
    index += 2
    if let second = hexadecimal(digits: 4, in: text), second & 0xFC00 == 0xDC00 {
      return 0x10000 + (unit & 0x3FF) << 10 + second & 0x3FF
    }
    index = start
    return unit
  }

  private func isNamePart(_ value: UInt32, isFirst: Bool) -> Bool {
    switch value {
    case 0x41...0x5A, 0x61...0x7A, 0x24, 0x5F: return true
    case 0x30...0x39: return !isFirst
    case 0..<128: return false
    case 0x200C, 0x200D: return !isFirst
    default:
      guard let scalar = Unicode.Scalar(value) else { return false }
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
        return true
      case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation:
        return !isFirst
      default:
        return false
      }
    }
  }

  // MARK: Bookkeeping

  /// Starts to track open groups, by finding those in the text already read.
  ///
  /// Valid patterns without names never need it. Up to here all groups are plain ones: others are
  /// refused, and the first refusal calls this.
  mutating func trackGroups(in text: Span<UInt8>, upTo end: Int) {
    if tracksGroups { return }
    tracksGroups = true
    var position = 0
    var isInSet = false
    while position < end {
      switch text[position] {
      case 0x5C: position += 1
      case 0x5B: isInSet = true
      case 0x5D: isInSet = false
      case 0x28 where !isInSet: openGroups.append(OpenGroup(offset: position))
      case 0x29 where !isInSet: _ = openGroups.popLast()
      default: break
      }
      position += 1
    }
  }
}
