/// Checks the syntax of JSON values and lists their contents, one rule at a time.
///
/// Without recursion: open containers are on a stack of at most ``depthLimit`` entries.
///
/// Faults go to the collector. After most of them the scanner continues as if the text had been
/// written as meant; see `JSONScanner+Recovery.swift`.
///
/// > Source: the rule language, section 1. WebKit: `JSONValues.cpp`.
struct JSONScanner {
  /// The greatest depth of a value; the top-level array is at 0.
  ///
  /// > Source: WebKit `stackLimit`, observed: 1,000 arrays around a number fail, as do 1,002
  /// > arrays around nothing.
  static let depthLimit = 1000

  /// The outcome of reading a value.
  enum Outcome {
    /// The whole value was read, possibly with faults.
    case complete
    /// The text cannot be understood from ``position`` on.
    case lost
  }

  /// What is expected next.
  enum State {
    case value, key, colon, afterValue, done, lost
  }

  /// The next byte to look at.
  var position = 0
  /// The value scanned last.
  var nodes: [JSONNode] = []
  /// Open containers of that value, outermost first, as indexes into ``nodes``.
  var open: [Int] = []
  /// The end of the last string, to notice quotation marks inside of strings.
  var lastStringEnd = -1

  /// Reads one value, white space before it included, into ``nodes``.
  ///
  /// - Parameters:
  ///   - text: The whole text.
  ///   - depth: The number of containers around the value.
  ///   - diagnostics: The collector of faults.
  /// - Returns: Whether the value was read to its end.
  mutating func scanValue(
    _ text: Span<UInt8>,
    depth: Int,
    into diagnostics: DiagnosticCollector
  ) -> Outcome {
    nodes.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    var state = State.value
    while true {
      skipWhiteSpace(text)
      switch state {
      case .value:
        guard depth + open.count <= Self.depthLimit else {
          state = reportDepth(text, diagnostics)
          continue
        }
        state = beginValue(text, diagnostics)
      case .afterValue:
        state = continueContainer(text, diagnostics)
      case .key:
        if position < text.count, text[position] == UInt8(ascii: "\"") {
          guard scanString(text, diagnostics) else {
            state = .lost
            continue
          }
          // Without another turn where the colon follows at once.
          if position < text.count, text[position] == UInt8(ascii: ":") {
            position += 1
            state = .value
          } else {
            state = .colon
          }
        } else {
          state = recoverKey(text, diagnostics)
        }
      case .colon:
        if position < text.count, text[position] == UInt8(ascii: ":") {
          position += 1
          state = .value
        } else {
          state = recoverColon(text, diagnostics)
        }
      case .done: return .complete
      case .lost: return .lost
      }
    }
  }

  /// Reads the first byte of a value, and all of it unless it is a container.
  private mutating func beginValue(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> State {
    guard position < text.count else { return recoverValue(text, diagnostics) }
    switch text[position] {
    case UInt8(ascii: "\""):
      return scanString(text, diagnostics) ? afterValue : .lost
    case UInt8(ascii: "{"):
      begin(.object)
      skipWhiteSpace(text)
      guard position < text.count, text[position] == UInt8(ascii: "}") else { return .key }
      return close()
    case UInt8(ascii: "["):
      begin(.array)
      skipWhiteSpace(text)
      guard position < text.count, text[position] == UInt8(ascii: "]") else { return .value }
      return close()
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      return scanNumber(text) ? afterValue : recoverValue(text, diagnostics)
    case UInt8(ascii: "t"):
      return scanWord(text, "true", .true) ? afterValue : recoverValue(text, diagnostics)
    case UInt8(ascii: "f"):
      return scanWord(text, "false", .false) ? afterValue : recoverValue(text, diagnostics)
    case UInt8(ascii: "n"):
      return scanWord(text, "null", .null) ? afterValue : recoverValue(text, diagnostics)
    default:
      return recoverValue(text, diagnostics)
    }
  }

  /// Reads what separates the members of the innermost open container, or its closing bracket.
  private mutating func continueContainer(
    _ text: Span<UInt8>,
    _ diagnostics: DiagnosticCollector
  ) -> State {
    guard let container = open.last else { return .done }
    guard position < text.count else { return recoverSeparator(text, diagnostics) }
    let isObject = nodes[container].kind == .object
    switch text[position] {
    case UInt8(ascii: ","):
      let comma = position
      position += 1
      skipWhiteSpace(text)
      let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      if position < text.count, text[position] == closing {
        reportTrailingComma(at: comma, before: closing, diagnostics)
        return .afterValue
      }
      return isObject ? .key : .value
    case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
      return close()
    default:
      return recoverSeparator(text, diagnostics)
    }
  }

  /// Goes on behind a value that was read before, and the white space behind it.
  ///
  /// - Parameters:
  ///   - text: The whole text.
  ///   - end: The end of the value.
  ///   - lastStringEnd: The end of its last string.
  mutating func skip(_ text: Span<UInt8>, to end: Int, lastStringEnd: Int) {
    position = end
    self.lastStringEnd = lastStringEnd
    skipWhiteSpace(text)
  }

  /// The state after a value that is complete.
  var afterValue: State { open.isEmpty ? .done : .afterValue }

  @inline(__always)
  mutating func skipWhiteSpace(_ text: Span<UInt8>) {
    // In lists that programs write there is none.
    guard position < text.count, text[position] <= 0x20 else { return }
    skipSomeWhiteSpace(text)
  }

  private mutating func skipSomeWhiteSpace(_ text: Span<UInt8>) {
    while position < text.count {
      switch text[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }
}

// MARK: Nodes

extension JSONScanner {
  private mutating func begin(_ kind: JSONNode.Kind) {
    open.append(nodes.count)
    append(kind, position..<position + 1)
    position += 1
  }

  /// Closes the innermost container with the bracket at the current position.
  mutating func close() -> State {
    position += 1
    return closeWithoutBracket()
  }

  /// Closes the innermost container before the current position.
  mutating func closeWithoutBracket() -> State {
    if let container = open.popLast() {
      nodes[container].end = UInt32(truncatingIfNeeded: position)
      nodes[container].next = UInt32(truncatingIfNeeded: nodes.count)
    }
    return afterValue
  }

  /// Appends a value that is not a container.
  mutating func append(_ kind: JSONNode.Kind, _ range: Range<Int>, hasEscapes: Bool = false) {
    nodes.append(
      JSONNode(
        kind: kind,
        hasEscapes: hasEscapes,
        start: UInt32(truncatingIfNeeded: range.lowerBound),
        end: UInt32(truncatingIfNeeded: range.upperBound),
        next: UInt32(truncatingIfNeeded: nodes.count + 1)
      )
    )
  }
}

// MARK: Numbers and words

extension JSONScanner {
  /// Reads a number; returns false without reading if there is none.
  private mutating func scanNumber(_ text: Span<UInt8>) -> Bool {
    guard let end = Self.endOfNumber(text, from: position),
      end == text.count || !text[end].isNumeric
    else { return false }
    append(.number, position..<end)
    position = end
    return true
  }

  private static func endOfNumber(_ text: Span<UInt8>, from start: Int) -> Int? {
    var position = start
    func byte() -> UInt8 { position < text.count ? text[position] : 0 }
    func skipDigits() -> Int {
      let first = position
      while case UInt8(ascii: "0")...UInt8(ascii: "9") = byte() { position += 1 }
      return position - first
    }
    if byte() == UInt8(ascii: "-") { position += 1 }
    let startsWithZero = byte() == UInt8(ascii: "0")
    let digits = skipDigits()
    guard digits > 0, digits == 1 || !startsWithZero else { return nil }
    if byte() == UInt8(ascii: ".") {
      position += 1
      guard skipDigits() > 0 else { return nil }
    }
    if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
      position += 1
      if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() > 0 else { return nil }
    }
    return position
  }

  /// Reads a bare word; returns false without reading if it is another.
  private mutating func scanWord(
    _ text: Span<UInt8>,
    _ word: String,
    _ kind: JSONNode.Kind
  ) -> Bool {
    let end = position + word.utf8.count
    guard text.matches(word, at: position), end == text.count || !text[end].isNumeric else {
      return false
    }
    append(kind, position..<end)
    position = end
    return true
  }
}

extension Span<UInt8> {
  /// Whether the bytes from a position on are a word's.
  func matches(_ word: String, at position: Int) -> Bool {
    let bytes = word.utf8Span.span
    guard position >= 0, bytes.count <= count - position else { return false }
    for index in bytes.indices where self[position + index] != bytes[index] { return false }
    return true
  }
}
