/// Patterns of `urlFilter` in WebKit's syntax.
struct URLPatterns {
  /// `||`: any scheme, and any labels in front.
  static let hostAnchor = #"^[^:]+://+([^:/]+\.)?"#
  /// What follows a host.
  static let hostEnd = "[/:]"
  /// What stands for everything.
  static let everything = ".*"

  /// The pattern.
  var pattern: String
  /// Whether the text is looked for behind the host alone, which may miss matches.
  var isBehindHost = false

  /// The pattern of a host and those below it.
  static func host(_ domain: String) -> String {
    // A numeric address has no names below it.
    let anchor = isAddress(domain) ? "^[^:]+://+" : hostAnchor
    return anchor + escaped(domain) + hostEnd
  }

  static func isAddress(_ domain: String) -> Bool {
    domain.hasPrefix("[") || domain.allSatisfy { $0.isNumber || $0 == "." }
  }

  private init(pattern: String, isBehindHost: Bool) {
    self.pattern = pattern
    self.isBehindHost = isBehindHost
  }

  /// The pattern of a `urlFilter`.
  init(filter: String, isCaseSensitive: Bool) {
    let parts = FilterParts(filter)
    pattern = ""
    switch parts.start {
    case .host: pattern = Self.hostAnchor
    case .url: pattern = "^"
    case .anywhere: break
    }
    var body = parts.body
    if parts.start == .url, body.first == "^" {
      // No URL begins with a separator. A pattern that may be empty would match every URL in WebKit.
      pattern += Self.separator(isCaseSensitive)
      body = body.dropFirst()
    }
    pattern += Self.body(body, endsURL: parts.endsURL, isCaseSensitive)
    if pattern.isEmpty { pattern = Self.everything }
  }

  /// The pattern of a `urlFilter` on a host and those below it; `nil` if both are never true of a
  /// URL, and if that cannot be told.
  init?(filter: String, on domain: String, isCaseSensitive: Bool) {
    let parts = FilterParts(filter)
    switch parts.start {
    case .url: return nil
    case .host:
      let name = String(parts.body.prefix { !"^*/:?".contains($0) })
      let rest = parts.body.dropFirst(name.count)
      guard let next = rest.first, "^/:".contains(next) else { return nil }
      if name == domain || name.hasSuffix("." + domain) {
        self.init(filter: filter, isCaseSensitive: isCaseSensitive)
      } else if domain.hasSuffix("." + name) {
        let narrowed = "||" + domain + rest + (parts.endsURL ? "|" : "")
        self.init(filter: narrowed, isCaseSensitive: isCaseSensitive)
      } else {
        return nil
      }
    case .anywhere:
      let body = Self.body(parts.body, endsURL: parts.endsURL, isCaseSensitive)
      // A body that begins with what may follow the host can stand right there.
      let behind =
        switch parts.body.first {
        case nil: Self.hostEnd
        case "/": "(:[0-9]+)?(/.*)?" + body
        default: "[/:].*" + body
        }
      let anchor = Self.isAddress(domain) ? "^[^:]+://+" : Self.hostAnchor
      self.init(
        pattern: anchor + Self.escaped(domain) + behind,
        isBehindHost: !Self.isOnlyBehindHosts(parts.body)
      )
    }
  }

  /// Whether a text can stand nowhere in a URL but behind its host.
  private static func isOnlyBehindHosts(_ body: Substring) -> Bool {
    guard let first = body.first else { return true }
    if "?=&".contains(first) { return true }
    guard first == "/" else { return false }
    // Behind a slash of the scheme stands the host, of which only the whole could precede these.
    let literal = body.dropFirst().prefix { !"*^".contains($0) }
    return literal.dropFirst().contains { "/?=&".contains($0) } && literal.first != "/"
      && !literal.prefix { $0 != "/" }.contains(".")
  }

  /// The pattern of a character that separates: neither letter nor digit, nor one of `_-.%`.
  private static func separator(_ isCaseSensitive: Bool) -> String {
    isCaseSensitive ? "[^a-zA-Z0-9_.%-]" : "[^a-z0-9_.%-]"
  }

  /// The pattern of what stands between anchors.
  private static func body(
    _ body: Substring,
    endsURL: Bool,
    _ isCaseSensitive: Bool
  ) -> String {
    let separator = separator(isCaseSensitive)
    var text = ""
    var rest = body
    while let next = rest.popFirst() {
      switch next {
      case "*":
        rest = rest.drop { $0 == "*" }
        if !rest.isEmpty || !endsURL { text += rest.isEmpty ? "" : everything }
        if rest.isEmpty, endsURL { return text }
      case "^":
        // At the end it stands for the end of the URL, too.
        guard rest.allSatisfy({ $0 == "*" }) else {
          text += separator
          continue
        }
        if endsURL, rest.isEmpty { return text + separator + "?$" }
        return text + "(\(separator).*)?$"
      default: text += escaped(String(next))
      }
    }
    return endsURL ? text + "$" : text
  }

  /// Plain text as a pattern.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if #"\^$.|?*+()[]{}"#.contains(character) { escaped += "\\" }
      escaped.append(character)
    }
    return escaped
  }
}

/// A `urlFilter` with its anchors apart.
struct FilterParts {
  enum Start { case anywhere, url, host }

  var start = Start.anywhere
  var endsURL = false
  var body: Substring

  init(_ filter: String) {
    body = filter[...]
    if body.hasPrefix("||") {
      start = .host
      body = body.dropFirst(2)
    } else if body.hasPrefix("|") {
      start = .url
      body = body.dropFirst()
    }
    if body.hasSuffix("|") {
      endsURL = true
      body = body.dropLast()
    }
    if start != .host, body.hasPrefix("*") {
      start = .anywhere
      body = body.drop { $0 == "*" }
    }
  }
}
