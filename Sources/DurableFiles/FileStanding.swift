internal import CLibrary

/// What another file in the place of a plain file would change.
public struct FileStanding: Hashable, Sendable {
  /// The file's own path, without links.
  public let path: String
  /// Whether the given path is a link.
  public let isLink: Bool
  /// The number of its hard links; a replacement takes over only one.
  public let nameCount: Int
  /// The permissions' lowest twelve bits.
  public let permissions: UInt32
  /// The user ID of its owner.
  public let owner: UInt32
  /// The error number that writing would fail with; `nil` if it is permitted.
  ///
  /// Also `EACCES` if its permissions name no writer at all, although the system would let an
  /// administrator write.
  public let writeObstacle: Int32?

  /// Examines a file, following links.
  ///
  /// - Throws: ``FileFailure`` if there is no plain file.
  public init(of path: String) throws(FileFailure) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw FileFailure(path, "read", errno) }
    isLink = status.st_mode & S_IFMT == S_IFLNK
    guard let real = unsafe realpath(path, nil) else { throw FileFailure(path, "read", errno) }
    defer { unsafe free(real) }
    self.path = unsafe String(cString: real)
    guard unsafe stat(real, &status) == 0 else { throw FileFailure(path, "read", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileFailure(path, "replaced", FileFailure.notAFile)
    }
    nameCount = Int(status.st_nlink)
    permissions = UInt32(status.st_mode & 0o7777)
    owner = status.st_uid
    if unsafe access(real, W_OK) != 0 {
      writeObstacle = errno
    } else {
      writeObstacle = status.st_mode & 0o222 == 0 ? EACCES : nil
    }
  }

  /// Returns the name of a user, or the ID if there is none.
  public static func name(ofUser number: UInt32) -> String {
    guard let entry = unsafe getpwuid(number), let name = unsafe entry.pointee.pw_name else {
      return "user \(number)"
    }
    return unsafe String(cString: name)
  }
}
