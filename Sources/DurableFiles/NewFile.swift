internal import CLibrary

/// A file that is written piece by piece.
///
/// Its bytes are on the disk after ``synchronize()``. Its name is when its folder is synchronised, as
/// ``DurableFile/synchronizeFolder(_:)`` does and ``DurableFile/rename(_:to:)``, which makes the file
/// take another's place.
public final class NewFile: Sendable {
  private let state: Descriptor
  private let path: String

  /// A descriptor, closed once.
  private final class Descriptor: @unchecked Sendable {
    var number: Int32
    init(_ number: Int32) { self.number = number }
  }

  /// Makes a file; one that is there, or a link, is an error.
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

  /// Makes a file in an open folder, with the permissions of the file that it will replace.
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
      // Nobody else's until it is its owner's.
      given = 0o600
      exact = status.st_mode & 0o7777
    }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = unsafe openat(folder, name, flags, given)
    guard number >= 0 else { throw FileFailure(path, "made", errno) }
    self.init(descriptor: number, path: path)
    do throws(FileFailure) {
      if let old, let status {
        switch permissions {
        case .exactly: break
        case .inherited:
          if !inheritAccessList(of: old, in: folder) {
            // Of a list that is lost, they were the most that anybody in it could have.
            exact = exact.map { $0 & ~0o070 }
          }
        case .kept:
          try keepOwner(of: status)
          try keepAttributes(of: old, in: folder)
        }
      }
      // The user's mask has been at the mode, and a new owner has some of it taken off.
      if let exact, fchmod(number, exact) != 0 {
        throw FileFailure(path, "given its permissions", errno)
      }
    } catch {
      _ = unsafe unlinkat(folder, name, 0)
      throw error
    }
  }

  /// What is known of a plain file, be it behind a link; `nil` where there is none.
  private static func status(of name: String, in folder: Int32) -> stat? {
    var status = stat()
    guard unsafe fstatat(folder, name, &status, 0) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return status
  }

  /// Gives the file the owner and the group of another.
  private func keepOwner(of old: stat) throws(FileFailure) {
    var new = stat()
    guard unsafe fstat(state.number, &new) == 0 else { throw FileFailure(path, "read", errno) }
    guard new.st_uid != old.st_uid || new.st_gid != old.st_gid else { return }
    guard fchown(state.number, old.st_uid, old.st_gid) == 0 else {
      throw FileFailure(path, "replaced by one of the same owner and group", errno)
    }
  }

  /// Gives the file the attributes of another, its access list among them.
  private func keepAttributes(of old: String, in folder: Int32) throws(FileFailure) {
    let number = unsafe openat(folder, old, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw FileFailure(path, "read", errno) }
    defer { _ = systemClose(number) }
    try ExtendedAttributes.copyAll(from: number, to: state.number, path: path)
  }

  /// Gives the file the access list of another; false if that has one that cannot be given.
  private func inheritAccessList(of old: String, in folder: Int32) -> Bool {
    let number = unsafe openat(folder, old, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // Whoever may not read a file cannot look for its list.
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

  /// Waits until what was written is on the disk.
  public func synchronize() throws(FileFailure) {
    try waitForDisk(state.number, path: path)
  }

  /// Waits until what was written is on the disk, and closes the file.
  public func finish() throws(FileFailure) {
    try synchronize()
    try close()
  }

  /// Closes the file, of which network file systems tell errors of writing only now.
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

/// Writes all bytes to a descriptor, and waits as long as that takes.
public func writeAll(
  _ bytes: some Collection<UInt8>,
  to descriptor: Int32,
  path: String
) throws(FileFailure) {
  // Other collections than arrays may keep their bytes in several places.
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

/// Waits until what was written to a file is on the disk.
public func waitForDisk(_ descriptor: Int32, path: String) throws(FileFailure) {
  #if canImport(Darwin)
  // There, `fsync` does not empty the disk's own memory.
  if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
  #endif
  guard fsync(descriptor) == 0 else { throw FileFailure(path, "written to the disk", errno) }
}

/// A folder in which names are changed.
struct OpenFolder: ~Copyable {
  let descriptor: Int32
  private let path: String
  private let isOwned: Bool
  /// Whether the folder may be read, without which it cannot be synchronised by itself.
  private let isReadable: Bool

  init(_ path: String) throws(FileFailure) {
    var number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let canRead = number >= 0
    #if os(Linux)
    if !canRead, errno == EACCES {
      // Names can be changed in a folder that may not be read. `O_PATH`, which Swift does not import.
      number = unsafe open(path, 0o10000000 | O_DIRECTORY | O_CLOEXEC)
    }
    #endif
    guard number >= 0 else { throw FileFailure(path, "opened", errno) }
    self.init(number, path, isOwned: true, isReadable: canRead)
  }

  /// Opens the folder of a file, which errors name: it is what the user asked for.
  init(_ path: String, of file: String) throws(FileFailure) {
    do throws(FileFailure) {
      try self.init(path)
    } catch {
      throw FileFailure(file, "written", error.number)
    }
  }

  private init(_ descriptor: Int32, _ path: String, isOwned: Bool, isReadable: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.isOwned = isOwned
    self.isReadable = isReadable
  }

  /// Uses a folder that somebody else closes.
  init(borrowing descriptor: Int32, path: String) {
    self.init(descriptor, path, isOwned: false, isReadable: true)
  }

  deinit { if isOwned { close(descriptor) } }

  /// Waits until the names in the folder are on the disk.
  func synchronize() throws(FileFailure) {
    // All of the machine's disks, where the folder cannot be named.
    guard isReadable else { return sync() }
    try synchronizeFolder(descriptor, path: path)
  }
}

/// Waits until the names in an open folder are on the disk.
public func synchronizeFolder(_ descriptor: Int32, path: String) throws(FileFailure) {
  guard fsync(descriptor) == 0 else {
    // Some file systems cannot do it for folders, and nothing more can be done there.
    if errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP { return }
    throw FileFailure(path, "written to the disk", errno)
  }
}
