// The authority, host and port states of the parser.

extension URLParser {
  /// Marks a URL without a host; the output must end in the scheme's colon.
  mutating func markNoAuthority() {
    layout.usernameStart = mark
    layout.usernameEnd = mark
    layout.hostStart = mark
    layout.hostEnd = mark
    layout.hostKind = .none
    layout.hasPort = false
    layout.hasOpaquePath = false
  }

  /// Writes the two slashes and marks an empty host behind them.
  mutating func startAuthority() {
    output.append(ASCII.slash)
    output.append(ASCII.slash)
    markNoAuthority()
  }

  /// Writes components that are already serialised, behind the scheme's colon.
  mutating func writeAuthority(
    username: [UInt8],
    password: [UInt8],
    host: (text: [UInt8], kind: WebURL.HostKind)?,
    port: UInt16?
  ) {
    let hasOpaquePath = layout.hasOpaquePath
    defer { layout.hasOpaquePath = hasOpaquePath }
    guard let host else { return markNoAuthority() }
    startAuthority()
    output.append(contentsOf: username)
    layout.usernameEnd = mark
    if !password.isEmpty {
      output.append(ASCII.colon)
      output.append(contentsOf: password)
    }
    if mark > layout.usernameStart { output.append(ASCII.at) }
    layout.hostStart = mark
    output.append(contentsOf: host.text)
    layout.hostEnd = mark
    layout.hostKind = host.kind
    if let port { write(port: port) }
  }

  private mutating func write(port: UInt16) {
    layout.port = port
    layout.hasPort = true
    output.append(ASCII.colon)
    output.append(contentsOf: String(port).utf8)
  }

  /// Authority state: credentials, host and port, then the path.
  mutating func parseAuthority(_ start: Int) -> Bool {
    startAuthority()
    let end = authorityEnd(from: start)
    var hostStart = start
    if let at = input[start..<end].lastIndex(of: ASCII.at) {
      appendCredentials(start..<at)
      hostStart = at + 1
      // Credentials need a host, even if a host may otherwise be empty.
      guard hostStart < end else { return false }
    }
    guard parseHostAndPort(hostStart..<end) else { return false }
    return parsePathStart(end)
  }

  private mutating func appendCredentials(_ range: Range<Int>) {
    let colon = input[range].firstIndex(of: ASCII.colon) ?? range.upperBound
    PercentEncoding.append(input[range.lowerBound..<colon], plain: .userinfo, to: &output)
    layout.usernameEnd = mark
    if colon + 1 < range.upperBound {
      output.append(ASCII.colon)
      PercentEncoding.append(input[(colon + 1)..<range.upperBound], plain: .userinfo, to: &output)
    }
    if mark > layout.usernameStart { output.append(ASCII.at) }
  }

  /// Host and port states.
  private mutating func parseHostAndPort(_ range: Range<Int>) -> Bool {
    let hostEnd = Self.hostEnd(input[range])
    let hasColon = hostEnd < range.upperBound
    layout.hostStart = mark
    if hostEnd == range.lowerBound {
      guard !hasColon, !layout.scheme.isSpecial else { return false }
      layout.hostKind = .empty
    } else {
      let text = input[range.lowerBound..<hostEnd]
      guard
        let kind = HostParser.append(text, isOpaque: !layout.scheme.isSpecial, to: &output)
      else { return false }
      layout.hostKind = kind
    }
    layout.hostEnd = mark
    return !hasColon || parsePort(input[(hostEnd + 1)..<range.upperBound])
  }

  /// Returns the index of the colon before the port, or the end; colons in brackets belong to the
  /// host.
  static func hostEnd(_ text: ArraySlice<UInt8>) -> Int {
    var isInsideBrackets = false
    for index in text.indices {
      switch text[index] {
      case ASCII.colon where !isInsideBrackets: return index
      case ASCII.openBracket: isInsideBrackets = true
      case ASCII.closeBracket: isInsideBrackets = false
      default: break
      }
    }
    return text.endIndex
  }

  private mutating func parsePort(_ digits: ArraySlice<UInt8>) -> Bool {
    var value = 0
    for digit in digits {
      guard ASCII.isDigit(digit) else { return false }
      value = value * 10 + Int(digit - ASCII.zero)
      guard value <= 65535 else { return false }
    }
    let port = UInt16(truncatingIfNeeded: value)
    guard !digits.isEmpty, port != layout.scheme.defaultPort else { return true }
    write(port: port)
    return true
  }

  /// Appends the host of a file URL, which may be empty and is empty for `localhost`.
  mutating func appendFileHost(_ range: Range<Int>) -> Bool {
    startFileHost()
    guard !range.isEmpty else { return true }
    let start = output.count
    guard let kind = HostParser.append(input[range], isOpaque: false, to: &output) else {
      return false
    }
    if output[start...].elementsEqual("localhost".utf8) {
      output.removeSubrange(start...)
    } else {
      layout.hostKind = kind
    }
    layout.hostEnd = mark
    return true
  }

  private mutating func startFileHost() {
    layout.hostStart = mark
    layout.hostEnd = mark
    layout.hostKind = .empty
  }
}
