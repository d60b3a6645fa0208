public import CodedErrors

/// Why a web extension cannot be read or translated, and what to do about it.
public struct WebExtensionError: CodedError, Equatable {
  /// A kind of failure; the set may grow.
  public struct Code: ErrorCode {
    /// The kind's name, in kebab-case.
    public let rawValue: String

    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A manifest that is not JSON; the message has line and column.
    public static let syntax = Code(rawValue: "syntax")
    /// A manifest without what every browser requires.
    public static let manifest = Code(rawValue: "manifest")
    /// A file that is missing or cannot be read.
    public static let file = Code(rawValue: "file")
    /// More or larger files than are accepted.
    public static let limit = Code(rawValue: "limit")

    /// The kinds of an argument, and of a file or folder that cannot be read or written.
    public static let wrongUse: Set = [file]
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, on which thing, and what to do.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
