public import CodedErrors

/// The error for an extension that could not be made or built.
public struct BundleError: CodedError, Equatable {
  /// A kind of failure; the set may grow.
  public struct Code: ErrorCode {
    /// The kind's name, in kebab-case.
    public let rawValue: String

    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A name or an identifier that cannot be used.
    public static let badName = Code(rawValue: "bad-name")
    /// A file or folder that is missing, in the way, or cannot be read or written.
    public static let file = Code(rawValue: "file")
    /// A file that the machine fails to read, which says nothing about its contents.
    public static let unreadable = Code(rawValue: "unreadable")
    /// An invalid `Info.plist` or entitlements.
    public static let propertyList = Code(rawValue: "property-list")
    /// The compiler refused the sources.
    public static let build = Code(rawValue: "build")

    /// The kinds of an argument, and of a file or folder that cannot be read or written.
    public static let wrongUse: Set = [badName, file, unreadable]
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
