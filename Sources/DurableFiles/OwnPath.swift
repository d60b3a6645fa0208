internal import CLibrary

/// The way that a link of the user's leads, name by name.
///
/// Each folder on it, be it part of a link's text or of what a link leads to, is the user's or root's, and nobody else
/// can put another entry in the place of the next one: so what was looked at is what is written afterwards.
struct OwnPath {
  /// How many links may follow each other; as many as the system follows.
  private static let longestChain = 40

  /// What is said to be of no use.
  private let link: String
  /// The folder that the way has come to, without links in its path.
  private var folder: String
  /// The names that are still to be gone through, the next one last.
  private var names: [Substring] = []
  private var linkCount = 0

  /// Begins at a path, in whatever folder that is; `nil` if no link is there.
  init?(_ path: String) throws(FileFailure) {
    guard let found = try Self.status(of: path), found.st_mode & S_IFMT == S_IFLNK else {
      return nil
    }
    link = path
    folder = try Self.withoutLinks(DurableFile.split(link).folder)
    guard isOwn(found.st_uid) else { throw foreign }
    try follow(link)
  }

  /// Goes to the end.
  ///
  /// - Returns: The path of a plain file of the user's, or of nothing, in a folder of the user's alone.
  /// - Throws: ``FileFailure`` with the number ``FileFailure/foreignLink`` and others.
  mutating func resolved() throws(FileFailure) -> String {
    while let name = names.popLast() {
      if name == "." || name.isEmpty { continue }
      if name == ".." {
        folder = DurableFile.split(folder).folder
        continue
      }
      let isLast = names.allSatisfy { $0.isEmpty || $0 == "." }
      let place = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      let status = try Self.status(of: place)
      let isLink = status.map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
      try checkFolder(isLast: isLast && !isLink)
      guard let found = status else {
        guard isLast else { throw FileFailure(link, "used", FileFailure.linkToNothing) }
        return place
      }
      switch found.st_mode & S_IFMT {
      case S_IFLNK:
        guard isOwn(found.st_uid) else { throw foreign }
        try follow(place)
      case S_IFDIR:
        guard !isLast else { throw FileFailure(place, "used", EISDIR) }
        folder = place
      case S_IFREG where isLast:
        guard found.st_uid == geteuid() else { throw foreign }
        return place
      default:
        throw FileFailure(place, "used", isLast ? FileFailure.notAFile : ENOTDIR)
      }
    }
    throw FileFailure(link, "used", EISDIR)
  }

  private var foreign: FileFailure { FileFailure(link, "used", FileFailure.foreignLink) }

  private func isOwn(_ user: uid_t) -> Bool { user == geteuid() || user == 0 }

  /// Puts a link's names before those that are left.
  private mutating func follow(_ place: String) throws(FileFailure) {
    linkCount += 1
    guard linkCount <= Self.longestChain else { throw FileFailure(link, "used", ELOOP) }
    let target = try Self.target(of: place)
    if target.hasPrefix("/") { folder = "/" }
    names += target.split(separator: "/").reversed()
  }

  /// Throws if somebody else could replace the next entry, or, in the last folder, add one.
  private func checkFolder(isLast: Bool) throws(FileFailure) {
    guard let found = try Self.status(of: folder), found.st_mode & S_IFMT == S_IFDIR else {
      throw FileFailure(link, "used", FileFailure.linkToNothing)
    }
    guard isLast ? found.st_uid == geteuid() : isOwn(found.st_uid) else { throw foreign }
    // The group of that number that some systems give each user has nobody else in it.
    let isPrivate = found.st_gid == getegid() && getegid() == geteuid()
    let others: mode_t = isPrivate ? 0o002 : 0o022
    // In a sticky folder nobody replaces what is another's.
    let isSticky = found.st_mode & 0o1000 != 0
    guard found.st_mode & others == 0 || (!isLast && isSticky) else { throw foreign }
  }

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
    let target = String(decoding: buffer[..<count], as: UTF8.self)
    // Decoding puts something else in the place of what is none, which would be another file's name.
    guard target.utf8.elementsEqual(buffer[..<count]) else {
      throw FileFailure(link, "used", FileFailure.linkToForeignName)
    }
    return target
  }

  private static func withoutLinks(_ folder: String) throws(FileFailure) -> String {
    guard let path = unsafe realpath(folder, nil) else {
      throw FileFailure(folder, "looked at", errno)
    }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}
