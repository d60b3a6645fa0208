/// Carries one HTTP request; redirects are its caller's.
public protocol LinkTransport: Sendable {
  /// Sends a request and waits for the whole answer.
  ///
  /// - Throws: ``FetchFailure`` where there is no answer, or it exceeds the request's limits.
  func send(_ request: LinkRequest) async throws -> LinkResponse
}

/// A GET request.
public struct LinkRequest: Equatable, Sendable {
  /// An http or https address.
  public var address: String
  /// Header fields by their names in lower case.
  public var headers: [String: String]
  /// The most bytes of the body, after decompression.
  public var bodyLimit: Int
  /// The most seconds until the last byte.
  public var seconds: Double

  /// The host that the user named, which may be in a private network or this machine.
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
  /// The body without its compression.
  public var body: [UInt8]
  /// Whether it came from an address that is not of the public internet.
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

/// Why a fetch brought nothing.
public struct FetchFailure: Error, Equatable, Sendable {
  /// A sentence that names neither user names nor passwords.
  public var message: String
  /// The answer's status if there was an answer.
  public var status: Int?
  /// Seconds after which the server wants to be asked again.
  public var retryAfter: Double?
  /// Whether this machine could not ask, or not read the answer, which says nothing of the server.
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
