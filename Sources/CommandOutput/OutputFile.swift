internal import DurableFiles
package import TextOutput

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

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

  /// Finds out before long work that a file could not be written.
  package static func check(_ path: String) throws(OutputError) {
    var folder = "/"
    if let slash = path.lastIndex(of: "/") {
      if slash != path.startIndex { folder = String(path[..<slash]) }
    } else {
      folder = "."
    }
    guard unsafe access(folder, W_OK) == 0 else { throw Descriptor.error(path, errno) }
    if isFolder(path) { throw Descriptor.error(path, EISDIR) }
  }

  /// Whether a path leads to a folder.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
