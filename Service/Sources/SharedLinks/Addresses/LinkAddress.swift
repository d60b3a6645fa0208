internal import CurlTransfers
internal import WebURL

/// Addresses of feeds, pages, links and icons: http and https alone.
///
/// Everything else that a feed may name — `javascript:`, `data:`, `file:`, `ftp:` — is as if it were
/// missing, so that nothing but the web can be opened from the stream.
public enum LinkAddress {
  /// Resolves an address by the URL standard.
  ///
  /// - Parameters:
  ///   - text: The address, also a relative one; white space around it is ignored.
  ///   - base: What a relative address is resolved against.
  ///   - limit: The most bytes that the address may have.
  /// - Returns: The serialised URL, or nil unless it is http or https with a host and without
  ///   user name and password.
  public static func resolve(_ text: String, base: String? = nil, limit: Int = 4_096) -> String? {
    guard !text.isEmpty, text.utf8.count <= limit else { return nil }
    let base = base.flatMap { WebURL($0) }
    guard let url = WebURL(text, base: base), isWeb(url), url.utf8.count <= limit * 3 else {
      return nil
    }
    return url.serialized
  }

  /// Takes an address as a person types it: without a scheme it gets https, `feed:` is ignored.
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

  /// An address by which two spellings of one link are recognised as the same.
  ///
  /// http and https are alike, since sites move from one to the other.
  static func key(_ address: String) -> String {
    address.hasPrefix("http://") ? "https://" + address.dropFirst("http://".count) : address
  }

  /// The site of an address: scheme, host and port.
  static func site(_ address: String) -> String { resolve("/", base: address) ?? address }

  /// The host of an address, in lower case.
  static func host(_ address: String) -> String { WebURL(address)?.host ?? "" }

  /// Whether an address names this machine or a private network, as far as its text says.
  static func isLocal(_ address: String) -> Bool { NetworkHost.isLocal(address) }

  /// Whether two addresses have the same host.
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
  /// The text without white space and control characters at its ends.
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

  /// The text if it has any, else nil.
  var nonEmpty: String? { isEmpty ? nil : self }
}
