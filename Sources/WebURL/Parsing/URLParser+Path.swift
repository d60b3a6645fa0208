// The path states of the parser.

extension URLParser {
  /// Path start state: the slash that begins the path may be missing.
  mutating func parsePathStart(_ start: Int) -> Bool {
    layout.pathStart = mark
    if isSlash(start) { return parsePath(start + 1) }
    if layout.scheme.isSpecial { return parsePath(start) }
    // Only a URL that is not special can have an empty path.
    return parseTail(start)
  }

  /// Parses the whole input as the path of the URL, which is written up to there.
  mutating func parseReplacedPath() {
    layout.pathStart = mark
    let start = input.startIndex
    if isSlash(start) {
      _ = parsePath(start + 1)
    } else if !input.isEmpty || layout.scheme.isSpecial || layout.hostKind == .none {
      _ = parsePath(start)
    }
  }

  /// Path state: parses segments from the byte after a slash on; what precedes them is written
  /// already.
  mutating func parsePath(_ start: Int) -> Bool {
    var segmentStart = start
    while true {
      let segmentEnd = authorityEnd(from: segmentStart)
      let endsInSlash = isSlash(segmentEnd)
      appendSegment(input[segmentStart..<segmentEnd], endsInSlash: endsInSlash)
      guard endsInSlash else {
        separatePathFromScheme()
        return parseTail(segmentEnd)
      }
      segmentStart = segmentEnd + 1
    }
  }

  /// Appends a segment to the path, or applies a dot segment.
  private mutating func appendSegment(_ segment: ArraySlice<UInt8>, endsInSlash: Bool) {
    switch DotSegment(segment) {
    case .double:
      shortenPath()
      if !endsInSlash { output.append(ASCII.slash) }
    case .single:
      if !endsInSlash { output.append(ASCII.slash) }
    case nil:
      let isFirst = output.count == Int(layout.pathStart)
      output.append(ASCII.slash)
      if isFirst, layout.scheme == .file, DriveLetter.isDriveLetter(segment) {
        output.append(segment[segment.startIndex])
        output.append(ASCII.colon)
      } else {
        PercentEncoding.append(segment, plain: .path, to: &output)
      }
    }
  }

  /// Removes the last segment of the path, unless it is the only one and a drive letter.
  mutating func shortenPath() {
    let start = Int(layout.pathStart)
    guard start < output.count else { return }
    if layout.scheme == .file, output.count == start + 3,
      DriveLetter.firstSegment(ofPath: output[start...]) != nil
    {
      return
    }
    let slash = output[start...].lastIndex(of: ASCII.slash) ?? start
    output.removeSubrange(slash...)
  }

  /// Keeps a path that begins with two slashes from looking like a host.
  mutating func separatePathFromScheme() {
    let start = Int(layout.pathStart)
    guard layout.hostKind == .none, output.count >= start + 2,
      output[start] == ASCII.slash, output[start + 1] == ASCII.slash
    else { return }
    output.insert(contentsOf: [ASCII.slash, ASCII.dot], at: start)
    layout.pathStart += 2
  }

  /// Opaque path state.
  mutating func parseOpaquePath(_ start: Int) -> Bool {
    layout.pathStart = mark
    layout.hasOpaquePath = true
    let end =
      input[start...].firstIndex { $0 == ASCII.question || $0 == ASCII.hash } ?? input.endIndex
    let path = input[start..<end]
    // A space at the end of the path would be lost if the URL was parsed again without what
    // follows.
    if end < input.endIndex, path.last == ASCII.space {
      PercentEncoding.append(path.dropLast(), plain: .opaque, to: &output)
      PercentEncoding.append(ASCII.space, to: &output)
    } else {
      PercentEncoding.append(path, plain: .opaque, to: &output)
    }
    return parseTail(end)
  }
}

/// A path segment of one or two dots, possibly percent-encoded.
enum DotSegment {
  case single
  case double

  init?(_ segment: ArraySlice<UInt8>) {
    guard segment.count <= 6 else { return nil }
    var dots = 0
    var rest = segment
    while let first = rest.first {
      if first == ASCII.dot {
        rest = rest.dropFirst()
      } else if Self.beginsWithEncodedDot(rest) {
        rest = rest.dropFirst(3)
      } else {
        return nil
      }
      dots += 1
    }
    switch dots {
    case 1: self = .single
    case 2: self = .double
    default: return nil
    }
  }

  private static func beginsWithEncodedDot(_ text: ArraySlice<UInt8>) -> Bool {
    let start = text.startIndex
    return text.count >= 3 && text[start] == ASCII.percent
      && text[start + 1] == UInt8(ascii: "2") && text[start + 2] | 0x20 == UInt8(ascii: "e")
  }
}

/// The Windows drive letters of file URLs.
///
/// > Source: URL standard, "URL miscellaneous".
enum DriveLetter {
  /// Whether the text is a letter followed by `:` or `|`.
  static func isDriveLetter(_ text: ArraySlice<UInt8>) -> Bool {
    text.count == 2 && isPair(text)
  }

  /// Whether the text starts with a drive letter that a delimiter or nothing follows.
  static func begins(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count >= 2, isPair(text) else { return false }
    guard text.count > 2 else { return true }
    switch text[text.startIndex + 2] {
    case ASCII.slash, ASCII.backslash, ASCII.question, ASCII.hash: return true
    default: return false
    }
  }

  /// The first segment of a path, with its slash, if it is a drive letter with a colon.
  static func firstSegment(ofPath path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let start = path.startIndex
    guard path.count >= 3, path[start] == ASCII.slash, ASCII.isLetter(path[start + 1]),
      path[start + 2] == ASCII.colon, path.count == 3 || path[start + 3] == ASCII.slash
    else { return nil }
    return path[start..<(start + 3)]
  }

  private static func isPair(_ text: ArraySlice<UInt8>) -> Bool {
    let second = text[text.startIndex + 1]
    return ASCII.isLetter(text[text.startIndex])
      && (second == ASCII.colon || second == UInt8(ascii: "|"))
  }
}
