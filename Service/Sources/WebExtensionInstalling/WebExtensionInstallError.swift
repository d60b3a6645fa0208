public import CodedErrors

/// Why a web extension cannot be added to browsers, and what to do about it.
public struct WebExtensionInstallError: CodedError, Equatable {
  /// A kind of failure; the set may grow.
  public struct Code: ErrorCode {
    /// The kind's name, in kebab-case.
    public let rawValue: String

    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An extension that is not installed, or is none for browsers.
    public static let notInstalled = Code(rawValue: "not-installed")
    /// A browser half that cannot be translated.
    public static let extensionFiles = Code(rawValue: "extension-files")
    /// Another program's file that is in the way.
    public static let inTheWay = Code(rawValue: "in-the-way")
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
