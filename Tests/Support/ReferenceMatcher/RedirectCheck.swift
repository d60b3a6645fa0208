/// Checks the inner form of a `redirect`.
///
/// > Source: The rule language, sections 3.2 and 4.
struct RedirectCheck {
  /// Gives the scheme of a valid absolute URL, and nil for any other text.
  let schemeOfURL: (String) -> String?

  /// Throws the first error of a redirect's member that counts.
  func check(_ redirect: JSONValue) throws {
    let members = redirect.object ?? [:]
    if let path = members["extension-path"]?.string, !path.hasPrefix("/") {
      throw ReferenceRefusal(name: "JSONRedirectExtensionPathDoesNotStartWithSlash")
    }
    if let url = members["url"]?.string {
      guard let scheme = schemeOfURL(url) else {
        throw ReferenceRefusal(name: "JSONRedirectURLInvalid")
      }
      if scheme == "javascript" { throw ReferenceRefusal(name: "JSONRedirectToJavaScriptURL") }
    }
    if let transform = members["transform"]?.object { try check(transform: transform) }
  }

  private func check(transform: [String: JSONValue]) throws {
    if let fragment = transform["fragment"]?.string, !fragment.isEmpty, !fragment.hasPrefix("#") {
      throw ReferenceRefusal(name: "JSONRedirectInvalidFragment")
    }
    if let port = transform["port"]?.string, !port.isEmpty, !isPort(port) {
      throw ReferenceRefusal(name: "JSONRedirectInvalidPort")
    }
    if let query = transform["query-transform"]?.object {
      try check(queryTransform: query)
    } else if let query = transform["query"]?.string, !query.isEmpty, !query.hasPrefix("?") {
      throw ReferenceRefusal(name: "JSONRedirectInvalidQuery")
    }
    if let scheme = transform["scheme"]?.string {
      let letters = scheme.unicodeScalars
      guard let first = letters.first, first.isASCIILetter,
        letters.allSatisfy({ $0.isASCIILetter || $0.digit != nil || "+-.".contains(Character($0)) })
      else { throw ReferenceRefusal(name: "JSONRedirectURLSchemeInvalid") }
      if scheme.lowercased() == "javascript" {
        throw ReferenceRefusal(name: "JSONRedirectToJavaScriptURL")
      }
    }
  }

  /// Whether a text is a decimal number up to 65535, perhaps with white space around and a plus.
  private func isPort(_ text: String) -> Bool {
    var digits = Substring(text)
    while let first = digits.first, first.isWhitespace { digits.removeFirst() }
    while let last = digits.last, last.isWhitespace { digits.removeLast() }
    if digits.first == "+" { digits.removeFirst() }
    guard digits.unicodeScalars.allSatisfy({ $0.digit != nil }), let port = Int(digits) else {
      return false
    }
    return port <= 65_535
  }

  private func check(queryTransform: [String: JSONValue]) throws {
    if let removed = queryTransform["remove-parameters"] {
      guard let names = removed.array, names.allSatisfy({ $0.string != nil }) else {
        throw ReferenceRefusal(name: "JSONRemoveParametersNotStringArray")
      }
    }
    guard let added = queryTransform["add-or-replace-parameters"] else { return }
    guard let parameters = added.array else {
      throw ReferenceRefusal(name: "JSONAddOrReplaceParametersNotArray")
    }
    for parameter in parameters {
      guard let fields = parameter.object else {
        throw ReferenceRefusal(name: "JSONAddOrReplaceParametersKeyValueNotADictionary")
      }
      guard fields["key"]?.string != nil else {
        throw ReferenceRefusal(name: "JSONAddOrReplaceParametersKeyValueMissingKeyString")
      }
      guard fields["value"]?.string != nil else {
        throw ReferenceRefusal(name: "JSONAddOrReplaceParametersKeyValueMissingValueString")
      }
    }
  }
}
