internal import CurlTransfers
internal import WebURL

/// Addresses of feeds, pages, links and icons: http and https only.
///
/// Any other scheme that a feed names (`javascript:`, `data:`, `file:`, `ftp:`) counts as a missing
/// address, so that the stream can open nothing but the web.
public enum LinkAddress {
  /// Resolves an address by the URL standard.
  ///
  /// - Parameters:
  ///   - text: The address, absolute or relative; surrounding white space is ignored.
  ///   - base: The address that relative ones are resolved against.
  ///   - limit: The longest address accepted, in bytes.
  /// - Returns: The serialised URL, or nil unless it is http or https, has a host, and has neither
  ///   user name nor password.
  public static func resolve(_ text: String, base: String? = nil, limit: Int = 4_096) -> String? {
    guard !text.isEmpty, text.utf8.count <= limit else { return nil }
    let base = base.flatMap { WebURL($0) }
    guard let url = WebURL(text, base: base), isWeb(url), url.utf8.count <= limit * 3 else {
      return nil
    }
    return url.serialized
  }

  /// Normalizes an address that a person typed: https is added where the scheme is missing, and
  /// `feed:` is dropped.
  ///
  /// - Throws: ``LinkError`` with code `.badAddress`.
  public static func typed(_ text: String) throws -> String {
    var text = text.trimmingWhitespace()
    for prefix in ["feed://", "feeds://"] where text.lowercased().hasPrefix(prefix) {
      text = (prefix == "feeds://" ? "https://" : "http://") + text.dropFirst(prefix.count)
    }
    if text.lowercased().hasPrefix("feed:") { text = String(text.dropFirst("feed:".count)) }
    if text.isEmpty {
      throw LinkError(.badAddress, "the address is empty; give one of a feed or page")
    }
    if let address = resolve(text) { return address }
    if let url = WebURL(text), url.host != nil || !text.contains(".") {
      if !url.username.isEmpty || !url.password.isEmpty {
        throw LinkError(
          .badAddress,
          "an address with a user name or password is not taken, since they would be kept in plain "
            + "text; give the address without them"
        )
      }
      throw LinkError(.badAddress, "\(text): only http and https addresses can be subscribed to")
    }
    let scheme = text.prefix { $0 != ":" }
    let rest = text.dropFirst(scheme.count + 1)
    if !rest.isEmpty, !scheme.contains("."), rest.first?.isNumber == false {
      throw LinkError(.badAddress, "\(text): only http and https addresses can be subscribed to")
    }
    guard let address = resolve("https://\(text)"), text.contains(".") || text.contains(":") else {
      throw LinkError(
        .badAddress,
        "\(text) is no address; give one such as https://example.org/feed.xml"
      )
    }
    return address
  }

  /// Returns a key that is equal for two spellings of one link.
  ///
  /// The scheme is left out, since sites move from http to https.
  static func key(_ address: String) -> String {
    address.hasPrefix("http://") ? "https://" + address.dropFirst("http://".count) : address
  }

  /// Returns the site of an address: scheme, host and port.
  static func site(_ address: String) -> String { resolve("/", base: address) ?? address }

  /// Returns the host of an address, in lower case.
  static func host(_ address: String) -> String { WebURL(address)?.host ?? "" }

  /// Returns whether an address names this machine or a private network, judging by its text alone.
  static func isLocal(_ address: String) -> Bool { NetworkHost.isLocal(address) }

  /// Returns whether two addresses have the same host.
  static func haveSameHost(_ first: String, _ second: String) -> Bool {
    guard let host = NetworkHost.of(first) else { return false }
    return host == NetworkHost.of(second)
  }

  private static func isWeb(_ url: WebURL) -> Bool {
    guard url.scheme == "http" || url.scheme == "https" else { return false }
    guard let host = url.host, !host.isEmpty else { return false }
    return url.username.isEmpty && url.password.isEmpty
  }
}

extension String {
  /// Returns the text without leading and trailing white space and control characters.
  func trimmingWhitespace() -> String {
    let isBlank = { (scalar: Unicode.Scalar) in
      scalar.properties.isWhitespace || scalar.value < 0x20 || scalar.value == 0xFEFF
    }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  /// The text, or nil if it is empty.
  var nonEmpty: String? { isEmpty ? nil : self }
}
