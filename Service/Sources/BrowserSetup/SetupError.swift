public import CodedErrors

/// Why something cannot be set up, and what to do about it.
public struct SetupError: CodedError, Equatable {
  /// A kind of failure; the set may grow.
  public struct Code: ErrorCode {
    /// The kind's name, in kebab-case.
    public let rawValue: String

    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Others than those who are trusted could change what would be used.
    public static let unsafe = Code(rawValue: "unsafe")
    /// Another process is setting up.
    public static let busy = Code(rawValue: "busy")
    /// The record of what was written cannot be used.
    public static let record = Code(rawValue: "record")
    /// A file that the system does not let be read or written.
    public static let file = Code(rawValue: "file")

    /// The kinds of an argument, and of a file or folder that cannot be read or written.
    public static let wrongUse: Set = [file, record]
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
