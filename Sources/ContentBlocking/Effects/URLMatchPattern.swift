public import WebURL

/// A pattern of URLs for which an embedder permits `redirect` and `modify-headers`.
///
/// The form is that of web-extension match patterns, `scheme://host/path`:
///
///     try URLMatchPattern("*://*.example.com/*")  // http and https, the host and all below it
///     try URLMatchPattern("https://example.com/a*z")
///     try URLMatchPattern("<all_urls>")           // the same as *://*/*
///
/// * The scheme `*` stands for http and https; any other must be the URL's. Letter case is ignored.
/// * The host `*` stands for every host, `*.` in front for the host and its subdomains. Letter case
///   is ignored. Ports and credentials cannot be asked for; URLs that have them match all the same.
/// * In the path, `*` stands for any run of characters, `/` included. Letter case counts. The path
///   is compared without query and fragment.
///
/// > Source: the rule language, section 3.4. WebKit: `UserContentURLPattern`,
/// > `WebExtensionMatchPattern`.
///
/// > Deviation: WebKit takes texts that can match nothing, such as schemes with a space, and hosts
/// > that are not ASCII; here they are errors.
public struct URLMatchPattern: Hashable, Sendable {
  private enum Scheme: Hashable, Sendable {
    case httpFamily
    case exactly([UInt8])
  }

  /// The pattern as it was written.
  public let text: String
  private let scheme: Scheme
  /// The host in lower case, without `*.`; empty for `*`.
  private let host: [UInt8]
  private let matchesSubdomains: Bool
  private let path: PathGlob

  /// Parses a pattern.
  ///
  /// - Parameter text: The pattern, without white space around it.
  /// - Throws: ``URLMatchPatternError`` with the place of the fault; see its codes.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public init(_ text: String) throws(URLMatchPatternError) {
    self.text = text
    let isForAllURLs = text.utf8.elementsEqual("<all_urls>".utf8)
    let bytes = Array((isForAllURLs ? "*://*/*" : text).utf8)
    let schemeEnd = try Self.schemeEnd(in: bytes)
    let scheme = bytes[..<schemeEnd].map(Self.lowercased)
    self.scheme = scheme == [UInt8(ascii: "*")] ? .httpFamily : .exactly(scheme)

    let hostStart = schemeEnd + 3
    guard let pathStart = bytes[hostStart...].firstIndex(of: UInt8(ascii: "/")) else {
      throw URLMatchPatternError(
        code: .missingPath,
        message: "the pattern has no path",
        range: bytes.count..<bytes.count,
        hint: "add /* for every path"
      )
    }
    let isFile = scheme.elementsEqual("file".utf8)
    var host = bytes[hostStart..<pathStart].map(Self.lowercased)
    if host == [UInt8(ascii: "*")] {
      host = []
      matchesSubdomains = true
    } else {
      matchesSubdomains = host.starts(with: "*.".utf8)
      if matchesSubdomains { host.removeFirst(2) }
      if isFile, host.elementsEqual("localhost".utf8) { host = [] }
      if host.isEmpty, !isFile || matchesSubdomains {
        throw URLMatchPatternError(
          code: .missingHost,
          message: "the pattern has no host",
          range: hostStart..<pathStart,
          hint: "write * for every host"
        )
      }
    }
    try Self.check(host, at: pathStart - host.count)
    self.host = host
    path = PathGlob(bytes[pathStart...])
  }

  /// Returns whether a URL matches the pattern.
  ///
  /// - Complexity: O(*n* + *m*), where *n* and *m* are the bytes of URL and pattern.
  public func matches(_ url: WebURL) -> Bool {
    let urlScheme = url.utf8[url.schemeRange]
    switch scheme {
    case .httpFamily:
      guard urlScheme.elementsEqual("http".utf8) || urlScheme.elementsEqual("https".utf8) else {
        return false
      }
    case .exactly(let scheme):
      guard urlScheme.elementsEqual(scheme) else { return false }
    }
    return matchesHost(url.utf8[url.hostRange]) && path.matches(url.utf8, url.pathRange)
  }

  private func matchesHost(_ urlHost: ArraySlice<UInt8>) -> Bool {
    // Only hosts of schemes that are not special can hold capital letters.
    if matchesSubdomains, host.isEmpty { return true }
    let rest = urlHost.count - host.count
    guard rest >= 0, urlHost.suffix(host.count).lazy.map(Self.lowercased).elementsEqual(host) else {
      return false
    }
    if rest == 0 { return true }
    return matchesSubdomains && urlHost[urlHost.startIndex + rest - 1] == UInt8(ascii: ".")
  }
}

extension URLMatchPattern: CustomStringConvertible {
  /// The pattern as it was written.
  public var description: String { text }
}

extension URLMatchPattern {
  private static func lowercased(_ byte: UInt8) -> UInt8 {
    0x41...0x5A ~= byte ? byte | 0x20 : byte
  }

  /// Finds `://` and checks what is in front of it.
  private static func schemeEnd(in bytes: [UInt8]) throws(URLMatchPatternError) -> Int {
    let separator = Array("://".utf8)
    var end = 0
    while end < bytes.count, !bytes[end...].starts(with: separator) { end += 1 }
    guard 0 < end, end < bytes.count else {
      throw URLMatchPatternError(
        code: .missingScheme,
        message: "the pattern has no scheme",
        range: 0..<0,
        hint: "write *:// in front for http and https"
      )
    }
    let scheme = bytes[..<end]
    if scheme.elementsEqual("*".utf8) { return end }
    for (index, byte) in scheme.enumerated() {
      let isLetter = (byte | 0x20) &- 0x61 < 26
      let isOther = byte &- 0x30 < 10 || byte == 0x2B || byte == 0x2D || byte == 0x2E
      if isLetter || index > 0 && isOther { continue }
      throw URLMatchPatternError(
        code: .invalidScheme,
        message: "the scheme contains a character that no scheme has",
        range: index..<index + 1,
        hint: "write one scheme such as https, or * for http and https"
      )
    }
    return end
  }

  /// Checks a host without its `*.`.
  private static func check(_ host: [UInt8], at start: Int) throws(URLMatchPatternError) {
    let isIPv6 = host.first == UInt8(ascii: "[")
    let addressEnd = isIPv6 ? host.firstIndex(of: UInt8(ascii: "]")) : nil
    if isIPv6, addressEnd == nil {
      throw URLMatchPatternError(
        code: .invalidHost,
        message: "the address is not closed",
        range: start..<start + host.count,
        hint: "add ] behind the address"
      )
    }
    for (index, byte) in host.enumerated() {
      let hint: String
      switch byte {
      case UInt8(ascii: "*"):
        hint = "write * alone, or *. in front of a host for its subdomains"
      case UInt8(ascii: "@"):
        hint = "leave user name and password out"
      case UInt8(ascii: ":") where index > addressEnd ?? -1:
        hint = "leave the port out; every port matches"
      case 0x80...:
        hint = "write the host in its ASCII form, beginning with xn--"
      case 0...0x20, 0x7F, UInt8(ascii: "#"), UInt8(ascii: "?"), UInt8(ascii: "\\"):
        hint = "a host ends at the first /, and contains neither spaces nor delimiters"
      default:
        continue
      }
      throw URLMatchPatternError(
        code: .invalidHost,
        message: "the host contains a character that it cannot have in a pattern",
        range: start + index..<start + index + 1,
        hint: hint
      )
    }
  }
}
