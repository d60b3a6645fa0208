internal import CLibrary

/// Files that a user may keep elsewhere, as in a repository of settings, with a link in their place.
///
/// A link is followed only where the user alone has a say: it is the user's own, and so are the file that it leads
/// to and the folder of that. Where others write into a folder, following its links would write what they choose;
/// there, ``replace(_:with:permissions:)`` puts a file in the place of a link.
extension DurableFile {
  /// Returns the path of a user's file: the given one, or the one that the user has linked it to.
  ///
  /// - Parameter path: The file, which need not exist.
  /// - Returns: The path of a plain file, or of nothing in a folder that is there.
  /// - Throws: ``FileFailure`` if a link is not followed: it, the file that it leads to or the folder of that is
  ///   another's, the folder is missing, or what is there is no file.
  public static func ownFile(_ path: String) throws(FileFailure) -> String {
    guard let first = try status(of: path) else { return path }
    guard first.st_mode & S_IFMT == S_IFLNK else { return path }
    var place = path
    for _ in 0..<longestChain {
      let found = try status(of: place)
      if let found, found.st_uid != geteuid() {
        throw FileFailure(path, "used", FileFailure.foreignLink)
      }
      guard let found, found.st_mode & S_IFMT == S_IFLNK else {
        try requireOwnFolder(of: place, link: path)
        if let found, found.st_mode & S_IFMT != S_IFREG {
          let isFolder = found.st_mode & S_IFMT == S_IFDIR
          throw FileFailure(place, "used", isFolder ? EISDIR : FileFailure.notAFile)
        }
        return place
      }
      let target = try target(of: place)
      place = target.hasPrefix("/") ? target : split(place).folder + "/" + target
    }
    throw FileFailure(path, "used", ELOOP)
  }

  /// Creates or replaces a user's file, in its own folder where the user has linked it there; the link stays.
  ///
  /// A file that is linked keeps its permissions.
  ///
  /// - Parameters:
  ///   - path: The file, or the link.
  ///   - bytes: The new contents.
  ///   - permissions: Those of a file that is not linked, or not there.
  /// - Throws: ``FileFailure``, also for a link that ``ownFile(_:)`` does not follow; then nothing is changed.
  public static func replaceOwnFile(
    _ path: String,
    with bytes: some Collection<UInt8>,
    permissions: FilePermissions = .exactly(0o600)
  ) throws(FileFailure) {
    let file = try ownFile(path)
    guard file != path else { return try replace(path, with: bytes, permissions: permissions) }
    removeDrafts(in: split(file).folder)
    try replace(file, with: bytes, permissions: isThere(file) ? .inherited : permissions)
    touchFolder(of: path)
  }

  /// How many links may follow each other; as many as the system follows.
  private static let longestChain = 40

  /// The status of what is at a path itself; `nil` if nothing is.
  private static func status(of path: String) throws(FileFailure) -> stat? {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return status }
    guard errno == ENOENT else { throw FileFailure(path, "looked at", errno) }
    return nil
  }

  private static func target(of link: String) throws(FileFailure) -> String {
    var buffer = [UInt8](repeating: 0, count: 4097)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return -1
      }
      return unsafe readlink(link, start, bytes.count)
    }
    guard count > 0, count < buffer.count else { throw FileFailure(link, "read", errno) }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// Throws unless the folder of a file is there and the user's own, and not open to everybody.
  private static func requireOwnFolder(of file: String, link: String) throws(FileFailure) {
    var status = stat()
    guard unsafe stat(split(file).folder, &status) == 0 else {
      throw FileFailure(link, "used", errno == ENOENT ? FileFailure.linkToNothing : errno)
    }
    guard status.st_uid == geteuid(), status.st_mode & 0o002 == 0 else {
      throw FileFailure(link, "used", FileFailure.foreignLink)
    }
  }

  /// Changes the date of the folder that has a link: whoever watches it for changes of the file sees one.
  private static func touchFolder(of link: String) {
    let draft = split(link).folder + "/" + draftName()
    guard (try? NewFile(draft)) != nil else { return }
    _ = unsafe unlink(draft)
  }
}
