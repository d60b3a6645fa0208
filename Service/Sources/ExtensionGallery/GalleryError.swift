public import CodedErrors

/// Why a package, a list or an installation was refused, or failed.
public struct GalleryError: CodedError, Equatable {
  /// A kind of failure; the set may grow.
  public struct Code: ErrorCode {
    /// The kind's name, in kebab-case.
    public let rawValue: String

    /// Names a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A file or folder that is missing, in the way, or cannot be read or written.
    public static let file = Code(rawValue: "file")
    /// A key, or a file with a key, that cannot be used.
    public static let key = Code(rawValue: "key")
    /// A bundle, or its `Info.plist`, that cannot be packaged or installed.
    public static let bundle = Code(rawValue: "bundle")
    /// Bytes that are not a package at all.
    public static let notAPackage = Code(rawValue: "not-a-package")
    /// A format's version that is not known here.
    public static let unsupportedVersion = Code(rawValue: "unsupported-version")
    /// A package that ends before its manifest says.
    public static let truncated = Code(rawValue: "truncated")
    /// Bytes after the last file of a package.
    public static let trailingBytes = Code(rawValue: "trailing-bytes")
    /// Signed text that breaks its format's rules.
    public static let malformed = Code(rawValue: "malformed")
    /// A path that could leave the bundle, or that file systems understand differently.
    public static let badPath = Code(rawValue: "bad-path")
    /// Two paths that are one on some file system.
    public static let duplicatePath = Code(rawValue: "duplicate-path")
    /// More bytes, files or text than a limit allows.
    public static let tooLarge = Code(rawValue: "too-large")
    /// A signature that does not belong to what it stands beside.
    public static let badSignature = Code(rawValue: "bad-signature")
    /// Contents that are not what was signed.
    public static let changedContents = Code(rawValue: "changed-contents")
    /// Another key than the one that is pinned.
    public static let otherKey = Code(rawValue: "other-key")
    /// A rotation of keys that is not signed by both.
    public static let badRotation = Code(rawValue: "bad-rotation")
    /// A list older than one that was seen.
    public static let listReplayed = Code(rawValue: "list-replayed")
    /// A list past its expiry.
    public static let listExpired = Code(rawValue: "list-expired")
    /// A keys document older than one that was seen.
    public static let keysReplayed = Code(rawValue: "keys-replayed")
    /// A keys document past its expiry.
    public static let keysExpired = Code(rawValue: "keys-expired")
    /// A clock that cannot be right.
    public static let clock = Code(rawValue: "clock")
    /// A package that is not the one its list names.
    public static let notTheListed = Code(rawValue: "not-the-listed")
    /// A lower version than one that was installed.
    public static let lowerVersion = Code(rawValue: "lower-version")
    /// Other contents under a version that is installed.
    public static let sameVersion = Code(rawValue: "same-version")
    /// A version whose first start failed.
    public static let failedBefore = Code(rawValue: "failed-before")
    /// A first start that failed; the version before is back.
    public static let firstStart = Code(rawValue: "first-start")
    /// It is installed, and nobody could find out yet whether it starts.
    public static let notTried = Code(rawValue: "not-tried")
    /// An address that is not reached, or that is not allowed.
    public static let download = Code(rawValue: "download")
    /// A name that no gallery knows, or that several know.
    public static let notFound = Code(rawValue: "not-found")
    /// What the host of extensions does not let in, such as a group of another developer's.
    public static let refused = Code(rawValue: "refused")
    /// Something that was decided on, and is not so any more.
    public static let changed = Code(rawValue: "changed")
    /// An installed extension that cannot be read.
    public static let damaged = Code(rawValue: "damaged")
    /// Another process that is installing.
    public static let busy = Code(rawValue: "busy")

    /// The kinds of an argument, and of a file or folder that cannot be read or written.
    public static let wrongUse: Set = [file]
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
}
