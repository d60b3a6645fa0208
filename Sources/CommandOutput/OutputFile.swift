package import TextOutput

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Files that appear whole or not at all.
package enum OutputFile {
  /// Writes a file beside its place and then moves it there, so that nobody reads half of it.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(OutputError) {
    let temporary = "\(path).\(getpid()).new"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Descriptor.error(path, errno) }
    do throws(OutputError) {
      try Descriptor.write(bytes, to: descriptor, name: path)
    } catch {
      close(descriptor)
      unsafe unlink(temporary)
      throw error
    }
    guard close(descriptor) == 0, unsafe rename(temporary, path) == 0 else {
      let number = errno
      unsafe unlink(temporary)
      throw Descriptor.error(path, number)
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
