// Hot: nearly every URL that a browser loads arrives here serialised. One pass over the bytes, 32 or
// sixteen per step, no allocation; bounded by the length of the URL. Leaves what it does not
// recognise to `URLParser`, so it may be stricter than the standard but never more lenient.

internal import CGramScan
internal import TextScanning

/// Recognises serialised http, https, ws and wss URLs of the common shape.
enum CanonicalURL {
  /// Returns the layout of a text that parses to itself; `nil` if that is not obvious.
  ///
  /// The common shape is a domain without credentials, an optional port, then a path without dot
  /// segments.
  static func layout(of text: Span<UInt8>) -> Layout? { layout(of: text, by: .best) }

  /// The same by certain code, which must be available.
  @inline(__always)
  static func layout(of text: Span<UInt8>, by scan: ScanCode) -> Layout? {
    // A block and the byte before it must lie within the text.
    let scan = text.count > 32 ? scan : .plain
    let end = text.count
    guard end <= Layout.maximumInputCount, let scheme = scheme(text) else { return nil }
    var layout = Layout()
    layout.scheme = scheme.kind
    layout.schemeEnd = UInt32(truncatingIfNeeded: scheme.end)
    let hostStart = scheme.end + 3
    var index = hostStart
    while true {
      index = Suspects.host.first(in: text, from: index, by: scan)
      guard index < end, ByteSet.canonicalDomain.contains(text[index]) else { break }
      index += 1
    }
    var labelStart = index
    while labelStart > hostStart, text[labelStart - 1] != ASCII.dot { labelStart -= 1 }
    // A last label that begins with a digit may be an IPv4 address, and an empty one hides the last
    // label.
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
    guard skipPath(text, &index, scan) else { return nil }
    layout.queryStart = UInt32(truncatingIfNeeded: index)
    if index < end, text[index] == ASCII.question {
      index = skipQuery(text, from: index + 1, scan)
    }
    layout.fragmentStart = UInt32(truncatingIfNeeded: index)
    if index < end, text[index] == ASCII.hash {
      index = skip(.fragment, text, from: index + 1)
    }
    return index == end ? layout : nil
  }

  /// Reads `http://`, `https://`, `ws://` or `wss://`; the end is the index of the colon.
  private static func scheme(_ text: Span<UInt8>) -> (kind: SchemeKind, end: Int)? {
    guard text.count > 8 else { return nil }
    let start = text.word(at: 0)
    // "https://", then "http://" and another byte.
    if start == 0x2F2F_3A73_7074_7468 { return (.https, 5) }
    if start & ~0 &>> 8 == 0x2F_2F3A_7074_7468 { return (.http, 4) }
    return rareScheme(text)
  }

  private static func rareScheme(_ text: Span<UInt8>) -> (kind: SchemeKind, end: Int)? {
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

  /// Skips path bytes; returns `false` at a backslash or a possible dot segment.
  private static func skipPath(
    _ text: Span<UInt8>,
    _ index: inout Int,
    _ scan: ScanCode
  ) -> Bool {
    let start = index
    while true {
      index = Suspects.path.first(in: text, from: index, by: scan)
      guard index < text.count else { return true }
      let byte = text[index]
      guard ByteSet.path.contains(byte), byte != ASCII.backslash else {
        return byte == ASCII.question || byte == ASCII.hash
      }
      if index > start, text[index - 1] == ASCII.slash, byte == ASCII.dot || byte == ASCII.percent {
        // `/.well-known` and `/%7B` are not dot segments; `/..` and `/%2E` need a closer look.
        guard index + 1 < text.count else { return false }
        let next = text[index + 1]
        guard byte == ASCII.dot ? ASCII.isLetter(next) : next != UInt8(ascii: "2") else {
          return false
        }
      }
      index += 1
    }
  }

  private static func skipQuery(
    _ text: Span<UInt8>,
    from start: Int,
    _ scan: ScanCode
  ) -> Int {
    var index = start
    while true {
      index = Suspects.query.first(in: text, from: index, by: scan)
      guard index < text.count, ByteSet.specialQuery.contains(text[index]) else { return index }
      index += 1
    }
  }

  private static func skip(_ plain: ByteSet, _ text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count, plain.contains(text[index]) {
      index += 1
    }
    return index
  }
}

/// The bytes of a component that must be checked one by one.
///
/// All bytes that may be invalid, and, without vectors, a few valid ones: the sets are chosen so that
/// few tests separate them from the usual bytes of URLs.
private enum Suspects {
  /// All but lower-case letters, digits, `-` and `.`.
  case host
  /// Bytes that end a path or have a meaning in it; `!`, `=`, `|` and `~`.
  case path
  /// Bytes that end a query or are percent-encoded in it; `!`.
  case query

  /// Returns the index of the first of them from an index on; the end of the text if there is none.
  ///
  /// In a text of less than two blocks every byte is suspect, and in a path the index must not be
  /// 0.
  @inline(__always)
  func first(in text: Span<UInt8>, from start: Int, by scan: ScanCode) -> Int {
    #if arch(x86_64)
    if case .vectors = scan {
      // In bounds: the text is longer than a block, and a path begins behind its host.
      return unsafe text.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return start }
        switch self {
        case .host: return unsafe tickbird_host_end(base, start, bytes.count)
        case .path: return unsafe tickbird_path_end(base, start, bytes.count)
        case .query: return unsafe tickbird_query_end(base, start, bytes.count)
        }
      }
    }
    #endif
    return first(in: text, from: start)
  }

  /// The same in Swift alone; apart from the callers, whose registers it would take.
  @inline(never)
  private func first(in text: Span<UInt8>, from start: Int) -> Int {
    guard text.count > ByteBlock.count else { return start }
    var index = start
    let last = text.count - ByteBlock.count
    while index < last {
      if let place = ByteBlock.first(among(text, at: index)) { return index &+ place }
      index &+= ByteBlock.count
    }
    guard index < text.count else { return text.count }
    // The last block overlaps the one before.
    let place = ByteBlock.first(among(text, at: last), from: index &- last)
    return place.map { last &+ $0 } ?? text.count
  }

  /// Returns in bit 7 of each byte of a block whether it is suspect.
  @inline(__always)
  private func among(_ text: Span<UInt8>, at index: Int) -> ByteBlock.Bits {
    let block = ByteBlock(text, at: index)
    switch self {
    case .host:
      let isLetter = block.isAtLeast(UInt8(ascii: "a")) & ~block.isAtLeast(UInt8(ascii: "z") + 1)
      // In ASCII, the slash is between `.` and the digits.
      let isOther =
        block.isAtLeast(UInt8(ascii: "-")) & ~block.isAtLeast(UInt8(ascii: "9") + 1)
        & block.isNot(ASCII.slash)
      return ~(isLetter | isOther) | block.isForeign
    case .path:
      let before = ByteBlock(text, at: index &- 1)
      let isInSegment =
        before.isNot(ASCII.slash) | block.isNot(ASCII.dot) & block.isNot(ASCII.percent)
      let isPlain =
        block.isAtLeast(UInt8(ascii: "$"))
        & block.isNot(UInt8(ascii: "<"), mask: 0x7C)  // < = > ?
        & block.isNot(UInt8(ascii: "\\"), mask: 0x7D)  // \ ^
        & block.isNot(UInt8(ascii: "`"))
      return ~(isInSegment & isPlain) | block.isAtLeast(UInt8(ascii: "{")) | block.isForeign
    case .query:
      let isPlain =
        block.isAtLeast(UInt8(ascii: "$"))
        & block.isNot(UInt8(ascii: "<"), mask: 0x7D)  // < >
        & block.isNot(UInt8(ascii: "'"))
      return ~isPlain | block.isAtLeast(0x7F) | block.isForeign
    }
  }
}
