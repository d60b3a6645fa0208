internal import CLibrary

/// What a file's permissions become when it is written.
public enum FilePermissions: Hashable, Sendable {
  /// These, whatever the user's mask is.
  case exactly(UInt32)
  /// Those of the file that is replaced, with its access list; of a new file, what the user's mask
  /// leaves of 666.
  case inherited
  /// All of those of the file that is replaced, with its owner, its group, its access list and its
  /// other extended attributes.
  ///
  /// An error where there is no such file, or the new one cannot be given its owner or its attributes.
  case kept
}

/// Files that are on the disk when a call returns.
///
///     try DurableFile.replace("/home/me/state.json", with: bytes)
///
/// Whoever reads meanwhile, and whoever comes after a loss of power at any moment, finds the old file
/// or the new one, whole. A call that throws leaves no other file behind; it leaves the old file,
/// unless the disk failed when the new one was in its place. All calls block on the disk.
public enum DurableFile {
  /// The beginning of the names of files that are being written.
  ///
  /// A process that is ended while it writes leaves one behind; whoever owns a folder removes them.
  public static let draftPrefix = ".draft-"

  /// A name for a file that is being written.
  public static func draftName() -> String {
    draftPrefix + String(UInt64.random(in: .min ... .max), radix: 36)
  }

  /// Whether anything stands at a path, be it a link that leads nowhere.
  ///
  /// What cannot be looked at counts as there, so that nobody begins again in its place: reading it
  /// then says why.
  public static func isThere(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  // MARK: Whole files

  /// Puts a file in the place of one that may be there.
  public static func replace(
    _ path: String,
    with bytes: some Collection<UInt8>,
    permissions: FilePermissions = .exactly(0o600)
  ) throws(FileFailure) {
    let (folder, name) = split(path)
    let open = try OpenFolder(folder, of: path)
    try replace(name, in: open, path: path, with: bytes, permissions: permissions)
  }

  /// Puts a file in the place of one that may be there, in a folder that is open for reading.
  ///
  /// - Parameters:
  ///   - name: The file's name, without a slash.
  ///   - folder: The folder's descriptor, which stays open.
  ///   - path: The file's path, for errors.
  ///   - bytes: What the file is to have.
  ///   - permissions: What the file's permissions become.
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

  /// Makes a file that is not there yet; a link in its place is an error, too.
  ///
  /// Of several processes that make it at once, one does, and whoever reads finds all of its bytes.
  /// Where the file system has no hard links, a loss of power may leave the file without its bytes.
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

  /// Adds bytes at the end of a file, which is made where there is none.
  ///
  /// What is added begins on a line of its own, also after a write that was cut off. A call that
  /// throws leaves the file with what it had, if the disk allows that.
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
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileFailure(path, "written", EINVAL) }
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

  /// Writes what a user asked for to where the user said.
  ///
  /// A link is followed, and what is no file, such as a pipe, is written to.
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

  /// Gives a file, or a folder, another name, over a file that has it.
  ///
  /// Its contents must be on the disk already, or the new name could lead to nothing.
  public static func rename(_ old: String, to new: String) throws(FileFailure) {
    let source = split(old)
    let target = split(new)
    let from = try OpenFolder(source.folder)
    let to = try OpenFolder(target.folder)
    guard
      unsafe renameat(from.descriptor, source.name, to.descriptor, target.name) == 0
    else { throw FileFailure(old, "renamed to \(new)", errno) }
    // The new name first, so that nothing is ever lost.
    try to.synchronize()
    if source.folder != target.folder { try from.synchronize() }
  }

  /// Removes a file, and no folder.
  ///
  /// - Returns: Whether there was one.
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

  /// Makes a folder and those above it where they are missing.
  public static func makeFolder(
    _ path: String,
    permissions: UInt32 = 0o700
  ) throws(FileFailure) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw FileFailure(path, "made", ENOTDIR) }
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
    try open.synchronize()
  }

  /// Waits until the names in a folder are on the disk.
  public static func synchronizeFolder(_ path: String) throws(FileFailure) {
    try OpenFolder(path).synchronize()
  }

  // MARK: Parts

  /// The folder and the name in it; slashes at the end do not count.
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
