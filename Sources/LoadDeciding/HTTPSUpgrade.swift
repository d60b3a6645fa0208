public import WebURL

/// Returns the URL that a `make-https` action upgrades a URL to.
///
///     WebURL("http://example.com/").flatMap(upgradedToHTTPS)     // https://example.com/
///     WebURL("http://example.com:81/").flatMap(upgradedToHTTPS)  // nil
///
/// - Parameter url: The URL of the load. IP addresses and `localhost` are upgraded like any host.
/// - Returns: The same URL with `https` for `http`, or `wss` for `ws`; `nil` if it has another
///   scheme or a port. The parser has already removed a port that is the scheme's default.
/// - Complexity: O(*n*), where *n* is the number of bytes.
///
/// > Source: the rule language, section 8, "make-https". WebKit: `MakeHTTPSAction`.
public func upgradedToHTTPS(_ url: WebURL) -> WebURL? {
  guard url.port == nil else { return nil }
  let scheme: String
  switch url.scheme {
  case "http": scheme = "https"
  case "ws": scheme = "wss"
  default: return nil
  }
  var upgraded = url
  return upgraded.setScheme(scheme) ? upgraded : nil
}
