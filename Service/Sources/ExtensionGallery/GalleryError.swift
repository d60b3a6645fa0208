/// Why a package, a list or an installation was refused, or failed.
public struct GalleryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A kind of failure; the set may grow.
  public struct Code: Equatable, Hashable, Sendable {
    /// The kind's name.
    public let name: String

    /// A file or folder that is missing, in the way, or cannot be read or written.
    public static let file = Code(name: "file")
    /// A key, or a file with a key, that cannot be used.
    public static let key = Code(name: "key")
    /// A bundle, or its `Info.plist`, that cannot be packaged or installed.
    public static let bundle = Code(name: "bundle")
    /// Bytes that are not a package at all.
    public static let notAPackage = Code(name: "notAPackage")
    /// A format's version that is not known here.
    public static let unsupportedVersion = Code(name: "unsupportedVersion")
    /// A package that ends before its manifest says.
    public static let truncated = Code(name: "truncated")
    /// Bytes after the last file of a package.
    public static let trailingBytes = Code(name: "trailingBytes")
    /// Signed text that breaks its format's rules.
    public static let malformed = Code(name: "malformed")
    /// A path that could leave the bundle, or that file systems understand differently.
    public static let badPath = Code(name: "badPath")
    /// Two paths that are one on some file system.
    public static let duplicatePath = Code(name: "duplicatePath")
    /// More bytes, files or text than a limit allows.
    public static let tooLarge = Code(name: "tooLarge")
    /// A signature that does not belong to what it stands beside.
    public static let badSignature = Code(name: "badSignature")
    /// Contents that are not what was signed.
    public static let changedContents = Code(name: "changedContents")
    /// Another key than the one that is pinned.
    public static let otherKey = Code(name: "otherKey")
    /// A rotation of keys that is not signed by both.
    public static let badRotation = Code(name: "badRotation")
    /// A list older than one that was seen.
    public static let listReplayed = Code(name: "listReplayed")
    /// A list past its expiry.
    public static let listExpired = Code(name: "listExpired")
    /// A keys document older than one that was seen.
    public static let keysReplayed = Code(name: "keysReplayed")
    /// A keys document past its expiry.
    public static let keysExpired = Code(name: "keysExpired")
    /// A clock that cannot be right.
    public static let clock = Code(name: "clock")
    /// A package that is not the one its list names.
    public static let notTheListed = Code(name: "notTheListed")
    /// A lower version than one that was installed.
    public static let lowerVersion = Code(name: "lowerVersion")
    /// Other contents under a version that is installed.
    public static let sameVersion = Code(name: "sameVersion")
    /// A version whose first start failed.
    public static let failedBefore = Code(name: "failedBefore")
    /// A first start that failed; the version before is back.
    public static let firstStart = Code(name: "firstStart")
    /// It is installed, and nobody could find out yet whether it starts.
    public static let notTried = Code(name: "notTried")
    /// An address that is not reached, or that is not allowed.
    public static let download = Code(name: "download")
    /// A name that no gallery knows, or that several know.
    public static let notFound = Code(name: "notFound")
    /// What the host of extensions does not let in, such as a group of another developer's.
    public static let refused = Code(name: "refused")
    /// Something that was decided on, and is not so any more.
    public static let changed = Code(name: "changed")
    /// Another process that is installing.
    public static let busy = Code(name: "busy")
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

  /// The message.
  public var description: String { message }
}
