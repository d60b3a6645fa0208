extension SelectorReader {
  /// A pseudo-class or pseudo-element that has been read.
  enum Pseudo {
    case pseudoClass(SelectorNames.PseudoClass)
    case element(SelectorNames.PseudoElement)
  }

  /// Reads what begins with a colon; `nil` if it is invalid.
  mutating func readPseudo(_ run: inout Tokens, in text: Span<UInt8>) -> Pseudo? {
    let start = position(run)
    run.index += 1
    let isDoubled = peek(run).kind == .colon
    if isDoubled { run.index += 1 }

    let token = peek(run)
    guard token.kind == .ident || token.kind == .function else {
      fail(at: start, "a name must follow the colon")
      return nil
    }
    guard let pseudo = lookUp(token, isDoubled: isDoubled, in: text) else {
      let kind = isDoubled ? "pseudo-element" : "pseudo-class"
      fail(
        at: start,
        "the engine knows no \(kind) \(spelling(of: nameToken(token), in: text))"
      )
      return nil
    }
    if case .element = pseudo, disallowsPseudoElements {
      fail(at: start, "a pseudo-element cannot stand inside another selector's argument")
      return nil
    }
    if token.kind == .ident {
      run.index += 1
      return checkArgumentIsOptional(pseudo, at: start)
    }
    if case .pseudoClass(.has) = pseudo, disallowsHas {
      fail(at: start, ":has() cannot stand inside :has()")
      return nil
    }
    guard depth < SelectorList.maximumDepth else {
      failTooDeep(at: start)
      return nil
    }
    let disallowedPseudoElements = disallowsPseudoElements
    disallowsPseudoElements = true
    depth += 1
    var block = takeBlock(&run)
    skipWhitespace(&block)
    let argument = position(block)
    let isValid =
      switch pseudo {
      case .pseudoClass(let kind): readArgument(of: kind, &block, in: text)
      case .element(let kind): readArgument(of: kind, &block, in: text)
      }
    depth -= 1
    disallowsPseudoElements = disallowedPseudoElements
    if isValid, block.isAtEnd { return pseudo }
    let name = spelling(of: nameToken(token), in: text)
    if !takesArgument(pseudo) {
      fail(at: start, "\(name) takes no argument")
    } else if block.isAtEnd, !takesSelectors(pseudo) {
      fail(at: argument, "\(name) needs another argument")
    } else {
      failUnexpected(block, in: text)
    }
    return nil
  }

  private func lookUp(
    _ token: SelectorToken,
    isDoubled: Bool,
    in text: Span<UInt8>
  ) -> Pseudo? {
    var bytes = value(of: token, in: text)
    for index in bytes.indices where bytes[index] &- 0x41 < 26 { bytes[index] |= 0x20 }
    let name = String(decoding: bytes, as: UTF8.self)
    if isDoubled { return SelectorNames.pseudoElement(name).map(Pseudo.element) }
    if let kind = SelectorNames.pseudoClass(name) { return .pseudoClass(kind) }
    return SelectorNames.singleColonElement(name).map(Pseudo.element)
  }

  /// The token without a function's parenthesis.
  private func nameToken(_ token: SelectorToken) -> SelectorToken {
    var name = token
    name.end = token.valueEnd
    return name
  }

  private func takesArgument(_ pseudo: Pseudo) -> Bool {
    switch pseudo {
    case .pseudoClass(let kind): kind.requiresArgument || kind == .host
    case .element(let kind): kind.requiresArgument || kind == .cue
    }
  }

  private func takesSelectors(_ pseudo: Pseudo) -> Bool {
    switch pseudo {
    case .pseudoClass(let kind): kind.isLogicalCombination || kind == .host
    case .element(let kind): kind == .slotted || kind == .cue
    }
  }

  private mutating func checkArgumentIsOptional(_ pseudo: Pseudo, at position: Int) -> Pseudo? {
    switch pseudo {
    case .pseudoClass(let kind) where kind.requiresArgument:
      fail(at: position, "an argument in parentheses must follow")
      return nil
    case .element(let kind) where kind.requiresArgument:
      fail(at: position, "an argument in parentheses must follow")
      return nil
    case .element(.cue):
      // Without an argument this is a part of a built-in control.
      return .element(.userAgentPart)
    default:
      return pseudo
    }
  }

  // MARK: Arguments

  /// Reads the argument of a pseudo-class; the caller checks that nothing is left over.
  private mutating func readArgument(
    of kind: SelectorNames.PseudoClass,
    _ block: inout Tokens,
    in text: Span<UInt8>
  ) -> Bool {
    switch kind {
    case .isOrWhere:
      readForgivingSelectors(&block, in: text)
      return fault == nil
    case .not:
      return readSelectors(&block, in: text, areRelative: false)
    case .has:
      disallowsHas = true
      defer { disallowsHas = false }
      return readSelectors(&block, in: text, areRelative: true)
    case .nthChild, .nthOfType:
      return readNth(of: kind, &block, in: text)
    case .lang:
      return readLanguages(&block, in: text)
    case .identArgument:
      return nextSkippingWhitespace(&block).kind == .ident
    case .host:
      return readCompoundArgument(&block, in: text)
    case .plain, .structural, .userAction, .scrollbar, .userActionAndScrollbar, .windowInactive:
      return false
    }
  }

  private mutating func readArgument(
    of kind: SelectorNames.PseudoElement,
    _ block: inout Tokens,
    in text: Span<UInt8>
  ) -> Bool {
    switch kind {
    case .cue:
      guard readCompoundArgument(&block, in: text) else { return false }
      while peek(block).kind == .comma {
        _ = nextSkippingWhitespace(&block)
        guard readCompoundArgument(&block, in: text) else { return false }
      }
      return true
    case .highlight:
      return nextSkippingWhitespace(&block).kind == .ident
    case .part:
      repeat {
        guard peek(block).kind == .ident else { return false }
        _ = nextSkippingWhitespace(&block)
      } while !block.isAtEnd
      return true
    case .slotted:
      return readCompoundArgument(&block, in: text)
    case .plain, .treeAbiding, .userAgentPart, .scrollbar, .selection:
      return false
    }
  }

  private mutating func readCompoundArgument(
    _ block: inout Tokens,
    in text: Span<UInt8>
  ) -> Bool {
    let compound = readCompound(&block, in: text)
    skipWhitespace(&block)
    if case .read = compound { return true }
    return false
  }

  /// Reads language ranges; those that begin with two hyphens are invalid.
  private mutating func readLanguages(_ block: inout Tokens, in text: Span<UInt8>) -> Bool {
    while true {
      let token = peek(block)
      guard token.kind == .ident || token.kind == .string else { return false }
      if value(of: token, in: text).starts(with: "--".utf8) { return false }
      _ = nextSkippingWhitespace(&block)
      guard peek(block).kind == .comma else { return true }
      _ = nextSkippingWhitespace(&block)
    }
  }

  private mutating func readNth(
    of kind: SelectorNames.PseudoClass,
    _ block: inout Tokens,
    in text: Span<UInt8>
  ) -> Bool {
    guard readAnPlusB(&block, in: text) else { return false }
    skipWhitespace(&block)
    if block.isAtEnd { return true }
    let token = peek(block)
    guard kind == .nthChild, token.kind == .ident, equals(token, "of", in: text) else {
      return false
    }
    _ = nextSkippingWhitespace(&block)
    return readSelectors(&block, in: text, areRelative: false)
  }

  /// Reads `odd`, `even`, a number or a formula such as `2n+1`, however it is split into tokens.
  private mutating func readAnPlusB(_ block: inout Tokens, in text: Span<UInt8>) -> Bool {
    let token = peek(block)
    if token.kind == .number, token.isInteger {
      block.index += 1
      return true
    }
    if token.kind == .ident, equals(token, "odd", in: text) || equals(token, "even", in: text) {
      block.index += 1
      return true
    }

    // The rest of the formula from its `n` on, within one token: n, n- or n-123.
    var formula: ArraySlice<UInt8> = []
    if token.isDelimiter("+"), case let name = peek(block, ahead: 1), name.kind == .ident {
      formula = value(of: name, in: text)[...]
      block.index += 2
    } else if token.kind == .dimension, token.isInteger {
      formula = value(of: token, in: text)[...]
      block.index += 1
    } else if token.kind == .ident {
      formula = value(of: token, in: text)[...]
      if formula.first == 0x2D { formula = formula.dropFirst() }
      block.index += 1
    }
    guard let first = formula.first, first | 0x20 == 0x6E else { return false }
    let tail = formula.dropFirst()
    guard tail.isEmpty || tail.first == 0x2D else { return false }
    if tail.count > 1 { return isNumber(tail.dropFirst()) }
    return readOffset(&block, hasMinus: !tail.isEmpty)
  }

  /// Reads what follows the `n`: nothing, or a sign and a number, one of which has the sign.
  private mutating func readOffset(_ block: inout Tokens, hasMinus: Bool) -> Bool {
    let start = block
    skipWhitespace(&block)
    var hasSign = hasMinus
    if !hasSign, peek(block).kind == .delimiter {
      let sign = nextSkippingWhitespace(&block)
      guard sign.isDelimiter("+") || sign.isDelimiter("-") else {
        block = start
        return false
      }
      hasSign = true
    }
    let number = peek(block)
    if !hasSign, number.kind != .number { return true }
    guard number.kind == .number, number.isInteger else { return false }
    guard (number.sign == .none) == hasSign else { return false }
    block.index += 1
    return true
  }

  /// Whether digits, negated, fit 32 bits.
  private func isNumber(_ digits: ArraySlice<UInt8>) -> Bool {
    var value: UInt64 = 0
    for digit in digits {
      guard digit &- 0x30 < 10 else { return false }
      value = min(value * 10 + UInt64(digit &- 0x30), 1 << 40)
    }
    return value <= 1 << 31
  }
}
