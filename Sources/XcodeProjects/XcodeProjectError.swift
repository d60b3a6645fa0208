public import CodedErrors

/// Why a project cannot be read, or nothing can be taken out of it.
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
    /// A property list that is no Xcode project.
    public static let project = Code(rawValue: "project")
    /// Build settings that refer to each other in a loop, or grow beyond all bounds.
    public static let settings = Code(rawValue: "settings")
    /// A target or configuration that is not there, or must be chosen.
    public static let choice = Code(rawValue: "choice")
    /// A target of which nothing that can be built remains.
    public static let target = Code(rawValue: "target")
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, on which thing, and what to do.
  public let message: String

  /// Says what failed.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message without the name of the thing that it is about, where a finding names it already.
  func reason(about subject: String) -> String {
    guard message.hasPrefix(subject) else { return message }
    return "it" + message.dropFirst(subject.count)
  }
}
