internal import CurlTransfers
internal import Synchronization

/// Sends requests with the program `curl`, a process for each.
///
/// Keeps no cookies, credentials or cache, follows no redirects, and stops reading at the limit.
/// A host has to be of the public internet unless the request names it; see `Destination`.
/// Compressed bodies are decompressed as they come, so that the limit counts what they grow to.
public struct CurlTransport: LinkTransport {
  /// For how many seconds nothing may come.
  static let idleSeconds = 20.0

  private let resolver: any NameResolving

  /// Makes a transport that asks the system's resolver.
  public init() { self.init(resolver: SystemResolver()) }

  /// Makes a transport that asks a resolver.
  init(resolver: any NameResolving) { self.resolver = resolver }

  /// Sends a request and waits for the whole answer.
  ///
  /// - Throws: ``FetchFailure``, or `CancellationError`.
  public func send(_ request: LinkRequest) async throws -> LinkResponse {
    var message = CurlRequest(
      address: request.address,
      bodyLimit: request.bodyLimit,
      seconds: request.seconds
    )
    message.headers = request.headers
    message.idleSeconds = Self.idleSeconds
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

  /// The first field of a name counts, but for the one that is read here and is a list.
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
