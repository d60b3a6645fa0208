#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// What the store asks of the file system, by paths.
enum FileSystem {
  /// Makes a file that is not there yet, and waits until its bytes are on the disk.
  static func writeNew(_ path: String, _ bytes: [UInt8]) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = unsafe open(path, flags, mode_t(0o666))
    guard descriptor >= 0 else { throw FileError(path: path, number: errno) }
    defer { close(descriptor) }
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes[start...].withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileError(path: path, number: count < 0 ? errno : ENOSPC) }
      start += count
    }
    guard isOnDisk(descriptor) else { throw FileError(path: path, number: errno) }
  }

  /// Changes names in a folder, and waits until the change is on the disk.
  ///
  /// A folder that cannot be opened is left as it is.
  static func change(
    inFolder folder: String,
    _ body: () throws(FileError) -> Void
  ) throws(FileError) {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: folder, number: errno) }
    defer { close(descriptor) }
    try body()
    // Some file systems cannot do it for folders, and nothing more can be done there.
    guard isOnDisk(descriptor) || errno == EINVAL else {
      throw FileError(path: folder, number: errno)
    }
  }

  /// Waits until what was written is on the disk; false, with `errno`, if that failed.
  private static func isOnDisk(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
    // There, `fsync` does not empty the disk's own memory.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
  }

  /// Puts a file in the place of another in one step.
  static func rename(_ old: String, to new: String) throws(FileError) {
    #if canImport(Glibc)
    let result = unsafe Glibc.rename(old, new)
    #elseif canImport(Musl)
    let result = unsafe Musl.rename(old, new)
    #elseif canImport(Darwin)
    let result = unsafe Darwin.rename(old, new)
    #endif
    guard result == 0 else { throw FileError(path: new, number: errno) }
  }

  /// Removes a file, and no folder.
  static func remove(_ path: String) throws(FileError) {
    guard unsafe unlink(path) == 0 else { throw FileError(path: path, number: errno) }
  }
}

/// A file that could not be used.
public struct FileError: Error, Sendable {
  /// The file.
  public var path: String
  /// The system's error number.
  public var number: Int32

  /// What failed, on which file, in one sentence.
  public var message: String { "\(path): \(reason)" }

  /// The system's words for the error, beginning with a small letter.
  var reason: String {
    let reason = unsafe String(cString: strerror(number))
    return reason.prefix(1).lowercased() + reason.dropFirst()
  }

  /// Whether there is no such file.
  var isAbsence: Bool { number == ENOENT }
}
