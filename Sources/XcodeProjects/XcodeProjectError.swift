public import CodedErrors

/// The error for a project that cannot be read or imported.
public struct XcodeProjectError: CodedError, Equatable {
  /// A kind of failure; the set may grow.
  public struct Code: ErrorCode {
    /// The kind's name, in kebab-case.
    public let rawValue: String

    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A file or folder that is missing, in the way, or cannot be read or written.
    public static let file = Code(rawValue: "file")
    /// A property list that does not parse; the message has line and column.
    public static let syntax = Code(rawValue: "syntax")
    /// A property list that is not an Xcode project.
    public static let project = Code(rawValue: "project")
    /// Build settings with cyclic references, or without bounds.
    public static let settings = Code(rawValue: "settings")
    /// A target or configuration that does not exist, or must be chosen.
    public static let choice = Code(rawValue: "choice")
    /// A target that has nothing to build.
    public static let target = Code(rawValue: "target")
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

  /// Returns the message without the name of its subject, for a finding that names it already.
  func reason(about subject: String) -> String {
    guard message.hasPrefix(subject) else { return message }
    return "it" + message.dropFirst(subject.count)
  }
}
