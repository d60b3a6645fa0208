internal import CLibrary
internal import DurableFiles
internal import Foundation

/// File operations whose errors name the file.
enum FileSystem {
  /// Returns whether anything is there, or might be: a path that cannot be inspected does not count
  /// as missing.
  static func exists(_ url: URL) -> Bool { DurableFile.isThere(url.path) }

  static func isFile(_ url: URL) -> Bool {
    var status = stat()
    return unsafe stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  static func isLink(_ url: URL) -> Bool {
    var status = stat()
    return unsafe lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Removes a folder if it is empty.
  static func removeEmptyFolder(_ url: URL) {
    _ = unsafe rmdir(url.path)
  }

  static func attempt<Result>(_ failure: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as GalleryError {
      throw error
    } catch let error as FileFailure {
      throw GalleryError(.file, error.description)
    } catch {
      throw GalleryError(.file, "\(failure): \(FileFailure.reason(of: error))")
    }
  }

  static func failure(_ words: String, _ number: Int32) -> GalleryError {
    GalleryError(.file, "\(words): \(FileFailure.reason(number))")
  }

  static func makeFolder(_ url: URL, mode: UInt32 = 0o755) throws {
    try attempt("") { try DurableFile.makeFolder(url.path, permissions: mode) }
  }

  /// Removes a file or folder, if there is one.
  static func remove(_ url: URL) throws {
    guard exists(url) else { return }
    try attempt("\(url.path) cannot be taken away") {
      try FileManager.default.removeItem(at: url)
    }
  }

  /// Renames a file over another one, or a folder over nothing, in one step.
  static func rename(_ from: URL, to: URL) throws {
    try attempt("") { try DurableFile.rename(from.path, to: to.path) }
  }

  /// Makes a folder's entries durable.
  static func sync(folder: URL) throws {
    try attempt("") { try DurableFile.synchronizeFolder(folder.path) }
  }

  /// Replaces a file atomically.
  static func replace(_ url: URL, with data: Data, mode: UInt32 = 0o600) throws {
    try attempt("") {
      try DurableFile.replace(url.path, with: data, permissions: .exactly(mode))
    }
  }

  /// Replaces a file of the user's settings, or the one that the user has linked it to.
  static func replaceOwnFile(_ url: URL, with data: Data) throws {
    try attempt("") { try DurableFile.replaceOwnFile(url.path, with: data) }
  }
}

/// A regular file, open for reading.
final class InputFile {
  private let handle: FileHandle
  /// The size in bytes when it was opened.
  let size: UInt64
  let mode: UInt32

  /// Opens a regular file; anything else is refused without blocking.
  init(_ url: URL, followingLinks: Bool = true) throws {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
    let descriptor = unsafe open(url.path, flags)
    guard descriptor >= 0 else {
      throw GalleryError(.file, FileFailure(opening: url.path, errno).description)
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let failure = FileFailure(url.path, "read", isFolder ? EISDIR : FileFailure.notAFile)
      throw GalleryError(.file, failure.description)
    }
    size = UInt64(max(0, status.st_size))
    mode = UInt32(status.st_mode) & 0o7777
  }

  /// Reads the next bytes; fewer than requested only at the end.
  func read(_ count: Int) throws -> Data {
    try FileSystem.attempt("The file cannot be read") {
      var result = Data()
      while result.count < count {
        guard let part = try handle.read(upToCount: count - result.count), !part.isEmpty else {
          break
        }
        if result.isEmpty { result = part } else { result.append(part) }
      }
      return result
    }
  }

  func seek(to offset: UInt64) throws {
    try FileSystem.attempt("The file cannot be read") { try handle.seek(toOffset: offset) }
  }

  /// Reads the whole file, unless it exceeds a limit.
  func readAll(limit: Int, what: String) throws -> Data {
    guard size <= UInt64(limit) else {
      throw GalleryError(.tooLarge, "\(what) has \(size) bytes; at most \(limit) are taken")
    }
    let data = try read(limit + 1)
    guard data.count <= limit else {
      throw GalleryError(.tooLarge, "\(what) has more than the \(limit) bytes that are taken")
    }
    return data
  }
}

/// A new file, open for writing.
final class WritableFile {
  private let file: NewFile

  /// Creates a file; an existing file or link is an error.
  init(new url: URL, mode: UInt32) throws {
    file = try FileSystem.attempt("") { try NewFile(url.path, permissions: .exactly(mode)) }
  }

  func write(_ data: Data) throws { try FileSystem.attempt("") { try file.write(data) } }

  /// Makes the bytes durable, and closes the file.
  func finish() throws { try FileSystem.attempt("") { try file.finish() } }

  static func write(_ data: Data, toNew url: URL, mode: UInt32) throws {
    try FileSystem.attempt("") {
      try DurableFile.create(url.path, with: data, permissions: .exactly(mode))
    }
  }
}
