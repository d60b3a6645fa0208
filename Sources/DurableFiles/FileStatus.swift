internal import CLibrary

/// What is at a path.
public struct FileStatus: Hashable, Sendable {
  /// The kinds of what can be there.
  public enum Kind: Hashable, Sendable {
    /// A regular file.
    case file
    /// A folder.
    case folder
    /// A symbolic link.
    case link
    /// A device, a pipe, or a socket.
    case other
  }

  /// The kind.
  public let kind: Kind
  /// The bytes of a file.
  public let size: Int

  /// Examines what is there, without following links.
  ///
  /// - Throws: ``FileFailure`` if there is nothing, or it cannot be said.
  public init(of path: String) throws(FileFailure) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw FileFailure(path, "looked at", errno) }
    size = Int(status.st_size)
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
  }
}
