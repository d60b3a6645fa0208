extension WebURL {
  /// What kind of host a URL has.
  public enum HostKind: UInt8, Hashable, Sendable {
    /// No host at all, as in `data:text/plain,hello`.
    case none
    /// A host without text, as in `file:///etc/motd`.
    case empty
    /// A domain in ASCII form, of a URL with a special scheme.
    case domain
    /// An IPv4 address in four decimal parts.
    case ipv4
    /// An IPv6 address in brackets.
    case ipv6
    /// The host of a URL whose scheme is not special; its text has no further meaning.
    case opaque
  }
}

extension WebURL {
  /// The serialised URL: the standard's URL serialiser.
  ///
  /// - Complexity: O(*n*); makes a string. ``utf8`` costs nothing.
  public var serialized: String {
    text(0..<utf8.count)
  }

  /// The serialised URL without `#` and what follows it.
  public var serializedWithoutFragment: String {
    text(0..<fragmentStart)
  }

  /// The bytes of ``utf8`` that come before the fragment.
  public var rangeWithoutFragment: Range<Int> {
    0..<fragmentStart
  }

  /// The scheme in lower case, without its colon.
  public var scheme: String {
    text(schemeRange)
  }

  /// The bytes of the scheme in ``utf8``.
  public var schemeRange: Range<Int> {
    0..<schemeEnd
  }

  /// Whether the scheme is http, https, ws, wss, ftp or file.
  public var isSpecial: Bool {
    layout.scheme.isSpecial
  }

  /// The user name, percent-encoded; empty if there is none.
  public var username: String {
    text(Int(layout.usernameStart)..<Int(layout.usernameEnd))
  }

  /// The password, percent-encoded; empty if there is none.
  public var password: String {
    text(passwordRange)
  }

  /// The kind of ``host``.
  public var hostKind: HostKind {
    layout.hostKind
  }

  /// The serialised host, an IPv6 address in brackets; `nil` if the URL has no host.
  public var host: String? {
    layout.hostKind == .none ? nil : text(hostRange)
  }

  /// The bytes of the host in ``utf8``; empty if it has no text or does not exist.
  public var hostRange: Range<Int> {
    hostStart..<hostEnd
  }

  /// The port, unless it is the default port of the scheme.
  public var port: UInt16? {
    layout.hasPort ? layout.port : nil
  }

  /// The path, percent-encoded; it begins with `/` unless it is empty or opaque.
  public var path: String {
    text(pathRange)
  }

  /// The bytes of the path in ``utf8``.
  public var pathRange: Range<Int> {
    pathStart..<queryStart
  }

  /// Whether the path is one opaque text, as in `mailto:someone`, and not a list of segments.
  public var hasOpaquePath: Bool {
    layout.hasOpaquePath
  }

  /// The query, percent-encoded and without its `?`; `nil` if there is none.
  public var query: String? {
    queryRange.map(text)
  }

  /// The bytes of the query in ``utf8``, without its `?`; `nil` if there is none.
  public var queryRange: Range<Int>? {
    queryStart < fragmentStart ? queryStart + 1..<fragmentStart : nil
  }

  /// The fragment, percent-encoded and without its `#`; `nil` if there is none.
  public var fragment: String? {
    fragmentRange.map(text)
  }

  /// The bytes of the fragment in ``utf8``, without its `#`; `nil` if there is none.
  public var fragmentRange: Range<Int>? {
    fragmentStart < utf8.count ? fragmentStart + 1..<utf8.count : nil
  }

  /// The serialised origin: scheme, host and port; `null` if the origin is opaque.
  ///
  /// The origin of a `blob:` URL is that of the http or https URL within it. A `file:` URL has an
  /// opaque origin.
  ///
  /// > Source: URL standard, "Origin".
  public var origin: String {
    switch layout.scheme {
    case .http, .https, .ws, .wss, .ftp:
      return text(0..<schemeEnd) + "://" + text(hostStart..<pathStart)
    case .file:
      return "null"
    case .other:
      guard scheme == "blob", let inner = WebURL(utf8: Array(utf8[pathRange])) else {
        return "null"
      }
      return inner.layout.scheme == .http || inner.layout.scheme == .https ? inner.origin : "null"
    }
  }
}

// Offsets as integers of the machine.
extension WebURL {
  var schemeEnd: Int { Int(layout.schemeEnd) }
  var hostStart: Int { Int(layout.hostStart) }
  var hostEnd: Int { Int(layout.hostEnd) }
  var pathStart: Int { Int(layout.pathStart) }
  var queryStart: Int { Int(layout.queryStart) }
  var fragmentStart: Int { Int(layout.fragmentStart) }

  var usernameRange: Range<Int> {
    Int(layout.usernameStart)..<Int(layout.usernameEnd)
  }

  var passwordRange: Range<Int> {
    let end = Int(layout.usernameEnd)
    return end + 1 < hostStart && utf8[end] == ASCII.colon ? end + 1..<hostStart - 1 : end..<end
  }

  /// The end of scheme, credentials, host and port; "/." before the path is left out.
  var authorityEnd: Int {
    layout.hostKind == .none ? hostEnd : pathStart
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: utf8[range], as: UTF8.self)
  }
}
