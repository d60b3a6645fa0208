internal import ChildPrograms

/// Why a transfer failed.
public struct CurlFailure: Error, Equatable, Sendable {
  /// The reason, as far as callers distinguish it.
  public enum Reason: Sendable {
    /// The program curl is not installed, or cannot be started.
    case noCurl
    /// The request is invalid.
    case badRequest
    /// The host is on this machine or in a private network, and the user did not name it.
    case localAddress
    /// The body or the header exceeds its limit.
    case tooLarge
    /// It timed out.
    case tooLong
    /// The connection failed, broke off, or did not carry HTTP.
    case noAnswer
  }

  /// The reason.
  public var reason: Reason
  /// A clause for the user, without the address.
  public var message: String

  /// Creates a failure.
  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  static func bodyTooLarge(_ request: CurlRequest) -> CurlFailure {
    CurlFailure(.tooLarge, "the answer exceeds the limit of \(request.bodyLimit) bytes")
  }

  static func headTooLarge(_ request: CurlRequest) -> CurlFailure {
    CurlFailure(.tooLarge, "the answer's header exceeds the limit of \(request.headLimit) bytes")
  }

  static func deadline(_ request: CurlRequest) -> CurlFailure {
    let seconds = request.seconds
    let shown =
      seconds.rounded() == seconds && abs(seconds) < 1e9 ? "\(Int(seconds))" : "\(seconds)"
    return CurlFailure(.tooLong, "it took longer than \(shown) seconds")
  }

  /// Interprets how curl ended, unless with status 0.
  ///
  /// - Parameters:
  ///   - end: How it ended.
  ///   - lines: The lines of curl's standard error.
  ///   - request: The request.
  ///   - isLate: Whether the request timed out.
  init(end: ChildProgram.End, lines: [String], request: CurlRequest, isLate: Bool) {
    guard case .exited(let status) = end else {
      self.init(.noAnswer, "the program curl was killed")
      return
    }
    switch status {
    case 3:
      self.init(.badRequest, "\(CurlRequest.shown(request.address)) is not an address for curl")
    case 5, 97: self.init(.noAnswer, "the proxy cannot be reached")
    case 6: self.init(.noAnswer, "there is no such host")
    case 7: self.init(.noAnswer, "the host does not take connections")
    case 1, 8, 43: self.init(.noAnswer, "the server did not answer in HTTP")
    // curl's status when one field exceeds its limit of 100 KiB.
    case 27: self.init(.tooLarge, "the answer's header has a field that is too long")
    case 28 where isLate: self = .deadline(request)
    case 28: self.init(.tooLong, "the server did not answer, or is too slow")
    case 35: self.init(.noAnswer, "no secure connection to the host could be made")
    case 52: self.init(.noAnswer, "the server closed the connection without an answer")
    case 18, 55, 56, 92: self.init(.noAnswer, "the connection broke off")
    case 51, 60, 83, 91: self.init(.noAnswer, "the host's certificate is not trusted")
    case 61: self.init(.noAnswer, "the answer cannot be decompressed")
    case 63: self = .bodyTooLarge(request)
    // The loader's status when a library that curl needs is missing.
    case 126, 127:
      self.init(.noCurl, "the program curl cannot run; install it again (apt: curl)")
    default:
      let start = "curl: (\(status)) "
      let said = lines.last { $0.hasPrefix(start) }?.dropFirst(start.count)
      self.init(
        .noAnswer,
        said.map { "curl says: \(CurlRequest.shown(String($0)))" } ?? "curl failed (\(status))"
      )
    }
  }
}
