/// The error for an extension that could not be made or built.
public struct BundleError: Error, Equatable, Sendable {
  /// A kind of failure; the set may grow.
  public struct Code: Equatable, Sendable {
    /// The kind's name.
    public let name: String

    /// A name or an identifier that cannot be used.
    public static let badName = Code(name: "badName")
    /// A file or folder that is missing, in the way, or cannot be read or written.
    public static let file = Code(name: "file")
    /// A file that the machine fails to read, which says nothing about its contents.
    public static let unreadable = Code(name: "unreadable")
    /// An invalid `Info.plist` or entitlements.
    public static let propertyList = Code(name: "propertyList")
    /// The compiler refused the sources.
    public static let build = Code(name: "build")
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
