public import CodedErrors
public import Foundation

/// What a browser is told when a question cannot be answered: the one error object of the wire.
///
///     {"type": "error", "code": "unknown-part", "message": "this is not there any more; …"}
///
/// `Documentation/NativeMessaging.md` lists the codes.
public struct WireError: CodedError, Equatable, Encodable {
  /// A kind of failure; answers also carry the codes of the errors that they report.
  public struct Code: ErrorCode, ExpressibleByStringLiteral {
    /// The kind's name, in kebab-case.
    public let rawValue: String

    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Names a kind.
    public init(stringLiteral: String) { rawValue = stringLiteral }
  }

  /// The kind of failure.
  public var code: Code
  /// What failed, on which thing, and what to do.
  public var message: String
  /// For an error that code of an extension reports: its domain and number there.
  public var reported: Reported?
  /// For a message that is too long: its size in bytes.
  public var size: Int?

  /// An error as Apple's frameworks number it.
  public struct Reported: Equatable, Encodable, Sendable {
    /// The error's domain, such as `SFErrorDomain`.
    public var domain: String
    /// The number, which says something together with the domain alone.
    public var number: Int64

    /// Takes a domain and a number.
    public init(domain: String, number: Int64) {
      self.domain = domain
      self.number = number
    }
  }

  /// Says what failed.
  public init(_ code: String, _ message: String, reported: Reported? = nil, size: Int? = nil) {
    self.code = Code(rawValue: code)
    self.message = message
    self.reported = reported
    self.size = size
  }

  /// Reports an error with its own code and message, or as `failed` if it has no code.
  public init(reporting error: any Error) {
    if let error = error as? any CodedError {
      self.init(error.code.rawValue, error.message)
    } else {
      self.init("failed", error.localizedDescription)
    }
  }

  /// Returns the error that is sent in place of an answer that is too long.
  ///
  ///     {"code":"too-large","message":"…","size":2000000,"type":"error"}
  public static func answerTooLarge(size: Int) -> WireError {
    WireError(
      "too-large",
      "the answer has \(size) bytes, and a browser takes at most \(MessageLimits.outgoing); ask for "
        + "less at once",
      size: size
    )
  }

  private enum Key: String, CodingKey { case type, code, message, reported, size }

  /// Writes the object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("error", forKey: .type)
    try container.encode(code.rawValue, forKey: .code)
    try container.encode(message, forKey: .message)
    try container.encodeIfPresent(reported, forKey: .reported)
    try container.encodeIfPresent(size, forKey: .size)
  }

  /// The object as JSON in UTF-8.
  public var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding strings and numbers cannot fail.
    return (try? encoder.encode(self)) ?? Data(#"{"type":"error"}"#.utf8)
  }
}
