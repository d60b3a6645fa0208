/// The standard's basic URL parser, for every input that is not obviously canonical.
///
/// The standard describes a machine that reads one code point at a time. Here each component is
/// found as a range of the input and written to the output at once; the states of the standard are
/// methods, which call each other where the standard changes state.
///
/// > Source: URL standard, "URL parsing".
struct URLParser {
  /// The bytes to parse, without surrounding white space, tabs and line breaks.
  let input: ArraySlice<UInt8>
  let base: WebURL?

  /// The serialisation so far.
  var output: [UInt8] = []
  var layout = Layout()

  init(_ text: [UInt8], base: WebURL?) {
    self.input = Self.stripped(text)
    self.base = base
  }

  /// Creates a parser for one component of a URL, whose text is not stripped.
  init(component: ArraySlice<UInt8>, scheme: SchemeKind) {
    self.input = component
    self.base = nil
    self.layout.scheme = scheme
  }

  mutating func parse() -> WebURL? {
    guard input.count <= Layout.maximumInputCount else { return nil }
    // Room for most insertions, so that the output is allocated only once.
    output.reserveCapacity(input.count + 16 + (base?.utf8.count ?? 0))
    guard parseScheme() else { return nil }
    guard UInt64(output.count) <= UInt64(UInt32.max) else { return nil }
    return WebURL(utf8: output, layout: layout)
  }

  // MARK: Input

  /// Removes C0 controls and spaces around the text, and tabs and line breaks everywhere.
  private static func stripped(_ text: [UInt8]) -> ArraySlice<UInt8> {
    var slice = text[...]
    while let first = slice.first, first <= ASCII.space { slice.removeFirst() }
    while let last = slice.last, last <= ASCII.space { slice.removeLast() }
    return withoutLineBreaks(slice)
  }

  /// Removes tabs and line breaks; copies only if there are any.
  static func withoutLineBreaks(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard text.contains(where: { $0 == 9 || $0 == 10 || $0 == 13 }) else { return text }
    return text.filter { $0 != 9 && $0 != 10 && $0 != 13 }[...]
  }

  /// The byte at an index, or `nil` at the end.
  func byte(_ index: Int) -> UInt8? {
    index < input.endIndex ? input[index] : nil
  }

  /// Whether there is a slash at an index, or a backslash that a special URL treats as one.
  func isSlash(_ index: Int) -> Bool {
    guard let byte = byte(index) else { return false }
    return byte == ASCII.slash || byte == ASCII.backslash && layout.scheme.isSpecial
  }

  /// Returns the first index from `start` on at which a path, a query or a fragment begins.
  func authorityEnd(from start: Int) -> Int {
    var index = start
    while index < input.endIndex {
      let byte = input[index]
      if byte == ASCII.slash || byte == ASCII.question || byte == ASCII.hash
        || byte == ASCII.backslash && layout.scheme.isSpecial
      {
        break
      }
      index += 1
    }
    return index
  }

  /// The current end of the output, as an offset; `parse()` refuses one that was clamped.
  var mark: UInt32 {
    UInt32(clamping: output.count)
  }

  // MARK: Scheme start, scheme, and no scheme state

  private mutating func parseScheme() -> Bool {
    var colon = input.startIndex
    guard let first = byte(colon), ASCII.isLetter(first) else { return parseWithoutScheme() }
    while let byte = byte(colon), ByteSet.scheme.contains(byte) { colon += 1 }
    guard byte(colon) == ASCII.colon else { return parseWithoutScheme() }
    for byte in input[..<colon] { output.append(ASCII.lowercased(byte)) }
    layout.scheme = SchemeKind(output.span)
    layout.schemeEnd = mark
    output.append(ASCII.colon)
    let rest = colon + 1
    let startsWithTwoSlashes = byte(rest) == ASCII.slash && byte(rest + 1) == ASCII.slash
    if layout.scheme == .file { return parseFile(rest) }
    if layout.scheme.isSpecial {
      if let base, base.layout.scheme == layout.scheme, !startsWithTwoSlashes {
        return parseRelative(rest, base)
      }
      return parseAuthority(skippingSlashes(rest))
    }
    if startsWithTwoSlashes { return parseAuthority(rest + 2) }
    markNoAuthority()
    if byte(rest) == ASCII.slash {
      layout.pathStart = mark
      return parsePath(rest + 1)
    }
    return parseOpaquePath(rest)
  }

  private mutating func parseWithoutScheme() -> Bool {
    guard let base else { return false }
    let start = input.startIndex
    if base.hasOpaquePath {
      guard byte(start) == ASCII.hash else { return false }
      copy(base, upTo: base.fragmentStart)
      return parseFragment(start)
    }
    layout.scheme = base.layout.scheme
    return layout.scheme == .file ? parseFile(start) : parseRelative(start, base)
  }

  func skippingSlashes(_ start: Int) -> Int {
    var index = start
    while isSlash(index) { index += 1 }
    return index
  }

  // MARK: Relative states

  /// Restarts the output with the base up to an offset, and with its layout.
  private mutating func copy(_ base: WebURL, upTo end: Int) {
    output.removeAll(keepingCapacity: true)
    output.append(contentsOf: base.utf8[..<end])
    layout = base.layout
  }

  /// Restarts the output with the base's path, without its last segment.
  private mutating func copyPath(_ base: WebURL) {
    copy(base, upTo: base.authorityEnd)
    layout.pathStart = mark
    output.append(contentsOf: base.utf8[base.pathRange])
    shortenPath()
  }

  private mutating func parseRelative(_ start: Int, _ base: WebURL) -> Bool {
    if let done = parseSameDocument(start, base) { return done }
    if isSlash(start) {
      if layout.scheme.isSpecial, isSlash(start + 1) {
        copy(base, upTo: base.schemeEnd + 1)
        return parseAuthority(skippingSlashes(start + 1))
      }
      if byte(start + 1) == ASCII.slash {
        copy(base, upTo: base.schemeEnd + 1)
        return parseAuthority(start + 2)
      }
      copy(base, upTo: base.authorityEnd)
      layout.pathStart = mark
      return parsePath(start + 1)
    }
    copyPath(base)
    return parsePath(start)
  }

  /// Handles references that keep the base's path: empty, `?query` and `#fragment`.
  private mutating func parseSameDocument(_ start: Int, _ base: WebURL) -> Bool? {
    switch byte(start) {
    case nil, ASCII.hash:
      copy(base, upTo: base.fragmentStart)
      return parseFragment(start)
    case ASCII.question:
      copy(base, upTo: base.queryStart)
      return parseTail(start)
    default:
      return nil
    }
  }

  // MARK: File states

  private mutating func parseFile(_ start: Int) -> Bool {
    let fileBase = base.flatMap { $0.layout.scheme == .file ? $0 : nil }
    if isSlash(start) {
      if isSlash(start + 1) {
        startFile()
        return parseFileHost(start + 2)
      }
      guard let fileBase else {
        startFile()
        return parseFilePath(start + 1)
      }
      copy(fileBase, upTo: fileBase.authorityEnd)
      layout.pathStart = mark
      if !DriveLetter.begins(input[(start + 1)...]),
        let drive = DriveLetter.firstSegment(ofPath: fileBase.utf8[fileBase.pathRange])
      {
        output.append(contentsOf: drive)
      }
      return parsePath(start + 1)
    }
    guard let fileBase else {
      startFile()
      return parseFilePath(start)
    }
    if let done = parseSameDocument(start, fileBase) { return done }
    if DriveLetter.begins(input[start...]) {
      copy(fileBase, upTo: fileBase.authorityEnd)
      layout.pathStart = mark
    } else {
      copyPath(fileBase)
    }
    return parsePath(start)
  }

  /// Restarts the output with `file://`.
  private mutating func startFile() {
    output = Array("file:".utf8)
    layout.schemeEnd = 4
    startAuthority()
    layout.hostKind = .empty
  }

  private mutating func parseFilePath(_ start: Int) -> Bool {
    layout.pathStart = mark
    return parsePath(start)
  }

  private mutating func parseFileHost(_ start: Int) -> Bool {
    let end = authorityEnd(from: start)
    if DriveLetter.isDriveLetter(input[start..<end]) { return parseFilePath(start) }
    guard appendFileHost(start..<end) else { return false }
    return parsePathStart(end)
  }

  // MARK: Query and fragment states

  /// Parses query and fragment, from `?`, `#` or the end.
  mutating func parseTail(_ start: Int) -> Bool {
    layout.queryStart = mark
    guard byte(start) == ASCII.question else { return parseFragment(start) }
    let end = input[start...].firstIndex(of: ASCII.hash) ?? input.endIndex
    output.append(ASCII.question)
    PercentEncoding.append(
      input[(start + 1)..<end],
      plain: layout.scheme.isSpecial ? .specialQuery : .query,
      to: &output
    )
    return parseFragment(end)
  }

  /// Parses the fragment, from `#` or the end.
  private mutating func parseFragment(_ start: Int) -> Bool {
    layout.fragmentStart = mark
    if byte(start) == ASCII.hash {
      output.append(ASCII.hash)
      PercentEncoding.append(input[(start + 1)...], plain: .fragment, to: &output)
    }
    return true
  }
}
