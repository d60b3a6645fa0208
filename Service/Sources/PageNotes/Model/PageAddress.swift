internal import WebURL

/// The address of a page, normalized for comparison by notes.
///
/// It is parsed by the URL standard. Parts that do not distinguish pages are removed:
///
/// * the scheme (http or https), user and password, the ports 80 and 443, a trailing dot of the
///   host;
/// * the fragment, unless it begins with `/` or `!`, like the routes of single-page applications;
/// * query parameters that only track where the visitor came from (`utm_…`, `gclid` …).
///
/// The rest of the query is kept, in its order. Percent-encoded letters, digits, `-`, `.`, `_` and
/// `~` are decoded; other percent-encodings are written in upper case.
public struct PageAddress: Hashable, Sendable {
  /// The host as the URL standard serialises it: lower case, names in ASCII, IPv6 in brackets.
  public let host: String
  /// The host, and the port unless it is 80 or 443.
  public let authority: String
  /// The path; begins with `/`.
  public let path: String
  /// The query and the route with their `?` and `#`; empty if there are none.
  public let suffix: String
  /// Whether the host is a name, not an IP address.
  let hostIsName: Bool

  /// The longest address accepted, in bytes.
  public static let limit = 64 * 1024

  /// Parses an address.
  ///
  /// - Parameter text: An http or https URL, or a host with or without a path.
  /// - Throws: ``NoteError`` with code `address`.
  public init(_ text: String) throws(NoteError) {
    guard text.utf8.count <= Self.limit else {
      throw NoteError(.address, "The address has \(text.utf8.count) bytes, at most \(Self.limit)")
    }
    let parsed = Self.url(text)
    if let scheme = parsed?.scheme, scheme != "http", scheme != "https" {
      throw NoteError(
        .address,
        "Notes are for pages of http and https; “\(scheme):” in “\(Self.shortened(text))” is neither"
      )
    }
    guard let url = parsed, let host = url.host, !host.isEmpty else {
      throw NoteError(
        .address,
        "“\(Self.shortened(text))” is not the address of a page, as https://example.com is"
      )
    }
    let name = host.hasSuffix(".") && host.utf8.count > 1 ? String(host.dropLast()) : host
    self.host = name
    hostIsName = url.hostKind == .domain
    var authority = name
    if let port = url.port, port != 80, port != 443 { authority += ":\(port)" }
    self.authority = authority
    path = PercentForm.normalized(url.path)
    var suffix = ""
    if let query = url.query {
      let kept = PercentForm.normalized(query)
        .split(separator: "&", omittingEmptySubsequences: false)
        .filter { !VisitParameters.contains($0) }
      let joined = kept.joined(separator: "&")
      if !joined.isEmpty { suffix += "?" + joined }
    }
    if let fragment = url.fragment, fragment.hasPrefix("/") || fragment.hasPrefix("!") {
      suffix += "#" + PercentForm.normalized(fragment)
    }
    self.suffix = suffix
  }

  private static func shortened(_ text: String) -> String {
    text.count > 200 ? text.prefix(199) + "…" : text
  }

  /// Parses a URL; without a scheme a person means https.
  private static func url(_ text: String) -> WebURL? {
    let trimmed = text.drop(while: { $0.isWhitespace })
    if trimmed.contains("://") { return WebURL(text) }
    // `example.com:8080` parses as a URL whose scheme is `example.com`.
    if let colon = trimmed.firstIndex(of: ":"),
      !trimmed[..<colon].contains(where: { ".[/?#".contains($0) })
    {
      let rest = trimmed[trimmed.index(after: colon)...]
      let isPort = rest.first.map { "0"..."9" ~= $0 } ?? false
      if !isPort { return WebURL(text) }
    }
    return WebURL("https://" + trimmed)
  }
}

/// Query parameters that say where a visitor came from.
enum VisitParameters {
  private static let names: Set<Substring> = [
    "_hsenc", "_hsmi", "dclid", "fbclid", "gbraid", "gclid", "gclsrc", "igshid", "mc_cid", "mc_eid",
    "mkt_tok", "msclkid", "oly_anon_id", "oly_enc_id", "srsltid", "twclid", "vero_id", "wbraid",
    "yclid",
  ]

  /// Returns whether a parameter, given with its value, is one of them.
  static func contains(_ parameter: Substring) -> Bool {
    let name = parameter.prefix { $0 != "=" }
    return name.hasPrefix("utm_") || names.contains(name)
  }
}

/// Normalizes percent-encodings.
///
/// > Source: RFC 3986, 6.2.2.1 and 6.2.2.2.
enum PercentForm {
  static func normalized(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
      else {
        result.append(bytes[index])
        index += 1
        continue
      }
      let value = high << 4 | low
      if isUnreserved(value) {
        result.append(value)
      } else {
        result += [UInt8(ascii: "%"), upper[Int(high)], upper[Int(low)]]
      }
      index += 3
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let upper = Array("0123456789ABCDEF".utf8)

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
