public import CodedErrors

/// The error for an invalid ``URLMatchPattern``.
public struct URLMatchPatternError: CodedError, Hashable {
  /// The kinds of error; more may come.
  public struct Code: ErrorCode {
    /// The kind's name.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// There is no `://`, or nothing in front of it.
    public static let missingScheme = Code(rawValue: "missing-scheme")
    /// What is in front of `://` is neither a scheme nor `*`.
    public static let invalidScheme = Code(rawValue: "invalid-scheme")
    /// There is nothing between `://` and the path.
    public static let missingHost = Code(rawValue: "missing-host")
    /// The host contains characters that no host has.
    public static let invalidHost = Code(rawValue: "invalid-host")
    /// There is no `/` behind the host.
    public static let missingPath = Code(rawValue: "missing-path")
  }

  /// The kind of error.
  public var code: Code
  /// The problem, in one sentence.
  public var message: String
  /// The UTF-8 bytes of the fault, half open; empty if something is missing there.
  public var range: Range<Int>
  /// What to write instead.
  public var hint: String

  /// Creates an error from its parts.
  public init(code: Code, message: String, range: Range<Int>, hint: String) {
    self.code = code
    self.message = message
    self.range = range
    self.hint = hint
  }
}

extension URLMatchPatternError {
  /// The message, the place and the hint in one line.
  public var description: String {
    "\(message) at bytes \(range.lowerBound)..<\(range.upperBound); \(hint)"
  }
}
