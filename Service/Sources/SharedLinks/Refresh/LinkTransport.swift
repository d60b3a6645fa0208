/// Sends one HTTP request, without following redirects.
public protocol LinkTransport: Sendable {
  /// Sends a request and waits for the complete answer.
  ///
  /// - Throws: ``FetchFailure`` if there is no answer, or it exceeds the request's limits.
  func send(_ request: LinkRequest) async throws -> LinkResponse
}

/// A GET request.
public struct LinkRequest: Equatable, Sendable {
  /// An http or https address.
  public var address: String
  /// Header fields by their names in lower case.
  public var headers: [String: String]
  /// The limit on the body, in bytes after decompression.
  public var bodyLimit: Int
  /// The timeout until the last byte, in seconds.
  public var seconds: Double

  /// The host that the user named, which may be on this machine or in a private network.
  public var localHost: String?

  /// Makes a request.
  public init(
    address: String,
    headers: [String: String],
    bodyLimit: Int,
    seconds: Double,
    localHost: String? = nil
  ) {
    self.localHost = localHost
    self.address = address
    self.headers = headers
    self.bodyLimit = bodyLimit
    self.seconds = seconds
  }
}

/// An answer.
public struct LinkResponse: Equatable, Sendable {
  /// The status.
  public var status: Int
  /// Header fields by their names in lower case.
  public var headers: [String: String]
  /// The decompressed body.
  public var body: [UInt8]
  /// Whether it came from a host outside the public internet.
  public var isLocal: Bool

  /// Makes an answer.
  public init(
    status: Int,
    headers: [String: String] = [:],
    body: [UInt8] = [],
    isLocal: Bool = false
  ) {
    self.isLocal = isLocal
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why a fetch failed.
public struct FetchFailure: Error, Equatable, Sendable {
  /// A sentence without user names and passwords.
  public var message: String
  /// The status, if there was an answer.
  public var status: Int?
  /// The seconds to wait that the server asked for.
  public var retryAfter: Double?
  /// Whether the fault is this machine's and says nothing about the server.
  public var isOfMachine: Bool

  /// Makes a failure.
  public init(
    _ message: String,
    status: Int? = nil,
    retryAfter: Double? = nil,
    isOfMachine: Bool = false
  ) {
    self.message = message
    self.status = status
    self.retryAfter = retryAfter
    self.isOfMachine = isOfMachine
  }
}
