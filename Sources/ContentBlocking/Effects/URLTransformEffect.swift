public import ContentRules
public import WebURL

extension URLTransform {
  /// Returns the URL with its parts replaced by the transform's.
  ///
  /// Parts are replaced one after the other: fragment, host, password, path, port, query, scheme,
  /// user name. A part that the URL cannot have, such as a host with a space, or a port without a
  /// host, is left as it was.
  ///
  /// - Parameter url: The URL to start from.
  /// - Returns: The new URL; equal to the old one if nothing has changed.
  /// - Complexity: O(*n*), where *n* is the number of bytes of the URL and the parts.
  ///
  /// > Source: the rule language, section 3.2. WebKit: `URLTransformAction::applyToURL`, `URL`.
  ///
  /// > Deviation: In WebKit an impossible part can leave an invalid URL, and the load fails.
  public func apply(to url: WebURL) -> WebURL {
    var url = url
    if let fragment { url.setFragment(fragment.utf8.isEmpty ? nil : fragment) }
    if let host { url.replaceHost(with: host) }
    if let password { url.setPassword(password) }
    if let path { url.setPath(path) }
    switch port {
    case .remove: url.setPort(nil)
    case .set(let number): url.setPort(number)
    case nil: break
    }
    if let queryTransform {
      queryTransform.apply(to: &url)
    } else if let query {
      if query.utf8.isEmpty { url.setQuery(nil) } else { url.replaceQuery(with: query) }
    }
    if let scheme { url.replaceScheme(with: scheme) }
    if let username { url.setUsername(username) }
    return url
  }
}

// WebKit's setters differ from those of the URL standard: they insert the new text into the
// serialised URL and parse it again.
extension WebURL {
  /// Replaces the query by a text that may contain a fragment.
  ///
  /// A `#` in the text ends the query; what follows it goes before the old fragment, whose own `#`
  /// then is part of the fragment.
  mutating func replaceQuery(with text: String) {
    let bytes = Array(text.utf8)
    guard let hash = bytes.firstIndex(of: UInt8(ascii: "#")) else { return setQuery(text) }
    let oldFragment = fragment.map { "#" + $0 } ?? ""
    setQuery(String(decoding: bytes[..<hash], as: UTF8.self))
    setFragment(String(decoding: bytes[hash...], as: UTF8.self) + oldFragment)
  }

  /// Replaces the host by what of a text is in front of a slash, query or fragment.
  ///
  /// Of a special URL that loses its host so, the first part of the path becomes the host, as where a text has more
  /// slashes than two.
  mutating func replaceHost(with text: String) {
    let isEmpty = text.utf8.first.map { "/?#".utf8.contains($0) || isSpecial && $0 == 0x5C } ?? true
    guard isEmpty, isSpecial, scheme != "file" else {
      setHost(text)
      return
    }
    let rest = utf8[hostRange.upperBound...]
    if let url = WebURL(utf8: Array(utf8[..<hostRange.lowerBound]) + rest) { self = url }
  }

  /// Replaces the scheme; a special one by a special one alone, and another by another.
  mutating func replaceScheme(with scheme: String) {
    // A local host is none in a file's URL, which is found when it is read again.
    if setScheme(scheme), scheme == "file", let url = WebURL(utf8: Array(utf8)) { self = url }
  }
}
