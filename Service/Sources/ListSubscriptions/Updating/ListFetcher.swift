internal import CurlTransfers
internal import Foundation
internal import ListIngestion
internal import Synchronization
internal import WebURL

/// Fetches lists from the web: follows redirects, sends validators, interprets statuses.
struct ListFetcher: Sendable {
  let limits: SubscriptionLimits
  let resolver: any NameResolving

  static let userAgent = "Tickbird (lists)"
  /// Seconds without data after which a transfer is aborted.
  private static let idleSeconds = 30.0

  /// An answer with a body.
  struct Fetched: Sendable {
    var body: [UInt8]
    /// The list's new address: the end of the permanent redirects at the start of the chain.
    var newAddress: String?
    var validators: Subscription.Validators?
  }

  enum Answer: Sendable {
    case fetched(Fetched)
    case notModified
  }

  /// Why an address gave no answer that can be used.
  struct Failure: Error {
    /// A clause without the address.
    var message: String
    /// The seconds to wait that the server asked for.
    var retryAfter: Double?
  }

  /// Fetches a list.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - mayBeLocal: Whether the user named it, so that its host may be on this machine or in a private
  ///     network.
  ///   - validators: Those of the list that acts; used if they are of this address.
  ///   - now: The current time, which dates in `Retry-After` are compared with.
  /// - Returns: The list, or that there is nothing new.
  /// - Throws: ``Failure``, or `CancellationError`.
  func fetch(
    _ address: String,
    mayBeLocal: Bool,
    validators: Subscription.Validators?,
    now: Date
  ) async throws -> Answer {
    var headers = [
      "user-agent": Self.userAgent, "accept": "text/plain, application/json, */*;q=0.5",
      "accept-encoding": "gzip",
    ]
    if let validators, validators.address == address {
      headers["if-none-match"] = validators.entityTag
      headers["if-modified-since"] = validators.lastModified
    }
    let localHost = mayBeLocal ? NetworkHost.of(address) : nil
    var current = address
    var newAddress: String?
    var isPermanent = true
    for _ in 0...limits.redirects {
      let (answer, body) = try await send(current, headers, localHost)
      switch answer.status {
      case 200:
        return .fetched(
          Fetched(
            body: try unfolded(body, answer),
            newAddress: newAddress,
            validators: Self.validators(answer, of: address)
          )
        )
      case 304 where headers["if-none-match"] != nil || headers["if-modified-since"] != nil:
        return .notModified
      case 301, 302, 303, 307, 308:
        current = try Self.target(answer, from: current)
        isPermanent = isPermanent && (answer.status == 301 || answer.status == 308)
        if isPermanent { newAddress = current }
      default: throw Self.failure(answer, now: now)
      }
    }
    throw Failure(message: "it redirects more than \(limits.redirects) times")
  }

  private func send(
    _ address: String,
    _ headers: [String: String],
    _ localHost: String?
  ) async throws -> (CurlAnswer, [UInt8]) {
    var request = CurlRequest(
      address: address,
      bodyLimit: limits.bytes,
      seconds: limits.fetchSeconds
    )
    request.headers = headers
    request.idleSeconds = Self.idleSeconds
    request.localHost = localHost
    let body = Body()
    do {
      let answer = try await CurlTransfer(request, resolver: resolver).run { body.append($0) }
      return (answer, body.bytes)
    } catch let failure as CurlFailure {
      throw Failure(message: failure.message)
    }
  }

  /// Returns a body as it was before the server compressed it.
  ///
  /// Not by curl, which takes a compressed body that is cut off for a whole one.
  private func unfolded(_ body: [UInt8], _ answer: CurlAnswer) throws -> [UInt8] {
    let encodings = answer.fields.filter { $0.name == "content-encoding" }
      .flatMap { $0.value.lowercased().split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !["", "identity", "none"].contains($0) }
    guard encodings.count <= 2, encodings.allSatisfy({ ["gzip", "x-gzip"].contains($0) }) else {
      throw Failure(message: "the answer is compressed in a way that was not asked for")
    }
    var allowed = IngestionLimits()
    allowed.bytes = limits.bytes
    var body = body
    for _ in encodings {
      do throws(IngestionError) {
        body = try ListIngestion.unfold(body, limits: allowed)
      } catch {
        throw Failure(
          message: error.code == .tooLarge
            ? "the answer exceeds the limit of \(limits.bytes) bytes"
            : "the answer is compressed, and cut off, damaged or far too large"
        )
      }
    }
    return body
  }

  private static func target(_ answer: CurlAnswer, from current: String) throws -> String {
    guard let location = value("location", of: answer), let base = WebURL(current),
      let url = WebURL(location, base: base), let host = url.host, !host.isEmpty,
      url.scheme == "https" || url.scheme == "http"
    else {
      throw Failure(message: "it redirects to no address that can be fetched")
    }
    guard base.scheme != "https" || url.scheme == "https" else {
      throw Failure(message: "it redirects from https to http, where anybody may change the list")
    }
    return url.serialized
  }

  private static func failure(_ answer: CurlAnswer, now: Date) -> Failure {
    let reason =
      switch answer.status {
      case 304: "the server says that nothing has changed, which it was not asked"
      case 401, 403: "the server refuses access"
      case 404: "there is nothing at the address"
      case 410: "the list is gone for good"
      case 429: "the server was asked too often"
      case 500...599: "the server has a fault"
      default: "the server's answer cannot be used"
      }
    return Failure(
      message: "\(reason) (\(answer.status))",
      retryAfter: retryAfter(value("retry-after", of: answer), now: now)
    )
  }

  /// Returns the seconds of a `Retry-After` header, given as a number or a date.
  static func retryAfter(_ field: String?, now: Date) -> Double? {
    guard let field, !field.isEmpty else { return nil }
    if field.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Double(field) }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: field).map { max(0, $0.timeIntervalSince(now)) }
  }

  private static func validators(
    _ answer: CurlAnswer,
    of address: String
  ) -> Subscription.Validators? {
    let entityTag = safe(value("etag", of: answer))
    let lastModified = safe(value("last-modified", of: answer))
    guard entityTag != nil || lastModified != nil else { return nil }
    return Subscription.Validators(
      address: address,
      entityTag: entityTag,
      lastModified: lastModified
    )
  }

  /// Returns a validator if it is safe to send back: short, and on one line.
  private static func safe(_ field: String?) -> String? {
    guard let field, !field.isEmpty, field.utf8.count <= 1_024,
      field.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return field
  }

  /// Returns the first field of a name.
  private static func value(_ name: String, of answer: CurlAnswer) -> String? {
    answer.fields.first { $0.name == name }?.value
  }

  private final class Body: Sendable {
    private let parts = Mutex<[UInt8]>([])
    var bytes: [UInt8] { parts.withLock { $0 } }

    func append(_ part: ArraySlice<UInt8>) {
      parts.withLock { $0 += part }
    }
  }
}
