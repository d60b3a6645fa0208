internal import Foundation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// Files with errors that say which.
enum FileSystem {
  static func exists(_ url: URL) -> Bool {
    var status = stat()
    return unsafe lstat(url.path, &status) == 0
  }

  static func isFile(_ url: URL) -> Bool {
    var status = stat()
    return unsafe stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  static func isLink(_ url: URL) -> Bool {
    var status = stat()
    return unsafe lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Takes a folder away that is empty; any other stays.
  static func removeEmptyFolder(_ url: URL) {
    _ = unsafe rmdir(url.path)
  }

  static func attempt<Result>(_ failure: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as GalleryError {
      throw error
    } catch {
      throw GalleryError(.file, "\(failure): \(error.localizedDescription)")
    }
  }

  static func failure(_ words: String, _ number: Int32) -> GalleryError {
    GalleryError(.file, "\(words): \(unsafe String(cString: strerror(number)))")
  }

  static func makeFolder(_ url: URL, mode: Int = 0o755) throws {
    try attempt("\(url.path) cannot be made") {
      try FileManager.default.createDirectory(
        at: url,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: mode]
      )
    }
  }

  /// Takes away a file or a folder, and says nothing if there is none.
  static func remove(_ url: URL) throws {
    guard exists(url) else { return }
    try attempt("\(url.path) cannot be taken away") {
      try FileManager.default.removeItem(at: url)
    }
  }

  /// Puts one file, or folder over nothing, in the place of another in one step.
  static func rename(_ from: URL, to: URL) throws {
    #if canImport(Glibc)
    let result = unsafe Glibc.rename(from.path, to.path)
    #elseif canImport(Musl)
    let result = unsafe Musl.rename(from.path, to.path)
    #else
    let result = unsafe Darwin.rename(from.path, to.path)
    #endif
    guard result == 0 else {
      throw failure("\(from.path) cannot become \(to.path)", errno)
    }
    try sync(folder: to.deletingLastPathComponent())
  }

  /// Waits until a folder's entries are on the disk.
  static func sync(folder: URL) throws {
    let descriptor = unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("\(folder.path) cannot be opened", errno) }
    defer { close(descriptor) }
    // Some file systems cannot; nothing more can be done there.
    _ = fsync(descriptor)
  }

  /// Replaces a file's contents whole or not at all.
  static func replace(_ url: URL, with data: Data, mode: UInt32 = 0o600) throws {
    let new = url.deletingLastPathComponent()
      .appending(path: ".\(url.lastPathComponent).\(UUID().uuidString)")
    do {
      try OutputFile.write(data, toNew: new, mode: mode)
      try rename(new, to: url)
    } catch {
      try? remove(new)
      throw error
    }
  }
}

/// A regular file that is open for reading.
final class InputFile {
  private let handle: FileHandle
  /// The length in bytes at the time of opening.
  let size: UInt64
  let mode: UInt32

  /// Opens a file; anything but a regular file is refused without waiting for it.
  init(_ url: URL, followingLinks: Bool = true) throws {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
    let descriptor = unsafe open(url.path, flags)
    guard descriptor >= 0 else {
      throw FileSystem.failure("\(url.path) cannot be opened", errno)
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw GalleryError(.file, "\(url.path) is not a regular file")
    }
    size = UInt64(max(0, status.st_size))
    mode = UInt32(status.st_mode) & 0o7777
  }

  /// The next bytes; fewer than asked for only at the end.
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

  /// Everything, if it is not more than a limit.
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

/// A new file that is open for writing.
final class OutputFile {
  private let descriptor: Int32
  private let handle: FileHandle
  private let path: String

  /// Makes a file; one that is there, or a link, is an error.
  init(new url: URL, mode: UInt32) throws {
    path = url.path
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    descriptor = unsafe open(path, flags, mode_t(mode))
    guard descriptor >= 0 else { throw FileSystem.failure("\(path) cannot be made", errno) }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // The user's mask has been at the mode.
    guard fchmod(descriptor, mode_t(mode)) == 0 else {
      throw FileSystem.failure("\(path) cannot be given its mode", errno)
    }
  }

  func write(_ data: Data) throws {
    try FileSystem.attempt("\(path) cannot be written") { try handle.write(contentsOf: data) }
  }

  /// Waits until the bytes are on the disk, and closes the file.
  func finish() throws {
    guard fsync(descriptor) == 0 else {
      throw FileSystem.failure("\(path) cannot be written", errno)
    }
    try FileSystem.attempt("\(path) cannot be closed") { try handle.close() }
  }

  static func write(_ data: Data, toNew url: URL, mode: UInt32) throws {
    let file = try OutputFile(new: url, mode: mode)
    do {
      try file.write(data)
      try file.finish()
    } catch {
      try? FileSystem.remove(url)
      throw error
    }
  }
}
