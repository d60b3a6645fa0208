internal import CurlTransfers
internal import Foundation

/// Fetches documents of the web: redirects, validators, what an answer's status means.
struct LinkFetcher: Sendable {
  let transport: any LinkTransport
  let limits: LinkLimits

  static let userAgent = "Tickbird (Shared Links)"
  private static let feedTypes =
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, "
    + "application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.8, text/html;q=0.5, */*;q=0.1"

  /// An answer that has a body.
  struct Document {
    var body: [UInt8]
    var contentType: String
    /// What was asked for.
    var requested: String
    /// Where the body came from, after all redirects.
    var address: String
    /// Where the document has moved to for good: the end of the permanent redirects that the chain
    /// begins with.
    var newAddress: String?
    var entityTag: String?
    var lastModified: String?
    /// How long the server says that the answer is fresh, in seconds.
    var maximumAge: Double?
    /// Whether it, or what led to it, came from an address that is not of the public internet.
    var isLocal: Bool
  }

  enum Answer {
    case document(Document)
    case notModified(maximumAge: Double?)
  }

  /// Fetches a feed or page.
  ///
  /// `localHost` is the host that the user named, the only one that may be in a private network or
  /// this machine; dates in `Retry-After` are compared with `now`. Failures are thrown as ``FetchFailure``.
  func fetch(
    _ address: String,
    localHost: String? = nil,
    entityTag: String? = nil,
    lastModified: String? = nil,
    bodyLimit: Int? = nil,
    accept: String = LinkFetcher.feedTypes,
    now: Date
  ) async throws -> Answer {
    var headers = ["user-agent": Self.userAgent, "accept": accept]
    headers["if-none-match"] = entityTag
    headers["if-modified-since"] = lastModified
    var current = address
    var newAddress: String?
    var isPermanent = true
    var isLocal = false
    for _ in 0...limits.redirects {
      let response = try await transport.send(
        LinkRequest(
          address: current,
          headers: headers,
          bodyLimit: bodyLimit ?? limits.documentBytes,
          seconds: limits.fetchSeconds,
          localHost: localHost
        )
      )
      isLocal = isLocal || response.isLocal
      switch response.status {
      case 200...299:
        return .document(
          Document(
            body: response.body,
            contentType: response.headers["content-type"] ?? "",
            requested: address,
            address: current,
            newAddress: newAddress,
            entityTag: Self.validator(response.headers["etag"]),
            lastModified: Self.validator(response.headers["last-modified"]),
            maximumAge: Self.maximumAge(response.headers["cache-control"]),
            isLocal: isLocal
          )
        )
      case 304:
        return .notModified(maximumAge: Self.maximumAge(response.headers["cache-control"]))
      case 301, 302, 303, 307, 308:
        current = try next(response, from: current, localHost: localHost)
        isPermanent = isPermanent && (response.status == 301 || response.status == 308)
        if isPermanent { newAddress = current }
      default:
        throw Self.failure(response, now: now)
      }
    }
    throw FetchFailure("it redirects more than \(limits.redirects) times")
  }

  /// Where a redirect leads.
  private func next(
    _ response: LinkResponse,
    from current: String,
    localHost: String?
  ) throws -> String {
    guard let location = response.headers["location"] else {
      throw FetchFailure("it redirects without saying where", status: response.status)
    }
    guard let next = LinkAddress.resolve(location, base: current) else {
      throw FetchFailure(
        "it redirects to something that is neither http nor https",
        status: response.status
      )
    }
    if LinkAddress.isLocal(next), NetworkHost.of(next) != localHost {
      throw FetchFailure(
        "it redirects to an address of the local network, which only a feed of that host may",
        status: response.status
      )
    }
    return next
  }

  private static func failure(_ response: LinkResponse, now: Date) -> FetchFailure {
    let reason =
      switch response.status {
      case 401, 403: "the server refuses access"
      case 404: "there is nothing at the address"
      case 410: "the feed is gone for good"
      case 429: "the server was asked too often"
      case 500...599: "the server has a fault"
      default: "the server's answer is of no use"
      }
    return FetchFailure(
      "\(reason) (\(response.status))",
      status: response.status,
      retryAfter: retryAfter(response.headers["retry-after"], now: now)
    )
  }

  /// The seconds of a `Retry-After` field, which has a number or a date.
  static func retryAfter(_ field: String?, now: Date) -> Double? {
    guard let field = field?.trimmingWhitespace(), !field.isEmpty else { return nil }
    if field.allSatisfy({ $0.isASCII && $0.isNumber }) { return Double(field) }
    return FeedDate.parse(field).map { max(0, $0.timeIntervalSince(now)) }
  }

  private static func maximumAge(_ field: String?) -> Double? {
    for part in (field ?? "").lowercased().split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map { String($0).trimmingWhitespace() }
      if pair.count == 2, pair[0] == "max-age" {
        return Double(pair[1]).flatMap { $0 >= 0 ? $0 : nil }
      }
    }
    return nil
  }

  /// A validator that can be sent back: of reasonable length, on one line.
  private static func validator(_ field: String?) -> String? {
    guard let field, !field.isEmpty, field.utf8.count <= 1_024,
      field.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return field
  }
}
