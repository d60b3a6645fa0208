// The setters of the URL standard's API, as methods that return whether they did anything. The URL
// stays valid in any case, and unchanged if a method returns `false`.

extension WebURL {
  /// Replaces the scheme.
  ///
  /// A special scheme can only be replaced by a special one, and any other only by one that is not
  /// special. A port that is the default of the new scheme is removed.
  ///
  /// - Parameter text: The new scheme; what follows a colon is ignored.
  /// - Returns: `false`, with the URL unchanged, if the text is not a scheme, if only one of the
  ///   two schemes is special, if the new one is `file` but the URL has credentials or a port, or
  ///   if the old one is `file` and the host is empty.
  ///
  /// > Source: URL standard, "URL class", `protocol`.
  @discardableResult
  public mutating func setScheme(_ text: String) -> Bool {
    let scheme = Self.stripped(text).prefix { $0 != ASCII.colon }.map(ASCII.lowercased)
    guard let first = scheme.first, ASCII.isLetter(first),
      scheme.allSatisfy({ ByteSet.scheme.contains($0) })
    else { return false }
    let kind = SchemeKind(scheme.span)
    guard kind.isSpecial == isSpecial else { return false }
    if kind == .file, hasCredentials || port != nil { return false }
    if layout.scheme == .file, hostKind == .empty { return false }
    var front = Front(self)
    front.scheme = scheme
    front.kind = kind
    if front.port == kind.defaultPort { front.port = nil }
    replaceFront(front)
    return true
  }

  /// Replaces the user name; an empty text removes it.
  ///
  /// - Parameter text: The new user name; what must be percent-encoded will be.
  /// - Returns: `false`, with the URL unchanged, if the URL has no host, an empty host, or the
  ///   scheme `file`.
  @discardableResult
  public mutating func setUsername(_ text: String) -> Bool {
    guard canHaveCredentialsAndPort else { return false }
    var front = Front(self)
    front.username = []
    PercentEncoding.append(Array(text.utf8)[...], plain: .userinfo, to: &front.username)
    replaceFront(front)
    return true
  }

  /// Replaces the password; an empty text removes it.
  ///
  /// - Parameter text: The new password; what must be percent-encoded will be.
  /// - Returns: `false`, with the URL unchanged, if the URL has no host, an empty host, or the
  ///   scheme `file`.
  @discardableResult
  public mutating func setPassword(_ text: String) -> Bool {
    guard canHaveCredentialsAndPort else { return false }
    var front = Front(self)
    front.password = []
    PercentEncoding.append(Array(text.utf8)[...], plain: .userinfo, to: &front.password)
    replaceFront(front)
    return true
  }

  /// Replaces the host.
  ///
  /// - Parameter text: The new host, an IPv6 address in brackets; what follows `/`, `?` or `#` (or
  ///   a backslash, if the scheme is special) is ignored.
  /// - Returns: `false`, with the URL unchanged, if the path is opaque, if the text is not a valid
  ///   host or contains a port, or if it is empty while the scheme is special and not `file`, or
  ///   while the URL has credentials or a port.
  ///
  /// > Source: URL standard, "URL class", `hostname`.
  @discardableResult
  public mutating func setHost(_ text: String) -> Bool {
    guard !hasOpaquePath else { return false }
    let parser = URLParser(component: Self.stripped(text), scheme: layout.scheme)
    let host = parser.input[..<parser.authorityEnd(from: parser.input.startIndex)]
    var front = Front(self)
    front.host = []
    front.hostKind = .empty
    if layout.scheme != .file, URLParser.hostEnd(host) < host.endIndex { return false }
    if host.isEmpty {
      if layout.scheme != .file, isSpecial || hasCredentials || port != nil { return false }
    } else {
      guard let kind = HostParser.append(host, isOpaque: !isSpecial, to: &front.host) else {
        return false
      }
      if layout.scheme == .file, front.host.elementsEqual("localhost".utf8) {
        front.host = []
      } else {
        front.hostKind = kind
      }
    }
    replaceFront(front)
    return true
  }

  /// Replaces the port, or removes it.
  ///
  /// - Parameter port: The new port; `nil` and the default port of the scheme leave none.
  /// - Returns: `false`, with the URL unchanged, if the URL has no host, an empty host, or the
  ///   scheme `file`.
  @discardableResult
  public mutating func setPort(_ port: UInt16?) -> Bool {
    guard canHaveCredentialsAndPort else { return false }
    var front = Front(self)
    front.port = port == layout.scheme.defaultPort ? nil : port
    replaceFront(front)
    return true
  }

  /// Replaces the path.
  ///
  /// A missing slash in front is added and dot segments are resolved, as in parsing; `?` and `#`
  /// are percent-encoded.
  ///
  /// - Parameter text: The new path.
  /// - Returns: `false`, with the URL unchanged, if the path is opaque.
  ///
  /// > Source: URL standard, "URL class", `pathname`.
  @discardableResult
  public mutating func setPath(_ text: String) -> Bool {
    guard !hasOpaquePath else { return false }
    var path: [UInt8] = []
    for byte in Self.stripped(text) {
      if byte == ASCII.question || byte == ASCII.hash {
        PercentEncoding.append(byte, to: &path)
      } else {
        path.append(byte)
      }
    }
    var parser = URLParser(component: path[...], scheme: layout.scheme)
    parser.output = Array(utf8[..<authorityEnd])
    parser.layout = layout
    parser.parseReplacedPath()
    replaceTail(parser, utf8[queryStart...], fragmentOffset: fragmentStart - queryStart)
    return true
  }

  /// Replaces the query, or removes it.
  ///
  /// - Parameter text: The new query, without or with a `?` in front; an empty text leaves the `?`
  ///   alone in the URL, `nil` leaves nothing.
  ///
  /// > Source: URL standard, "URL class", `search`.
  /// > Deviation: There an empty text stands for `nil`.
  public mutating func setQuery(_ text: String?) {
    var query: [UInt8] = []
    if let text {
      query.append(ASCII.question)
      PercentEncoding.append(
        Self.stripped(text, prefix: ASCII.question),
        plain: isSpecial ? .specialQuery : .query,
        to: &query
      )
    }
    utf8.replaceSubrange(queryStart..<fragmentStart, with: query)
    layout.fragmentStart = UInt32(clamping: queryStart + query.count)
  }

  /// Replaces the fragment, or removes it.
  ///
  /// - Parameter text: The new fragment, without or with a `#` in front; an empty text leaves the
  ///   `#` alone in the URL, `nil` leaves nothing.
  ///
  /// > Source: URL standard, "URL class", `hash`.
  /// > Deviation: There an empty text stands for `nil`.
  public mutating func setFragment(_ text: String?) {
    utf8.removeSubrange(fragmentStart...)
    guard let text else { return }
    utf8.append(ASCII.hash)
    PercentEncoding.append(Self.stripped(text, prefix: ASCII.hash), plain: .fragment, to: &utf8)
  }
}

extension WebURL {
  private var hasCredentials: Bool {
    layout.usernameStart < layout.hostStart
  }

  private var canHaveCredentialsAndPort: Bool {
    hostKind != .none && hostKind != .empty && layout.scheme != .file
  }

  /// Returns the bytes of a setter's text without tabs and line breaks, and without a prefix.
  private static func stripped(_ text: String, prefix: UInt8? = nil) -> ArraySlice<UInt8> {
    let bytes = Array(text.utf8)
    let hasPrefix = prefix != nil && bytes.first == prefix
    return URLParser.withoutLineBreaks(hasPrefix ? bytes.dropFirst() : bytes[...])
  }

  /// Everything before the path.
  private struct Front {
    var scheme: [UInt8]
    var kind: SchemeKind
    var username: [UInt8]
    var password: [UInt8]
    var host: [UInt8]
    var hostKind: HostKind
    var port: UInt16?

    init(_ url: WebURL) {
      scheme = Array(url.utf8[url.schemeRange])
      kind = url.layout.scheme
      username = Array(url.utf8[url.usernameRange])
      password = Array(url.utf8[url.passwordRange])
      host = Array(url.utf8[url.hostRange])
      hostKind = url.hostKind
      port = url.port
    }
  }

  /// Rebuilds the URL with other components before the path.
  private mutating func replaceFront(_ front: Front) {
    var parser = URLParser(component: [], scheme: front.kind)
    parser.layout.hasOpaquePath = layout.hasOpaquePath
    parser.output = front.scheme
    parser.layout.schemeEnd = parser.mark
    parser.output.append(ASCII.colon)
    parser.writeAuthority(
      username: front.username,
      password: front.password,
      host: front.hostKind == .none ? nil : (front.host, front.hostKind),
      port: front.port
    )
    parser.layout.pathStart = parser.mark
    parser.output.append(contentsOf: utf8[pathRange])
    parser.separatePathFromScheme()
    replaceTail(parser, utf8[queryStart...], fragmentOffset: fragmentStart - queryStart)
  }

  /// Uses a parser's output up to the path, and keeps query and fragment.
  private mutating func replaceTail(
    _ parser: URLParser,
    _ tail: ArraySlice<UInt8>,
    fragmentOffset: Int
  ) {
    layout = parser.layout
    layout.queryStart = parser.mark
    layout.fragmentStart = UInt32(clamping: parser.output.count + fragmentOffset)
    utf8 = parser.output + tail
  }
}
