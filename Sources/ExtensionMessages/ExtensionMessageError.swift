public import CodedErrors

/// What is wrong with the bytes of a message.
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
    /// A byte that no version of the form knows stands where a tag or version must be.
    public static let malformed = Code(rawValue: "malformed")
    /// The bytes are of another version of the form.
    public static let unsupportedVersion = Code(rawValue: "unsupported-version")
    /// A length, depth or count is beyond ``ExtensionMessageLimits``.
    public static let limitExceeded = Code(rawValue: "limit-exceeded")
    /// The value is sound, but is no message: a key is missing or has another type.
    public static let notAMessage = Code(rawValue: "not-a-message")
  }

  /// The kind of fault.
  public let code: Code
  /// What was found and what was expected.
  public let message: String

  /// Says what is wrong.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// The bounds within which a message is written and read.
///
/// Both sides check: the writer so that it can say what is too large, the reader because the writer
/// is a stranger.
public struct ExtensionMessageLimits: Equatable, Sendable {
  /// The most bytes in a frame's body.
  public var bytes: Int
  /// The most values in a message, so that many small ones cannot take much more memory than bytes.
  public var values: Int
  /// The deepest nesting of arrays and dictionaries.
  public var depth: Int

  /// Makes bounds; the defaults hold a rule list of 150,000 long rules with room to spare.
  public init(bytes: Int = 256 << 20, values: Int = 1 << 20, depth: Int = 200) {
    // The length of a frame is written in 32 bits.
    self.bytes = min(max(bytes, 0), Int(UInt32.max))
    self.values = max(values, 1)
    // Reading and writing recurse once a level.
    self.depth = min(max(depth, 1), 500)
  }
}
