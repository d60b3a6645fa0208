public import DurableFiles
internal import Foundation

/// Which file is at a path.
public struct DatabaseIdentity: Hashable, Sendable {
  private let device: UInt
  private let inode: UInt

  /// Finds the file, following links; `nil` if nothing is there.
  ///
  /// - Throws: `FileFailure` if it cannot be said.
  public init?(_ path: String) throws(FileFailure) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw FileFailure(path, "looked at", errno)
    }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }
}
