internal import CurlTransfers
internal import Synchronization

/// Sends requests with the program `curl`, one process each.
///
/// Keeps no cookies, credentials or cache, does not follow redirects, and stops at the size limit,
/// which counts decompressed bytes. The host has to be on the public internet unless the request
/// names it; see `Destination`.
public struct CurlTransport: LinkTransport {
  /// Seconds without data after which a transfer is aborted.
  private let idleSeconds: Double
  private let resolver: any NameResolving

  /// Creates a transport that uses the system's resolver.
  public init() { self.init(resolver: SystemResolver()) }

  /// Creates a transport that uses a given resolver, and another patience.
  init(resolver: any NameResolving = SystemResolver(), idleSeconds: Double = 20) {
    self.resolver = resolver
    self.idleSeconds = idleSeconds
  }

  /// Sends a request and waits for the complete answer.
  ///
  /// - Throws: ``FetchFailure``, or `CancellationError`.
  public func send(_ request: LinkRequest) async throws -> LinkResponse {
    var message = CurlRequest(
      address: request.address,
      bodyLimit: request.bodyLimit,
      seconds: request.seconds
    )
    message.headers = request.headers
    message.idleSeconds = idleSeconds
    message.acceptsCompression = true
    message.localHost = request.localHost
    let body = Body()
    do {
      let answer = try await CurlTransfer(message, resolver: resolver).run { body.append($0) }
      return LinkResponse(
        status: answer.status,
        headers: Self.headers(answer.fields),
        body: body.bytes,
        isLocal: answer.isLocal
      )
    } catch let failure as CurlFailure {
      throw FetchFailure(failure.message, isOfMachine: failure.reason == .noCurl)
    }
  }

  /// Returns the header fields by name; the first of each name wins, except for the one list that
  /// is read.
  private static func headers(_ fields: [CurlAnswer.Field]) -> [String: String] {
    var headers: [String: String] = [:]
    for field in fields {
      if let first = headers[field.name] {
        if field.name == "cache-control" { headers[field.name] = "\(first), \(field.value)" }
      } else {
        headers[field.name] = field.value
      }
    }
    return headers
  }

  private final class Body: Sendable {
    private let parts = Mutex<[UInt8]>([])
    var bytes: [UInt8] { parts.withLock { $0 } }

    func append(_ part: ArraySlice<UInt8>) {
      parts.withLock { $0 += part }
    }
  }
}
