public import CodedErrors

/// The error for an invalid message.
public struct ExtensionMessageError: CodedError, Equatable {
  /// A kind of fault; the set may grow.
  public struct Code: ErrorCode {
    /// The kind's name, in kebab-case.
    public let rawValue: String

    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The bytes end inside a value.
    public static let truncated = Code(rawValue: "truncated")
    /// Bytes follow the value.
    public static let trailingBytes = Code(rawValue: "trailing-bytes")
    /// A tag or version is invalid in every version of the encoding.
    public static let malformed = Code(rawValue: "malformed")
    /// The bytes have another version of the encoding.
    public static let unsupportedVersion = Code(rawValue: "unsupported-version")
    /// A length, depth or count is beyond ``ExtensionMessageLimits``.
    public static let limitExceeded = Code(rawValue: "limit-exceeded")
    /// The value is valid, but is not a message: a key is missing or has another type.
    public static let notAMessage = Code(rawValue: "not-a-message")
  }

  /// The kind of fault.
  public let code: Code
  /// What was found and what was expected.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// The limits for writing and reading a message.
///
/// Both sides check them: the writer to report what is too large, the reader because it does not
/// trust the writer.
public struct ExtensionMessageLimits: Equatable, Sendable {
  /// The most bytes in a frame's body.
  public var bytes: Int
  /// The most values in a message, since many small ones take much more memory than bytes.
  public var values: Int
  /// The deepest nesting of arrays and dictionaries.
  public var depth: Int

  /// Creates limits; the defaults have ample room for a rule list of 150,000 long rules.
  public init(bytes: Int = 256 << 20, values: Int = 1 << 20, depth: Int = 200) {
    // The length of a frame is written in 32 bits.
    self.bytes = min(max(bytes, 0), Int(UInt32.max))
    self.values = max(values, 1)
    // Reading and writing recurse per level.
    self.depth = min(max(depth, 1), 500)
  }
}
