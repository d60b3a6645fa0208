internal import CLibrary
package import DurableFiles
package import TextOutput

/// Writes files that a user asked for.
package enum OutputFile {
  /// Replaces a file atomically and durably: it is on the disk when the call returns, and nobody
  /// reads half of it.
  ///
  /// Follows a symbolic link, and writes into what is not a plain file, such as a pipe or a device.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(OutputError) {
    do throws(FileFailure) {
      try DurableFile.export(path, bytes)
    } catch {
      throw OutputError(message: error.description, isClosedPipe: error.number == EPIPE)
    }
  }

  /// The outcome of rewriting a file.
  package enum Rewriting: Equatable {
    /// The file has the new bytes; the path is the file's own if the given name is a link.
    case written(behindLink: String?)
    /// The file is unchanged; the text says why, and what to do.
    case refused(String)
  }

  /// Rewrites a plain file of the user's, keeping its owner, group, permissions, attributes and the
  /// symbolic links to it.
  ///
  /// Refuses a read-only file, even if its folder is writable and another file could replace it,
  /// and a file with several hard links, since the others would keep the old bytes.
  package static func rewrite(
    _ path: String,
    with bytes: [UInt8]
  ) throws(OutputError) -> Rewriting {
    do throws(FileFailure) {
      let standing = try FileStanding(of: path)
      if let obstacle = standing.writeObstacle {
        return .refused(refusal(path, standing, obstacle, user: geteuid()))
      }
      guard standing.nameCount == 1 else {
        return .refused(
          "\(path) is one of \(standing.nameCount) names of a file (hard links) and was left as it "
            + "is, since the others would keep the old text; make it a file of its own with cp and "
            + "mv, and run the command again"
        )
      }
      try DurableFile.replace(standing.path, with: bytes, permissions: .kept)
      return .written(behindLink: standing.isLink ? standing.path : nil)
    } catch {
      if error.number == EPERM || error.number == EACCES { return .refused(error.description) }
      throw OutputError(message: error.description, isClosedPipe: false)
    }
  }

  /// Returns why a file must not be written, and what its owner, an administrator or anybody else
  /// can do.
  package static func refusal(
    _ path: String,
    _ standing: FileStanding,
    _ obstacle: Int32,
    user: UInt32
  ) -> String {
    let permissions = "permissions \(octal(standing.permissions))"
    guard obstacle == EACCES else {
      return FileFailure(path, "written", obstacle).description + "; it was left as it is"
    }
    guard user == standing.owner || user == 0 else {
      let owner = FileStanding.name(ofUser: standing.owner)
      return
        "\(path) belongs to \(owner), who lets nobody like you write to it (\(permissions)), and was "
        + "left as it is; have \(owner) run the command, or run it on a copy of your own"
    }
    return "\(path) is write-protected (\(permissions)) and was left as it is; allow writing with "
      + "chmod u+w, and run the command again"
  }

  private static func octal(_ permissions: UInt32) -> String {
    let digits = String(permissions, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  /// Checks, before long work, whether a file can be written.
  package static func check(_ path: String) throws(OutputError) {
    var folder = "/"
    if let slash = path.lastIndex(of: "/") {
      if slash != path.startIndex { folder = String(path[..<slash]) }
    } else {
      folder = "."
    }
    guard unsafe access(folder, W_OK) == 0 else { throw OutputDescriptor.error(path, errno) }
    if isFolder(path) { throw OutputDescriptor.error(path, EISDIR) }
  }

  /// Whether a path is that of something else than a plain file or a folder, such as a device.
  package static func isSpecial(_ path: String) -> Bool {
    kind(of: path).map { $0 != S_IFREG && $0 != S_IFDIR } ?? false
  }

  /// Whether a path is that of a folder.
  package static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

  /// What a path leads to; `nil` if nothing is there.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
