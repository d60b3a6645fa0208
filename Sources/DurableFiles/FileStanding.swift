internal import CLibrary

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
  /// The number of the user that it belongs to.
  public let owner: UInt32
  /// Why the user must not write to it, as an error number; `nil` if there is no reason.
  ///
  /// That is `EACCES`, too, where its permissions name no writer at all, and the system would let an
  /// administrator all the same.
  public let writeObstacle: Int32?

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
    owner = status.st_uid
    if unsafe access(real, W_OK) != 0 {
      writeObstacle = errno
    } else {
      writeObstacle = status.st_mode & 0o222 == 0 ? EACCES : nil
    }
  }

  /// The name of a user, or the number where there is none.
  public static func name(ofUser number: UInt32) -> String {
    guard let entry = unsafe getpwuid(number), let name = unsafe entry.pointee.pw_name else {
      return "user \(number)"
    }
    return unsafe String(cString: name)
  }
}
