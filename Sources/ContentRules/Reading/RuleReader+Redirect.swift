/// Reads a redirect.
///
/// > Source: the rule language, section 3.2. WebKit: `RedirectAction::parse`.
extension RuleReader {
  /// Reads the `redirect` of an action; `nil` after reporting an error.
  mutating func readRedirect(
    _ text: Span<UInt8>,
    _ index: Int,
    _ members: Members
  ) -> Redirect? {
    guard let redirect = members[ActionKey.redirect], node(redirect).kind == .object else {
      reportMissing(
        text,
        .redirectMissing,
        members[ActionKey.redirect],
        of: index,
        "a redirect action needs an object redirect"
      )
      return nil
    }
    let members = self.members(text, of: redirect, vocabulary.redirectKeys)
    // The first key with the right type wins; the others are ignored.
    for (place, kind) in [JSONNode.Kind.string, .string, .object, .string].enumerated() {
      guard let value = members[place] else { continue }
      guard node(value).kind == kind else {
        reportIgnored(
          text,
          value,
          vocabulary.redirectKeys.words[place],
          expected: kind == .object ? "an object" : "a string"
        )
        continue
      }
      switch place {
      case 0: return readExtensionPath(text, value)
      case 1: return .regexSubstitution(string(text, value))
      case 2: return readTransform(text, value).map { .transform($0) }
      default: return readRedirectURL(text, value)
      }
    }
    report(
      text,
      .redirectInvalidType,
      at: redirect,
      range: opening(redirect),
      "a redirect needs extension-path, regex-substitution, transform or url"
    )
    return nil
  }

  private mutating func readExtensionPath(_ text: Span<UInt8>, _ value: Int) -> Redirect? {
    let path = string(text, value)
    guard path.utf8.first == UInt8(ascii: "/") else {
      report(
        text,
        .redirectExtensionPathWithoutSlash,
        at: value,
        "extension-path must begin with '/'"
      )
      return nil
    }
    return .extensionPath(path)
  }

  private mutating func readRedirectURL(_ text: Span<UInt8>, _ value: Int) -> Redirect? {
    let url = string(text, value)
    guard let scheme = options.schemeOfURL(url) else {
      report(
        text,
        .redirectURLInvalid,
        at: value,
        "url must be a valid absolute URL",
        hint: url.utf8.first == UInt8(ascii: "/") ? "a path can go into transform.path" : nil
      )
      return nil
    }
    guard scheme.lowercased() != "javascript" else {
      report(
        text,
        .redirectToJavaScriptURL,
        at: value,
        "a redirect must not lead to a javascript: URL"
      )
      return nil
    }
    return .url(url)
  }

  /// Reads a transform in WebKit's order.
  private mutating func readTransform(_ text: Span<UInt8>, _ index: Int) -> URLTransform? {
    let errors = diagnostics.errorCount
    let members = self.members(text, of: index, vocabulary.transformKeys)
    var transform = URLTransform()
    transform.fragment = readPrefixed(text, members[0], "#", .redirectFragmentInvalid, "fragment")
    transform.host = readString(text, members[1], "host")
    transform.password = readString(text, members[2], "password")
    transform.path = readString(text, members[3], "path")
    transform.port = readPort(text, members[4])
    transform.scheme = readScheme(text, members[7])
    transform.username = readString(text, members[8], "username")
    if let value = members[6], node(value).kind == .object {
      transform.queryTransform = readQueryTransform(text, value)
    } else {
      if let value = members[6] {
        reportIgnored(text, value, "query-transform", expected: "an object")
      }
      transform.query = readPrefixed(text, members[5], "?", .redirectQueryInvalid, "query")
    }
    return errors == diagnostics.errorCount ? transform : nil
  }

  /// Returns the text of an optional string; another type counts as missing.
  private mutating func readString(
    _ text: Span<UInt8>,
    _ value: Int?,
    _ key: String
  ) -> String? {
    guard let value else { return nil }
    guard node(value).kind == .string else {
      reportIgnored(text, value, key, expected: "a string")
      return nil
    }
    return string(text, value)
  }

  /// Returns the text of a string that must be empty or begin with a mark.
  private mutating func readPrefixed(
    _ text: Span<UInt8>,
    _ value: Int?,
    _ mark: String,
    _ code: DiagnosticCode,
    _ key: String
  ) -> String? {
    guard let value, let string = readString(text, value, key) else { return nil }
    guard string.isEmpty || string.utf8.first == mark.utf8.first else {
      report(
        text,
        code,
        at: value,
        "\(key) must be empty or begin with '\(mark)'",
        hint: "write \"\(mark)\(text.excerpt(node(value).contents))\""
      )
      return nil
    }
    return string
  }

  private mutating func readPort(_ text: Span<UInt8>, _ value: Int?) -> URLTransform.Port? {
    guard let value, let string = readString(text, value, "port") else { return nil }
    if string.isEmpty { return .remove }
    guard let port = Self.port(string) else {
      report(
        text,
        .redirectPortInvalid,
        at: value,
        "port must be empty or a number from 0 to 65535"
      )
      return nil
    }
    return .set(port)
  }

  /// Returns a port as WebKit's integer parser reads it: white space around it, a plus sign,
  /// digits.
  static func port(_ string: String) -> UInt16? {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    var digits = Array(string.utf8)[...]
    while let byte = digits.first, isSpace(byte) { digits.removeFirst() }
    while let byte = digits.last, isSpace(byte) { digits.removeLast() }
    if digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    guard !digits.isEmpty else { return nil }
    var port: UInt32 = 0
    for byte in digits {
      guard byte.isDigit else { return nil }
      port = port * 10 + UInt32(byte - UInt8(ascii: "0"))
      guard port <= UInt16.max else { return nil }
    }
    return UInt16(port)
  }

  private mutating func readScheme(_ text: Span<UInt8>, _ value: Int?) -> String? {
    guard let value, let string = readString(text, value, "scheme") else { return nil }
    guard let scheme = URLSyntax.canonicalScheme(string.utf8) else {
      report(
        text,
        .redirectSchemeInvalid,
        at: value,
        "scheme must be a letter, then letters, digits,"
          + " '+', '-' or '.'",
        hint: "write the scheme without \"://\""
      )
      return nil
    }
    guard scheme != "javascript" else {
      report(
        text,
        .redirectToJavaScriptURL,
        at: value,
        "a redirect must not lead to a javascript: URL"
      )
      return nil
    }
    return scheme
  }

  private mutating func readQueryTransform(_ text: Span<UInt8>, _ index: Int) -> QueryTransform {
    let members = self.members(text, of: index, vocabulary.queryTransformKeys)
    var transform = QueryTransform()
    if let array = members[0] {
      if node(array).kind == .array {
        for element in elements(of: array) {
          if node(element).kind == .string {
            transform.removeParameters.append(string(text, element))
          } else {
            report(
              text,
              .removeParametersNotStrings,
              at: element,
              "remove-parameters holds strings, not \(node(element).description)"
            )
          }
        }
      } else {
        report(
          text,
          .removeParametersNotStrings,
          at: array,
          "remove-parameters must be an array, not \(node(array).description)"
        )
      }
    }
    if let array = members[1] {
      if node(array).kind == .array {
        for element in elements(of: array) {
          if let parameter = readParameter(text, element) {
            transform.addOrReplaceParameters.append(parameter)
          }
        }
      } else {
        report(
          text,
          .addOrReplaceNotAnArray,
          at: array,
          "add-or-replace-parameters must be an array, not \(node(array).description)"
        )
      }
    }
    return transform
  }

  private mutating func readParameter(_ text: Span<UInt8>, _ index: Int) -> QueryKeyValue? {
    guard node(index).kind == .object else {
      report(
        text,
        .addOrReplaceNotAnObject,
        at: index,
        "a parameter must be an object, not \(node(index).description)"
      )
      return nil
    }
    let members = self.members(text, of: index, vocabulary.parameterKeys)
    guard let key = members[0], node(key).kind == .string else {
      reportMissing(
        text,
        .addOrReplaceWithoutKey,
        members[0],
        of: index,
        "a parameter needs a string key"
      )
      return nil
    }
    guard let value = members[1], node(value).kind == .string else {
      reportMissing(
        text,
        .addOrReplaceWithoutValue,
        members[1],
        of: index,
        "a parameter needs a string value"
      )
      return nil
    }
    if let flag = members[2], node(flag).kind != .true, node(flag).kind != .false {
      reportIgnored(text, flag, "replace-only", expected: "a boolean")
    }
    return QueryKeyValue(
      key: string(text, key),
      isReplaceOnly: members[2].map { node($0).kind == .true } ?? false,
      value: string(text, value)
    )
  }
}
