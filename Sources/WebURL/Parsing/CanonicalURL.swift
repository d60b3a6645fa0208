// Hot: nearly every URL that a browser loads comes here already serialised. One pass over the
// bytes, no allocation; bounded by the length of the URL. What it does not recognise at once it
// leaves to `URLParser`, so it may be stricter than the standard but never looser.

/// Recognises serialised http, https, ws and wss URLs of the common shape.
enum CanonicalURL {
  /// The layout of a text that parses to itself, or `nil` if that is not plain to see.
  ///
  /// The common shape is a domain without credentials, perhaps a port, then a path without dot
  /// segments.
  static func layout(of text: Span<UInt8>) -> Layout? {
    let end = text.count
    guard end <= Layout.maximumInputCount, let scheme = scheme(text) else { return nil }
    var layout = Layout()
    layout.scheme = scheme.kind
    layout.schemeEnd = UInt32(truncatingIfNeeded: scheme.end)
    let hostStart = scheme.end + 3
    var index = hostStart
    var labelStart = hostStart
    while index < end {
      let byte = text[index]
      guard ByteSet.canonicalDomain.contains(byte) else { break }
      index += 1
      if byte == ASCII.dot { labelStart = index }
    }
    // A last label that begins with a digit may be an IPv4 address; an empty one hides the last.
    guard labelStart < index, !ASCII.isDigit(text[labelStart]) else { return nil }
    layout.usernameStart = UInt32(truncatingIfNeeded: hostStart)
    layout.usernameEnd = layout.usernameStart
    layout.hostStart = layout.usernameStart
    layout.hostEnd = UInt32(truncatingIfNeeded: index)
    layout.hostKind = .domain
    if index < end, text[index] == ASCII.colon {
      guard let port = port(text, &index), port != scheme.kind.defaultPort else { return nil }
      layout.port = port
      layout.hasPort = true
    }
    guard index < end, text[index] == ASCII.slash else { return nil }
    layout.pathStart = UInt32(truncatingIfNeeded: index)
    guard skipPath(text, &index) else { return nil }
    layout.queryStart = UInt32(truncatingIfNeeded: index)
    if index < end, text[index] == ASCII.question {
      index = skip(.specialQuery, text, from: index + 1)
    }
    layout.fragmentStart = UInt32(truncatingIfNeeded: index)
    if index < end, text[index] == ASCII.hash {
      index = skip(.fragment, text, from: index + 1)
    }
    return index == end ? layout : nil
  }

  /// Reads `http://` and its three cousins; the end is the place of the colon.
  private static func scheme(_ text: Span<UInt8>) -> (kind: SchemeKind, end: Int)? {
    guard text.count > 8 else { return nil }
    var end: Int
    var kind: SchemeKind
    if text[0] == UInt8(ascii: "h"), text[1] == UInt8(ascii: "t"), text[2] == UInt8(ascii: "t"),
      text[3] == UInt8(ascii: "p")
    {
      (kind, end) = (.http, 4)
    } else if text[0] == UInt8(ascii: "w"), text[1] == UInt8(ascii: "s") {
      (kind, end) = (.ws, 2)
    } else {
      return nil
    }
    if text[end] == UInt8(ascii: "s") {
      kind = kind == .http ? .https : .wss
      end += 1
    }
    guard text[end] == ASCII.colon, text[end + 1] == ASCII.slash, text[end + 2] == ASCII.slash
    else { return nil }
    return (kind, end)
  }

  /// Reads `:` and a decimal number up to 65535 without leading zeros.
  private static func port(_ text: Span<UInt8>, _ index: inout Int) -> UInt16? {
    index += 1
    let start = index
    var value = 0
    while index < text.count, ASCII.isDigit(text[index]) {
      value = value * 10 + Int(text[index] - ASCII.zero)
      index += 1
      guard value <= 65535 else { return nil }
    }
    guard index > start, index == start + 1 || text[start] != ASCII.zero else { return nil }
    return UInt16(truncatingIfNeeded: value)
  }

  /// Skips path bytes; `false` at what may be a dot segment or a backslash.
  private static func skipPath(_ text: Span<UInt8>, _ index: inout Int) -> Bool {
    var previous: UInt8 = 0
    while index < text.count {
      let byte = text[index]
      guard ByteSet.path.contains(byte), byte != ASCII.backslash else {
        return byte == ASCII.question || byte == ASCII.hash
      }
      if previous == ASCII.slash, byte == ASCII.dot || byte == ASCII.percent {
        // `/.well-known` and `/%7B` are no dot segments; `/..` and `/%2E` are looked at closely.
        guard index + 1 < text.count else { return false }
        let next = text[index + 1]
        guard byte == ASCII.dot ? ASCII.isLetter(next) : next != UInt8(ascii: "2") else {
          return false
        }
      }
      previous = byte
      index += 1
    }
    return true
  }

  private static func skip(_ plain: ByteSet, _ text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count, plain.contains(text[index]) {
      index += 1
    }
    return index
  }
}
