internal import CLibrary
internal import DurableFiles
internal import Foundation

/// Who may change what is at a path, and so decide what a program of another user does.
public struct Trust: Sendable {
  /// The most symbolic links on the way to a path, as the system has it.
  static let mostLinks = 40
  private let owners: Set<UInt32>

  /// Trusts root, this process's user, and others.
  ///
  /// - Parameter others: User numbers.
  public init(_ others: Set<UInt32> = []) { owners = others.union([0, geteuid()]) }

  /// Trusts some users and nobody else.
  ///
  /// - Parameter owners: Their numbers.
  public init(only owners: Set<UInt32>) { self.owners = owners }

  /// Returns who else could change what is at a path, or will be there; nil if nobody could.
  ///
  /// Every folder on the way counts, as does every one that a symbolic link leads through: who can
  /// rename a folder can put another in its place. The way is gone as the system goes it, so that `..`
  /// after a link is the folder above the link's target.
  public func weakness(of path: String) -> String? {
    guard path.hasPrefix("/") else { return "\(path) is no absolute path" }
    var status = stat()
    guard unsafe lstat("/", &status) == 0 else { return "/ cannot be looked at" }
    if let reason = weakness("/", status) { return reason }
    // A folder without links, all of whose parents were looked at, and the names after it, the next one
    // last.
    var place = "/"
    var names = Self.names(path)
    var links = 0
    while let name = names.popLast() {
      if name == ".." {
        place = Self.parent(place)
        continue
      }
      let next = Self.joined(place, name)
      guard unsafe lstat(next, &status) == 0 else {
        guard errno == ENOENT || errno == ENOTDIR else { return "\(next) cannot be looked at" }
        // What is not there yet is as safe as the folder that it will be in.
        return weakness(ofNewIn: place)
      }
      if let reason = weakness(next, status) { return reason }
      guard status.st_mode & S_IFMT == S_IFLNK else {
        place = next
        continue
      }
      links += 1
      guard links <= Self.mostLinks else { return "\(path) leads through too many links" }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) else {
        return "\(next) cannot be read"
      }
      if target.hasPrefix("/") { place = "/" }
      names += Self.names(target)
    }
    return nil
  }

  /// Returns who else could change a link itself, wherever that leads; nil if nobody could.
  func weakness(ofLink path: String) -> String? {
    if let reason = weakness(of: SetupChanges.folder(of: path)) { return reason }
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return "\(path) cannot be looked at" }
    return weakness(path, status)
  }

  /// Returns who else could change a folder or anything in it; nil if nobody could.
  ///
  /// Links in it are not followed.
  public func weakness(ofAllIn folder: String) -> String? {
    if let reason = weakness(of: folder) { return reason }
    var folders = [folder]
    while let folder = folders.popLast() {
      guard let names = try? DurableFolder.names(in: folder) else {
        return "\(folder) cannot be read"
      }
      for name in names {
        let path = Self.joined(folder, name)
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return "\(path) cannot be looked at" }
        if let reason = weakness(path, status) { return reason }
        if status.st_mode & S_IFMT == S_IFDIR { folders.append(path) }
      }
    }
    return nil
  }

  private func weakness(_ path: String, _ status: stat) -> String? {
    guard owners.contains(status.st_uid) else {
      return "\(path) belongs to the user number \(status.st_uid)"
    }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFLNK { return nil }
    // In a folder such as /tmp, nobody can rename what belongs to another.
    if kind == S_IFDIR, status.st_mode & S_ISVTX != 0 { return nil }
    return Self.openness(path, status)
  }

  /// Who could put something into a folder before its owner does; a folder such as /tmp is open, too.
  private func weakness(ofNewIn folder: String) -> String? {
    var status = stat()
    guard unsafe lstat(folder, &status) == 0 else { return "\(folder) cannot be looked at" }
    return Self.openness(folder, status)
  }

  private static func openness(_ path: String, _ status: stat) -> String? {
    if status.st_mode & 0o002 != 0 { return "everybody can write to \(path)" }
    if status.st_mode & 0o020 != 0, status.st_gid != 0 {
      return "the group number \(status.st_gid) can write to \(path)"
    }
    return nil
  }

  // MARK: Paths

  /// The names of a path, the first one last.
  static func names(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0 != "." }.reversed()
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/" + name : folder + "/" + name
  }

  /// The folder of a path without links.
  private static func parent(_ path: String) -> String {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }
}
