#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// What there is to know of a plain file before another takes its place.
public struct FileStanding: Hashable, Sendable {
  /// The file itself, with no link in its path.
  public let path: String
  /// Whether the name that was asked for is a link.
  public let isLink: Bool
  /// How many names it has in its file system; of several, a replacement takes one.
  public let nameCount: Int
  /// The permissions' lowest twelve bits.
  public let permissions: UInt32
  /// Whether the user may write to it, and somebody was meant to: nobody is where its permissions
  /// name no writer, and the system lets an administrator all the same.
  public let isWritable: Bool

  /// Looks at a file, whose links are followed.
  ///
  /// - Throws: ``FileFailure`` where there is no plain file.
  public init(of path: String) throws(FileFailure) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw FileFailure(path, "read", errno) }
    isLink = status.st_mode & S_IFMT == S_IFLNK
    guard let real = unsafe realpath(path, nil) else { throw FileFailure(path, "read", errno) }
    defer { unsafe free(real) }
    self.path = unsafe String(cString: real)
    guard unsafe stat(real, &status) == 0 else { throw FileFailure(path, "read", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileFailure(path, "replaced", EINVAL) }
    nameCount = Int(status.st_nlink)
    permissions = UInt32(status.st_mode & 0o7777)
    let mayWrite = unsafe access(real, W_OK) == 0
    isWritable = mayWrite && status.st_mode & 0o222 != 0
  }
}
