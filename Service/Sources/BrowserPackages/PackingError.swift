public import CodedErrors

/// Why an extension cannot be packed, and what to do about it.
public struct PackingError: CodedError, Equatable {
  /// A kind of failure; the set may grow.
  public struct Code: ErrorCode {
    /// The kind's name, in kebab-case.
    public let rawValue: String

    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A folder that is no built extension.
    public static let folder = Code(rawValue: "folder")
    /// A key that cannot be had or used.
    public static let key = Code(rawValue: "key")
    /// A file that the system does not let be read or written.
    public static let file = Code(rawValue: "file")

    /// The kinds of an argument, and of a file or folder that cannot be read or written.
    public static let wrongUse: Set = [file]
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, on which thing, and what to do.
  public let message: String

  /// Says what failed.
  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
