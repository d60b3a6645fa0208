internal import CLibrary
package import DurableFiles
package import TextOutput

/// Files that a user asked for.
package enum OutputFile {
  /// Writes a file, which is on the disk when the call returns; nobody ever reads half of it.
  ///
  /// A link is followed, and what is no file, such as a pipe or a device, is written to.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(OutputError) {
    do throws(FileFailure) {
      try DurableFile.export(path, bytes)
    } catch {
      throw OutputError(message: error.description, isClosedPipe: error.number == EPIPE)
    }
  }

  /// What became of a file that was to be written anew.
  package enum Rewriting: Equatable {
    /// It has the new bytes; the path is the file's own, where the name that was given is a link.
    case written(behindLink: String?)
    /// It is as it was: why, and what to do.
    case refused(String)
  }

  /// Writes a plain file of the user's anew, and changes nothing else of it: its owner, group,
  /// permissions and attributes stay, and so do the links that lead to it.
  ///
  /// A file that nobody may write to is left alone, though whoever may write to its folder could put
  /// another in its place, and so is one with several names, of which the others would keep the old
  /// bytes.
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

  /// Why a file must not be written, and what its owner, an administrator or anybody else can do.
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

  /// Finds out before long work that a file could not be written.
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

  /// Whether a path leads to a folder.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
