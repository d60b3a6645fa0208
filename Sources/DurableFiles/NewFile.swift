internal import CLibrary

/// A file that is written piece by piece.
///
/// Its bytes are on the disk after ``synchronize()``. Its name is after its folder is flushed, by
/// ``DurableFile/synchronizeFolder(_:)`` or by ``DurableFile/rename(_:to:)``, which makes it
/// replace another file.
public final class NewFile: Sendable {
  private let state: Descriptor
  private let path: String

  /// A descriptor that is closed once.
  private final class Descriptor: @unchecked Sendable {
    var number: Int32
    init(_ number: Int32) { self.number = number }
  }

  /// Creates a file; it is an error if a file or link exists.
  public convenience init(
    _ path: String,
    permissions: FilePermissions = .exactly(0o600)
  ) throws(FileFailure) {
    try self.init(path, in: AT_FDCWD, path: path, permissions: permissions, replacing: nil)
  }

  init(descriptor: Int32, path: String) {
    state = Descriptor(descriptor)
    self.path = path
  }

  /// Creates a file in an open folder, with the permissions of the file that it will replace.
  convenience init(
    _ name: String,
    in folder: Int32,
    path: String,
    permissions: FilePermissions,
    replacing old: String?
  ) throws(FileFailure) {
    let status = old.flatMap { Self.status(of: $0, in: folder) }
    var exact: mode_t?
    var given: mode_t = 0o666
    switch permissions {
    case .exactly(let mode):
      given = mode_t(mode)
      exact = mode_t(mode)
    case .inherited:
      if let status {
        given = status.st_mode & 0o777
        exact = given
      }
    case .kept:
      guard let status else { throw FileFailure(path, "replaced", ENOENT) }
      // Accessible to nobody else before it has its owner.
      given = 0o600
      exact = status.st_mode & 0o7777
    }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = unsafe openat(folder, name, flags, given)
    guard number >= 0 else { throw FileFailure(opening: path, errno, action: "made") }
    // Tells whoever finds a draft that somebody writes it; see `DurableFile.removeDrafts(in:)`. Where there are
    // no locks, its age tells.
    _ = FileLock.lock(number)
    self.init(descriptor: number, path: path)
    do throws(FileFailure) {
      if let old, let status {
        switch permissions {
        case .exactly: break
        case .inherited:
          if !inheritAccessList(of: old, in: folder) {
            // Without the access list, these bits would grant the group what was only the list's
            // maximum.
            exact = exact.map { $0 & ~0o070 }
          }
        case .kept:
          try keepOwner(of: status)
          try keepAttributes(of: old, in: folder)
        }
      }
      // The umask has been applied to the mode, and changing the owner clears some bits.
      if let exact, fchmod(number, exact) != 0 {
        throw FileFailure(path, "given its permissions", errno)
      }
    } catch {
      _ = unsafe unlinkat(folder, name, 0)
      throw error
    }
  }

  /// Returns the status of a plain file, following links; `nil` if there is none.
  private static func status(of name: String, in folder: Int32) -> stat? {
    var status = stat()
    guard unsafe fstatat(folder, name, &status, 0) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return status
  }

  /// Sets the owner and the group of another file.
  private func keepOwner(of old: stat) throws(FileFailure) {
    var new = stat()
    guard unsafe fstat(state.number, &new) == 0 else { throw FileFailure(path, "read", errno) }
    guard new.st_uid != old.st_uid || new.st_gid != old.st_gid else { return }
    guard fchown(state.number, old.st_uid, old.st_gid) == 0 else {
      throw FileFailure(path, "replaced by one of the same owner and group", errno)
    }
  }

  /// Sets the attributes of another file, including its access list.
  private func keepAttributes(of old: String, in folder: Int32) throws(FileFailure) {
    let number = unsafe openat(folder, old, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw FileFailure(path, "read", errno) }
    defer { _ = systemClose(number) }
    try ExtendedAttributes.copyAll(from: number, to: state.number, path: path)
  }

  /// Sets the access list of another file; returns false if that has one that cannot be set.
  private func inheritAccessList(of old: String, in folder: Int32) -> Bool {
    let number = unsafe openat(folder, old, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // A file that cannot be read cannot be examined for a list.
    guard number >= 0 else { return false }
    defer { _ = systemClose(number) }
    do throws(FileFailure) {
      try ExtendedAttributes.copyAccessList(from: number, to: state.number, path: path)
      return true
    } catch {
      return false
    }
  }

  deinit { if state.number >= 0 { _ = systemClose(state.number) } }

  /// Writes all bytes.
  public func write(_ bytes: some Collection<UInt8>) throws(FileFailure) {
    try writeAll(bytes, to: state.number, path: path)
  }

  /// Flushes what was written to the disk.
  public func synchronize() throws(FileFailure) {
    try waitForDisk(state.number, path: path)
  }

  /// Flushes what was written to the disk, and closes the file.
  public func finish() throws(FileFailure) {
    try synchronize()
    try close()
  }

  /// Closes the file; network file systems may report write errors only now.
  public func close() throws(FileFailure) {
    guard state.number >= 0 else { return }
    let number = state.number
    state.number = -1
    guard systemClose(number) == 0 || errno == EINTR else {
      throw FileFailure(path, "written", errno)
    }
  }
}

private func systemClose(_ number: Int32) -> Int32 { close(number) }

/// Writes all bytes to a descriptor, waiting as long as necessary.
public func writeAll(
  _ bytes: some Collection<UInt8>,
  to descriptor: Int32,
  path: String
) throws(FileFailure) {
  // Collections other than arrays may not be contiguous.
  let failure =
    unsafe bytes.withContiguousStorageIfAvailable {
      unsafe writeAll(UnsafeRawBufferPointer($0), descriptor)
    }
    ?? ContiguousArray(bytes).withUnsafeBytes { unsafe writeAll($0, descriptor) }
  if failure != 0 { throw FileFailure(path, "written", failure) }
}

/// - Returns: The error number; 0 if all is written.
private func writeAll(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Int32 {
  var start = 0
  while start < bytes.count {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
    let count = unsafe write(descriptor, rest.baseAddress, rest.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return count < 0 ? errno : ENOSPC }
    start += count
  }
  return 0
}

/// Flushes a file to the disk.
public func waitForDisk(_ descriptor: Int32, path: String) throws(FileFailure) {
  #if canImport(Darwin)
  // On Apple systems, `fsync` does not flush the disk's own cache.
  if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
  #endif
  guard fsync(descriptor) == 0 else { throw FileFailure(path, "written to the disk", errno) }
}

/// A folder whose names are changed.
struct OpenFolder: ~Copyable {
  let descriptor: Int32
  private let path: String
  private let isOwned: Bool
  /// Whether the folder is readable; otherwise it cannot be flushed by itself.
  private let isReadable: Bool

  init(_ path: String) throws(FileFailure) {
    var number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let canRead = number >= 0
    #if os(Linux)
    if !canRead, errno == EACCES {
      // Names can be changed in an unreadable folder. `O_PATH`, which Swift does not import.
      number = unsafe open(path, 0o10000000 | O_DIRECTORY | O_CLOEXEC)
    }
    #endif
    guard number >= 0 else { throw FileFailure(opening: path, errno) }
    self.init(number, path, isOwned: true, isReadable: canRead)
  }

  /// Opens the folder of a file; errors name the file, which is what the user gave.
  init(_ path: String, of file: String) throws(FileFailure) {
    do throws(FileFailure) {
      try self.init(path)
    } catch {
      guard error.number != FileFailure.linkToNothing else { throw error }
      throw FileFailure(file, "written", error.number)
    }
  }

  private init(_ descriptor: Int32, _ path: String, isOwned: Bool, isReadable: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.isOwned = isOwned
    self.isReadable = isReadable
  }

  /// Uses a folder whose descriptor the caller closes.
  init(borrowing descriptor: Int32, path: String) {
    self.init(descriptor, path, isOwned: false, isReadable: true)
  }

  deinit { if isOwned { close(descriptor) } }

  /// Flushes the names in the folder to the disk.
  func synchronize() throws(FileFailure) {
    // Flushes all disks, since the folder itself cannot be flushed.
    guard isReadable else { return sync() }
    try synchronizeFolder(descriptor, path: path)
  }
}

/// Flushes the names in an open folder to the disk.
public func synchronizeFolder(_ descriptor: Int32, path: String) throws(FileFailure) {
  guard fsync(descriptor) == 0 else {
    // Some file systems do not support this for folders, and there is nothing else to do.
    if errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP { return }
    throw FileFailure(path, "written to the disk", errno)
  }
}
