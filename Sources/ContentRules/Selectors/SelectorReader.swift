/// Reads tokens by the grammar of selectors.
///
/// There are two ways to fail, as in the engine. A construct that begins but is invalid sets the
/// fault, which only the next enclosing forgiving list clears. If no selector begins at all, the
/// function merely says so, and what follows decides.
struct SelectorReader {
  /// A run of tokens: the whole text or what is between two brackets.
  struct Tokens {
    var index: Int
    let end: Int
    var isAtEnd: Bool { index >= end }
  }

  /// The outcome of reading a compound selector.
  enum Compound {
    case missing
    case read(hasPseudoElement: Bool)
  }

  private let tokens: [SelectorToken]
  private let endToken: SelectorToken

  /// The first fault outside of forgiving lists.
  private(set) var fault: SelectorFault?
  /// Whether forgiving lists may no longer clear the fault.
  private var isTooDeep = false
  var depth = 0

  /// The pseudo-element that the next simple selector follows.
  var precedingPseudoElement: SelectorNames.PseudoElement?
  var disallowsPseudoElements = false
  var disallowsHas = false

  init(_ text: Span<UInt8>) {
    tokens = SelectorTokenizer(text).tokens
    endToken = SelectorToken(.end, text.count..<text.count)
  }

  // MARK: Tokens

  /// The next token, or the end token when a run is over.
  func peek(_ run: Tokens, ahead: Int = 0) -> SelectorToken {
    run.index + ahead < run.end ? tokens[run.index + ahead] : endToken
  }

  mutating func next(_ run: inout Tokens) -> SelectorToken {
    let token = peek(run)
    if run.index < run.end { run.index += 1 }
    return token
  }

  func skipWhitespace(_ run: inout Tokens) {
    while run.index < run.end, tokens[run.index].kind == .whitespace { run.index += 1 }
  }

  mutating func nextSkippingWhitespace(_ run: inout Tokens) -> SelectorToken {
    let token = next(&run)
    skipWhitespace(&run)
    return token
  }

  /// Removes a block from a run and returns its contents, without its brackets.
  func takeBlock(_ run: inout Tokens) -> Tokens {
    let opening = tokens[run.index]
    let end = min(opening.closing, run.end)
    let block = Tokens(index: run.index + 1, end: end)
    run.index = min(end + 1, run.end)
    return block
  }

  /// Returns the position of a run's next token; at its end, that of the token that closes it.
  func position(_ run: Tokens) -> Int {
    run.index < tokens.count ? tokens[run.index].start : endToken.start
  }

  // MARK: Faults

  mutating func fail(at position: Int, _ message: String) {
    if fault == nil { fault = SelectorFault(position: position, message: message) }
  }

  mutating func failTooDeep(at position: Int) {
    isTooDeep = true
    fault = SelectorFault(
      position: position,
      message: "selectors are nested more than \(SelectorList.maximumDepth) deep"
    )
  }

  // MARK: Lists

  mutating func readList(in text: Span<UInt8>) -> SelectorFault? {
    var run = Tokens(index: 0, end: tokens.count)
    skipWhitespace(&run)
    let isList = readSelectors(&run, in: text, areRelative: false)
    if !isList || !run.isAtEnd { failUnexpected(run, in: text) }
    return fault
  }

  /// Reports an unexpected token, unless there is a fault already.
  mutating func failUnexpected(_ run: Tokens, in text: Span<UInt8>) {
    let token = peek(run)
    let message =
      switch token.kind {
      case .end: "a selector is missing"
      case .comma: "a selector is missing before the comma"
      case .leftBrace, .rightBrace: "a selector holds no braces"
      case .badString: "the string is broken by a line end"
      default: "\(spelling(of: token, in: text)) cannot stand here"
      }
    fail(at: position(run), message)
  }

  /// Returns a token as written, in quotation marks, shortened.
  func spelling(of token: SelectorToken, in text: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    for index in token.start..<min(token.end, token.start + 40) { bytes.append(text[index]) }
    let isShortened = token.end > token.start + 40
    return "'\(String(decoding: bytes, as: UTF8.self))\(isShortened ? "…" : "")'"
  }

  mutating func readSelectors(
    _ run: inout Tokens,
    in text: Span<UInt8>,
    areRelative: Bool
  ) -> Bool {
    while true {
      if areRelative { _ = readCombinator(&run) }
      guard readComplex(&run, in: text) else { return false }
      guard peek(run).kind == .comma else { return fault == nil }
      _ = nextSkippingWhitespace(&run)
    }
  }

  /// Reads a list whose members may be invalid; only tokens outside of brackets separate members.
  mutating func readForgivingSelectors(_ run: inout Tokens, in text: Span<UInt8>) {
    if fault != nil { return }
    while true {
      _ = readComplex(&run, in: text)
      if isTooDeep { return }
      fault = nil
      while !run.isAtEnd, peek(run).kind != .comma { run.index += 1 }
      if run.isAtEnd { return }
      _ = nextSkippingWhitespace(&run)
    }
  }

  // MARK: Complex selectors

  private enum Combinator {
    case none
    case descendant
    case explicit
  }

  private mutating func readCombinator(_ run: inout Tokens) -> Combinator {
    var combinator = Combinator.none
    if peek(run).kind == .whitespace {
      skipWhitespace(&run)
      combinator = .descendant
    }
    let token = peek(run)
    if token.isDelimiter("+") || token.isDelimiter("~") || token.isDelimiter(">") {
      _ = nextSkippingWhitespace(&run)
      combinator = .explicit
    }
    return combinator
  }

  private mutating func readComplex(_ run: inout Tokens, in text: Span<UInt8>) -> Bool {
    guard case .read(var hasPseudoElement) = readCompound(&run, in: text) else { return false }
    while true {
      let combinator = readCombinator(&run)
      if combinator == .none { return true }
      let start = position(run)
      guard case .read(let nextHasPseudoElement) = readCompound(&run, in: text) else {
        return combinator == .descendant
      }
      if hasPseudoElement {
        fail(at: start, "nothing can be selected inside a pseudo-element")
        return false
      }
      hasPseudoElement = nextHasPseudoElement
    }
  }

  mutating func readCompound(_ run: inout Tokens, in text: Span<UInt8>) -> Compound {
    let start = position(run)
    let name = readQualifiedName(&run)
    var hasPseudoElement = false
    if name == nil {
      guard readSimple(&run, in: text, hasPseudoElement: &hasPseudoElement) else {
        return .missing
      }
    }
    while readSimple(&run, in: text, hasPseudoElement: &hasPseudoElement) {}
    if !disallowsPseudoElements { precedingPseudoElement = nil }
    if name == .unknownPrefix { failUnknownPrefix(at: start) }
    return .read(hasPseudoElement: hasPseudoElement)
  }

  private mutating func failUnknownPrefix(at position: Int) {
    fail(at: position, "the namespace prefix is not declared; only *| and | alone are known")
  }

  /// A type's or attribute's name.
  enum QualifiedName {
    case plain
    case unknownPrefix
  }

  private mutating func readQualifiedName(_ run: inout Tokens) -> QualifiedName? {
    let first = peek(run)
    var name = QualifiedName.plain
    if first.kind == .ident {
      name = .unknownPrefix
      run.index += 1
    } else if first.isDelimiter("*") {
      run.index += 1
    } else if !first.isDelimiter("|") {
      return nil
    }
    guard peek(run).isDelimiter("|") else { return .plain }
    let local = peek(run, ahead: 1)
    guard local.kind == .ident || local.isDelimiter("*") else { return nil }
    run.index += 2
    return name
  }

  // MARK: Simple selectors

  /// Reads one simple selector; returns false if there is none or it is invalid.
  private mutating func readSimple(
    _ run: inout Tokens,
    in text: Span<UInt8>,
    hasPseudoElement: inout Bool
  ) -> Bool {
    let token = peek(run)
    var pseudo: Pseudo?
    switch token.kind {
    case .hash:
      guard token.isIdentifier else {
        fail(at: token.start, "the name behind # must be an identifier, which begins with no digit")
        return false
      }
      run.index += 1
    case .delimiter where token.isDelimiter("."):
      run.index += 1
      guard peek(run).kind == .ident else {
        fail(at: token.start, "a class name must follow the full stop")
        return false
      }
      run.index += 1
    case .delimiter where token.isDelimiter("&"):
      run.index += 1
    case .leftBracket:
      guard readAttribute(&run, in: text) else { return false }
    case .colon:
      pseudo = readPseudo(&run, in: text)
      guard pseudo != nil else { return false }
    default:
      return false
    }
    checkPlace(of: pseudo, at: token.start)
    if case .element(let element) = pseudo {
      precedingPseudoElement = element
      hasPseudoElement = true
    }
    return true
  }

  /// Checks what follows a pseudo-element.
  private mutating func checkPlace(of pseudo: Pseudo?, at position: Int) {
    guard let preceding = precedingPseudoElement else { return }
    let isAllowed =
      switch pseudo {
      case nil: false
      case .pseudoClass(let pseudoClass): preceding.allows(pseudoClass)
      case .element(let element): preceding.allows(element)
      }
    if !isAllowed { fail(at: position, "this cannot stand behind the pseudo-element") }
  }

  private mutating func readAttribute(_ run: inout Tokens, in text: Span<UInt8>) -> Bool {
    var block = takeBlock(&run)
    skipWhitespace(&block)
    let start = position(block)
    guard let name = readQualifiedName(&block) else {
      fail(at: position(block), "an attribute's name must follow the bracket")
      return false
    }
    if name == .unknownPrefix {
      failUnknownPrefix(at: start)
      return false
    }
    skipWhitespace(&block)
    if block.isAtEnd { return true }

    let operatorPosition = position(block)
    let comparison = nextSkippingWhitespace(&block)
    if comparison.kind != .attributeMatch, !comparison.isDelimiter("=") {
      fail(at: operatorPosition, "one of = ~= |= ^= $= *= must follow the attribute's name")
    }
    let valuePosition = position(block)
    let value = nextSkippingWhitespace(&block)
    guard value.kind == .ident || value.kind == .string else {
      fail(at: valuePosition, "an attribute's value must be an identifier or a string")
      return false
    }
    if peek(block).kind == .ident {
      let flagPosition = position(block)
      let flag = nextSkippingWhitespace(&block)
      if !equals(flag, "i", in: text) {
        fail(at: flagPosition, "the only flag that the engine knows is i")
      }
    }
    guard block.isAtEnd else {
      fail(at: position(block), "a closing bracket must follow the attribute's value")
      return false
    }
    return true
  }

  // MARK: Values

  /// Returns a token's value, escapes resolved.
  func value(of token: SelectorToken, in text: Span<UInt8>) -> [UInt8] {
    SelectorNames.value(
      in: text,
      token.valueStart..<token.valueEnd,
      hasEscape: token.hasEscape
    )
  }

  /// Whether a token's value equals a lower-case ASCII word, ignoring case.
  func equals(_ token: SelectorToken, _ word: String, in text: Span<UInt8>) -> Bool {
    if !token.hasEscape, token.valueEnd - token.valueStart != word.utf8.count { return false }
    return value(of: token, in: text).elementsEqual(word.utf8) { byte, expected in
      byte == expected || byte ^ 0x20 == expected && byte &- 0x41 < 26
    }
  }
}
