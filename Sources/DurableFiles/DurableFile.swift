internal import CLibrary

/// The permissions of a file that is written.
public enum FilePermissions: Hashable, Sendable {
  /// The given ones, whatever the umask is.
  case exactly(UInt32)
  /// Those of the replaced file, with its access list; for a new file, 666 less the umask.
  case inherited
  /// Those of the replaced file, with its owner, group, access list and other extended attributes.
  ///
  /// An error if there is no such file, or the new one cannot get its owner or attributes.
  case kept
}

/// Writes files durably: they are on the disk when a call returns.
///
///     try DurableFile.replace("/home/me/state.json", with: bytes)
///
/// At any moment, a reader, or whoever comes after a power failure, finds the whole old file or the
/// whole new one. A call that throws leaves no other file behind; the old file stays, unless the
/// disk failed after the new one had replaced it. All calls block on the disk.
public enum DurableFile {
  /// The prefix of the names of files that are being written.
  ///
  /// A process that is killed while writing leaves one behind; the folder's owner should remove
  /// them, as ``removeDrafts(in:)`` does.
  public static let draftPrefix = ".draft-"

  /// Returns a name for a file to write.
  public static func draftName() -> String {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    return draftPrefix + String(repeating: "0", count: 16 - number.utf8.count) + number
  }

  /// Whether anything exists at a path, even a dangling link.
  ///
  /// If that cannot be determined, it counts as existing, so that nothing is started anew in its
  /// place; reading it then reports why. So does what would be behind a dangling link, as a folder that
  /// is on a disk that is not mounted.
  public static func isThere(_ path: String) -> Bool {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return true }
    switch errno {
    case ENOENT: return linkToNothing(onTheWayTo: path) != nil
    case ENOTDIR: return false
    default: return true
    }
  }

  // MARK: Whole files

  /// Creates or replaces a file.
  public static func replace(
    _ path: String,
    with bytes: some Collection<UInt8>,
    permissions: FilePermissions = .exactly(0o600)
  ) throws(FileFailure) {
    let (folder, name) = split(path)
    let open = try OpenFolder(folder, of: path)
    try replace(name, in: open, path: path, with: bytes, permissions: permissions)
  }

  /// Creates or replaces a file in a folder that is open for reading.
  ///
  /// - Parameters:
  ///   - name: The file's name, without a slash.
  ///   - folder: The folder's descriptor, which stays open.
  ///   - path: The file's path, for errors.
  ///   - bytes: The new contents.
  ///   - permissions: The new permissions.
  /// - Throws: ``FileFailure``.
  public static func replace(
    _ name: String,
    inFolder folder: Int32,
    path: String,
    with bytes: some Collection<UInt8>,
    permissions: FilePermissions = .exactly(0o600)
  ) throws(FileFailure) {
    let open = OpenFolder(borrowing: folder, path: split(path).folder)
    try replace(name, in: open, path: path, with: bytes, permissions: permissions)
  }

  private static func replace(
    _ name: String,
    in folder: borrowing OpenFolder,
    path: String,
    with bytes: some Collection<UInt8>,
    permissions: FilePermissions
  ) throws(FileFailure) {
    let draft = draftName()
    let file = try NewFile(
      draft,
      in: folder.descriptor,
      path: path,
      permissions: permissions,
      replacing: name
    )
    do throws(FileFailure) {
      try file.write(bytes)
      try file.synchronize()
      guard unsafe renameat(folder.descriptor, draft, folder.descriptor, name) == 0 else {
        throw FileFailure(path, "replaced", errno)
      }
    } catch {
      _ = unsafe unlinkat(folder.descriptor, draft, 0)
      throw error
    }
    try folder.synchronize()
    try file.close()
  }

  /// Creates a file; it is an error if a file or link exists.
  ///
  /// If several processes create it at once, one succeeds, and readers find all of its bytes. On
  /// file systems without hard links, a power failure may leave the file empty.
  public static func create(
    _ path: String,
    with bytes: some Collection<UInt8>,
    permissions: FilePermissions = .exactly(0o600)
  ) throws(FileFailure) {
    let (folder, name) = split(path)
    let open = try OpenFolder(folder, of: path)
    var status = stat()
    guard unsafe fstatat(open.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else {
      throw FileFailure(path, "made", EEXIST)
    }
    let draft = draftName()
    func write(_ name: String) throws(FileFailure) {
      let file = try NewFile(
        name,
        in: open.descriptor,
        path: path,
        permissions: permissions,
        replacing: nil
      )
      do throws(FileFailure) {
        try file.write(bytes)
        try file.finish()
      } catch {
        _ = unsafe unlinkat(open.descriptor, name, 0)
        throw error
      }
    }
    try write(draft)
    let isLinked = unsafe linkat(open.descriptor, draft, open.descriptor, name, 0) == 0
    let number = errno
    _ = unsafe unlinkat(open.descriptor, draft, 0)
    if !isLinked {
      guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EACCES].contains(number) else {
        throw FileFailure(path, "made", number)
      }
      try write(name)
    }
    do throws(FileFailure) {
      try open.synchronize()
    } catch {
      _ = unsafe unlinkat(open.descriptor, name, 0)
      throw error
    }
  }

  /// Appends lines to a file, creating it if necessary.
  ///
  /// Starts on a new line, even after a write that was cut off. A call that throws leaves the
  /// previous contents, if the disk allows that.
  public static func appendLines(
    _ path: String,
    _ bytes: some Collection<UInt8>,
    permissions: UInt32 = 0o600
  ) throws(FileFailure) {
    let (folder, name) = split(path)
    let open = try OpenFolder(folder, of: path)
    let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let number = unsafe openat(open.descriptor, name, flags, mode_t(permissions))
    guard number >= 0 else { throw FileFailure(path, "opened", errno) }
    let file = NewFile(descriptor: number, path: path)
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw FileFailure(path, "read", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileFailure(path, "written", FileFailure.notAFile)
    }
    let end = status.st_size
    do throws(FileFailure) {
      if end > 0 {
        var last: UInt8 = 0
        guard unsafe pread(number, &last, 1, end - 1) == 1 else {
          throw FileFailure(path, "read", errno)
        }
        if last != UInt8(ascii: "\n") { try file.write([UInt8(ascii: "\n")]) }
      }
      try file.write(bytes)
      try file.synchronize()
    } catch {
      _ = ftruncate(number, end)
      throw error
    }
    try open.synchronize()
    try file.close()
  }

  /// Writes a file to where the user asked for.
  ///
  /// Follows a symbolic link, and writes into what is not a file, such as a pipe.
  public static func export(
    _ path: String,
    _ bytes: some Collection<UInt8>
  ) throws(FileFailure) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return try replace(path, with: bytes, permissions: .inherited)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard let real = unsafe realpath(path, nil) else {
        throw FileFailure(path, "written", errno)
      }
      defer { unsafe free(real) }
      try replace(unsafe String(cString: real), with: bytes, permissions: .inherited)
    case S_IFDIR: throw FileFailure(path, "written", EISDIR)
    default:
      let number = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      guard number >= 0 else { throw FileFailure(path, "opened", errno) }
      let file = NewFile(descriptor: number, path: path)
      try file.write(bytes)
      try file.close()
    }
  }

  // MARK: Names

  /// Renames a file or a folder, replacing a file with the new name.
  ///
  /// Its contents must be on the disk already, or the new name could refer to nothing.
  public static func rename(_ old: String, to new: String) throws(FileFailure) {
    let source = split(old)
    let target = split(new)
    let from = try OpenFolder(source.folder)
    let to = try OpenFolder(target.folder)
    guard
      unsafe renameat(from.descriptor, source.name, to.descriptor, target.name) == 0
    else { throw FileFailure(old, "renamed to \(new)", errno) }
    // The new name first, so that nothing is lost in between.
    try to.synchronize()
    if source.folder != target.folder { try from.synchronize() }
  }

  /// Removes a file, but not a folder.
  ///
  /// - Returns: Whether the file existed.
  @discardableResult
  public static func remove(_ path: String) throws(FileFailure) -> Bool {
    let (folder, name) = split(path)
    let open: OpenFolder
    do throws(FileFailure) { open = try OpenFolder(folder) } catch {
      if error.isAbsence { return false }
      throw error
    }
    guard unsafe unlinkat(open.descriptor, name, 0) == 0 else {
      if errno == ENOENT { return false }
      throw FileFailure(path, "removed", errno)
    }
    try open.synchronize()
    return true
  }

  /// Creates a folder with its missing parents.
  public static func makeFolder(
    _ path: String,
    permissions: UInt32 = 0o700
  ) throws(FileFailure) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw FileFailure(path, "made", EEXIST) }
      return
    }
    let (parent, name) = split(path)
    if parent != path, unsafe access(parent, F_OK) != 0 {
      try makeFolder(parent, permissions: permissions)
    }
    let open = try OpenFolder(parent)
    guard unsafe mkdirat(open.descriptor, name, mode_t(permissions)) == 0 || errno == EEXIST else {
      throw FileFailure(path, "made", errno)
    }
    if let link = linkToNothing(onTheWayTo: path) {
      throw FileFailure(link, "made", FileFailure.linkToNothing)
    }
    try open.synchronize()
  }

  /// Flushes the names in a folder to the disk.
  public static func synchronizeFolder(_ path: String) throws(FileFailure) {
    try OpenFolder(path).synchronize()
  }

  // MARK: Parts

  /// Splits a path into the folder and the name; trailing slashes do not count.
  static func split(_ path: String) -> (folder: String, name: String) {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else {
      return (".", String(decoding: bytes, as: UTF8.self))
    }
    return (
      slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self),
      String(decoding: bytes[(slash + 1)...], as: UTF8.self)
    )
  }
}
