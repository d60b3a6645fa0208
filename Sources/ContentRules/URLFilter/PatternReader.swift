/// Reads a pattern's text in one pass.
///
/// Two layers work side by side, as in the engine. The first knows the syntax of regular
/// expressions and stops at a syntax error. The second builds terms from what the first reports,
/// until it meets something that it must refuse; the first layer then continues, because a syntax
/// error further right overrides the refusal.
///
/// The second layer holds back the last term, the *floating* one, until nothing more can modify it;
/// then the term *sinks*. This decides when a refusal is noticed: `$a` is refused one construct
/// later than one might expect.
///
/// Hot: every pattern of a list of 150,000 rules passes here. Ordinary characters take the fast
/// path at the top of `read`; only patterns with named groups, or refused ones, allocate.
struct PatternReader {
  /// What a quantifier would apply to.
  enum Quantifiable {
    case nothing
    case term
    case lookBehind
  }

  /// An open parenthesis.
  struct OpenGroup {
    /// The byte offset of the parenthesis.
    var offset: Int
    /// The byte offset of the last `|` directly inside; −1 if none.
    var lastDisjunction = -1
    var isLookBehind = false
  }

  let isCaseSensitive: Bool
  /// The flat terms; the `count` of an open group is the index of the group around it.
  var terms: [Term] = []

  // The first layer.
  var index = 0
  var tokenStart = 0
  var quantifiable = Quantifiable.nothing
  /// How many parentheses are open.
  var depth = 0
  /// The open parentheses; tracked only once needed, see `trackGroups`.
  var openGroups: [OpenGroup] = []
  var tracksGroups = false
  /// The last place of every group name, keyed by its code points.
  var groupNames: [[UInt32]: Int] = [:]
  /// The last `|` outside all groups, tracked like `openGroups`.
  var lastTopLevelDisjunction = -1
  /// The first `\k` that stands for the letter.
  var literalK: Range<Int>?
  var isBroken = false

  // The second layer.
  var isRefused = false
  /// The index of the floating term; −1 if none.
  var floating = -1
  var floatingIsEndOfLine = false
  var hasEndOfLine = false
  var endOfLine = 0..<0
  /// The index of the innermost open group's term; −1 outside groups.
  var innermostGroup = -1
  var isAnchored = false

  /// The fault so far: the first refusal, or the syntax error that overrides it.
  var fault: URLFilterFault?

  init(isCaseSensitive: Bool) {
    self.isCaseSensitive = isCaseSensitive
  }

  /// The characters below 128 that always stand for themselves.
  private static let ordinary: (low: UInt64, high: UInt64) = {
    var special = CharacterSet()
    for byte in "\0|()^$.[\\*+?{".utf8 { special.insert(byte) }
    return (~special.low, ~special.high)
  }()

  /// Reads the whole pattern; leaves the terms or a fault.
  mutating func read(_ text: Span<UInt8>) {
    terms.removeAll(keepingCapacity: true)
    guard text.count > 0 else {
      return fail(.emptyPattern, 0..<0, "the pattern is empty", hint: "write .* for every URL")
    }
    if text.count > URLFilterParser.maximumLength {
      fail(
        .yarrError,
        URLFilterParser.maximumLength..<text.count,
        "the pattern has \(text.count) characters, more than \(URLFilterParser.maximumLength)"
      )
      return preferNonASCII(in: text)
    }
    if text[0] != 0x5E { terms.append(Term(.characters(.any), .zeroOrMore)) }
    let (low, high) = Self.ordinary

    while index < text.count {
      let byte = text[index]
      tokenStart = index
      index += 1
      if byte < 128, (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte & 63)) & 1 != 0 {
        float(set(of: byte))
        quantifiable = .term
        continue
      }
      readSpecial(byte, in: text)
      if isBroken { return preferNonASCII(in: text) }
    }
    finish(text)
  }

  private mutating func readSpecial(_ byte: UInt8, in text: Span<UInt8>) {
    switch byte {
    case 0x5C:  // \
      readEscape(in: text)
    case 0x2E:  // .
      float(.any)
      quantifiable = .term
    case 0x2A:  // *
      quantify(minimum: 0, maximum: .max, in: text)
    case 0x2B:  // +
      quantify(minimum: 1, maximum: .max, in: text)
    case 0x3F:  // ?
      quantify(minimum: 0, maximum: 1, in: text)
    case 0x5B:  // [
      readSet(in: text)
      quantifiable = .term
    case 0x28:  // (
      openGroup(in: text)
      quantifiable = .nothing
    case 0x29:  // )
      closeGroup()
    case 0x5E:  // ^
      startOfLine()
      quantifiable = .nothing
    case 0x24:  // $
      float(.endOfURL, isEndOfLine: true)
      quantifiable = .nothing
    case 0x7C:  // |
      disjunction(in: text)
      quantifiable = .nothing
    case 0x7B:  // {
      if !readRepetition(in: text) {
        float(set(of: byte))
        quantifiable = .term
      }
    case 0:
      float(.endOfURL, isEndOfLine: true)
      quantifiable = .term
    default:
      failNonASCII(at: tokenStart, in: text)
    }
  }

  private mutating func finish(_ text: Span<UInt8>) {
    if depth > 0 {
      trackGroups(in: text, upTo: text.count)
      let offset = openGroups.last?.offset ?? 0
      fail(
        .yarrError,
        offset..<offset + 1,
        "the group is never closed",
        hint: "add ), or write \\( for the character itself"
      )
    } else if let literalK, !groupNames.isEmpty {
      fail(
        .yarrError,
        literalK,
        "\\k must name an earlier group once the pattern has named groups",
        hint: "the language has no back-references; write the text out"
      )
    } else if !isRefused {
      sink()
    }
  }

  // MARK: Terms

  /// Returns the set of a letter in both cases, unless case-sensitive, or of any other character
  /// alone.
  func set(of character: UInt8) -> CharacterSet {
    let bit = UInt64(1) << UInt64(character & 63)
    guard character >= 64 else { return CharacterSet(low: bit) }
    let letter = (character | 0x20) &- 0x61
    guard !isCaseSensitive, letter < 26 else { return CharacterSet(high: bit) }
    return CharacterSet(high: bit | UInt64(1) << UInt64((character ^ 0x20) & 63))
  }

  /// Sinks the floating term and floats a new one.
  mutating func float(_ set: CharacterSet, isEndOfLine: Bool = false) {
    if isRefused { return }
    sink()
    floating = terms.count
    floatingIsEndOfLine = isEndOfLine
    if isEndOfLine, !hasEndOfLine { endOfLine = tokenStart..<index }
    terms.append(Term(.characters(set)))
  }

  /// Fixes the floating term; only the last may be an end of line.
  mutating func sink() {
    guard floating >= 0 else { return }
    floating = -1
    if hasEndOfLine {
      return refuse(
        .misplacedEndOfLine,
        endOfLine,
        "$ must be the last thing in the pattern",
        hint: "write \\$ for the character itself"
      )
    }
    hasEndOfLine = floatingIsEndOfLine
  }

  private mutating func startOfLine() {
    if isRefused { return }
    let isFirst = floating < 0 && innermostGroup < 0 && terms.isEmpty
    if isFirst {
      isAnchored = true
    } else {
      refuse(
        .misplacedStartOfLine,
        tokenStart..<index,
        "^ must be the first thing in the pattern",
        hint: "write \\^ for the character itself; to match a separator write [/:?&=]"
      )
    }
  }

  private mutating func disjunction(in text: Span<UInt8>) {
    var hint = "write one rule for each alternative, or a set such as [ab] for single characters"
    if tokenStart == 0, text.count > 1, text[1] == 0x7C {
      hint = "for a host and its subdomains write ^[^:]+://+([^:/]+\\.)?example\\.com[:/]"
    }
    refuse(.disjunction, tokenStart..<index, "alternatives cannot be expressed", hint: hint)
    trackGroups(in: text, upTo: tokenStart)
    if let last = openGroups.indices.last {
      openGroups[last].lastDisjunction = tokenStart
    } else {
      lastTopLevelDisjunction = tokenStart
    }
  }

  // MARK: Faults

  /// Records a refusal by the second layer; the first one stands.
  mutating func refuse(
    _ status: URLFilterStatus,
    _ range: Range<Int>,
    _ message: String,
    hint: String? = nil
  ) {
    if isRefused { return }
    isRefused = true
    fault = URLFilterFault(status: status, range: range, message: message, hint: hint)
  }

  /// Records a syntax error, which overrides any refusal.
  mutating func fail(
    _ status: URLFilterStatus,
    _ range: Range<Int>,
    _ message: String,
    hint: String? = nil
  ) {
    isBroken = true
    fault = URLFilterFault(status: status, range: range, message: message, hint: hint)
  }

  static let nonASCIIHint =
    "URLs are matched in their ASCII form: write the percent-encoded bytes or the punycode host"

  /// Records a character above 127, which overrides everything.
  mutating func failNonASCII(at start: Int, in text: Span<UInt8>) {
    var end = start + 1
    while end < text.count, end < start + 4, text[end] & 0xC0 == 0x80 { end += 1 }
    fail(
      .nonASCII,
      start..<end,
      "patterns are limited to ASCII characters",
      hint: Self.nonASCIIHint
    )
  }

  /// Lets a character above 127 to the right of a syntax error override it.
  private mutating func preferNonASCII(in text: Span<UInt8>) {
    if fault?.status == .nonASCII { return }
    for position in text.indices where text[position] >= 128 {
      return failNonASCII(at: position, in: text)
    }
  }
}
