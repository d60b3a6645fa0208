internal import WebURL

/// The address of a page, in the form in which notes compare addresses.
///
/// Made of a URL by the URL standard's parser. What does not tell pages apart is left out:
///
/// * the scheme (http or https), user and password, the ports 80 and 443, a final dot of the host;
/// * the fragment, unless it begins with `/` or `!`, as the routes of applications in one page do;
/// * parameters of the query that only say where the visitor came from (`utm_…`, `gclid` …).
///
/// The rest of the query counts, and so does its order. Percent-encodings of letters, digits, `-`,
/// `.`, `_` and `~` are decoded, and others written in upper case.
public struct PageAddress: Hashable, Sendable {
  /// The host as the URL standard serialises it: lower case, names in ASCII, IPv6 in brackets.
  public let host: String
  /// The host, and the port where it is neither 80 nor 443.
  public let authority: String
  /// The path; begins with `/`.
  public let path: String
  /// The query and the route with their `?` and `#`; empty where there are none.
  public let suffix: String
  /// Whether the host is a name, not a number.
  let hostIsName: Bool

  /// The longest address that is read, in bytes.
  public static let limit = 64 * 1024

  /// Reads an address.
  ///
  /// - Parameter text: A URL of http or https, or a host with or without a path.
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

  /// Without a scheme a person means https.
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

/// The parameters of a query that say where a visitor came from.
enum VisitParameters {
  private static let names: Set<Substring> = [
    "_hsenc", "_hsmi", "dclid", "fbclid", "gbraid", "gclid", "gclsrc", "igshid", "mc_cid", "mc_eid",
    "mkt_tok", "msclkid", "oly_anon_id", "oly_enc_id", "srsltid", "twclid", "vero_id", "wbraid",
    "yclid",
  ]

  /// Whether a parameter, with its value, is one of them.
  static func contains(_ parameter: Substring) -> Bool {
    let name = parameter.prefix { $0 != "=" }
    return name.hasPrefix("utm_") || names.contains(name)
  }
}

/// Percent-encoding in its one form.
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
