internal import CurlTransfers
internal import Foundation

/// Fetches documents from the web: follows redirects, sends validators, interprets statuses.
struct LinkFetcher: Sendable {
  let transport: any LinkTransport
  let limits: LinkLimits

  static let userAgent = "Tickbird (Shared Links)"
  private static let feedTypes =
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, "
    + "application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.8, text/html;q=0.5, */*;q=0.1"

  /// An answer with a body.
  struct Document {
    var body: [UInt8]
    var contentType: String
    /// The address requested.
    var requested: String
    /// The address of the body, after all redirects.
    var address: String
    /// The feed's new address: the end of the permanent redirects at the start of the chain.
    var newAddress: String?
    var entityTag: String?
    var lastModified: String?
    /// How long the answer is fresh, in seconds, by its cache headers.
    var maximumAge: Double?
    /// Whether any host in the chain is outside the public internet.
    var isLocal: Bool
  }

  enum Answer {
    case document(Document)
    case notModified(maximumAge: Double?)
  }

  /// Fetches a feed or page; failures are thrown as ``FetchFailure``.
  ///
  /// `localHost` is the host that the user named: the only one that may be on this machine or in a
  /// private network. Dates in `Retry-After` are compared with `now`.
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
      case 304 where entityTag != nil || lastModified != nil:
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

  /// Returns the target of a redirect.
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
      case 304: "the server says that nothing has changed, which it was not asked"
      case 401, 403: "the server refuses access"
      case 404: "there is nothing at the address"
      case 410: "the feed is gone for good"
      case 429: "the server was asked too often"
      case 500...599: "the server has a fault"
      default: "the server's answer cannot be used"
      }
    return FetchFailure(
      "\(reason) (\(response.status))",
      status: response.status,
      retryAfter: retryAfter(response.headers["retry-after"], now: now)
    )
  }

  /// Returns the seconds of a `Retry-After` header, given as a number or a date.
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

  /// Returns a validator if it is safe to send back: short, and on one line.
  private static func validator(_ field: String?) -> String? {
    guard let field, !field.isEmpty, field.utf8.count <= 1_024,
      field.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return field
  }
}
