internal import CLibrary
internal import Foundation

/// Who may change what is at a path, and so decide what a program of another user does.
public struct Trust: Sendable {
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
  /// rename a folder can put another in its place.
  public func weakness(of path: String) -> String? {
    var path = path
    // What is not there yet is as safe as the folder that it will be in.
    while path != "/", !Self.isThere(path) { path = Self.parent(path) }
    // A link's own folder, too, says where it leads.
    var seen: Set<String> = []
    var waiting = [path]
    while let next = waiting.popLast() {
      guard seen.insert(next).inserted, seen.count < 200 else { continue }
      var status = stat()
      guard unsafe lstat(next, &status) == 0 else { return "\(next) cannot be looked at" }
      if let reason = weakness(next, status) { return reason }
      if status.st_mode & S_IFMT == S_IFLNK {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) else {
          return "\(next) cannot be read"
        }
        waiting.append(target.hasPrefix("/") ? target : Self.parent(next) + "/" + target)
      }
      if next != "/" { waiting.append(Self.parent(next)) }
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
    if status.st_mode & 0o002 != 0 { return "everybody can write to \(path)" }
    if status.st_mode & 0o020 != 0, status.st_gid != 0 {
      return "the group number \(status.st_gid) can write to \(path)"
    }
    return nil
  }

  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  private static func parent(_ path: String) -> String {
    let parent = URL(filePath: path, directoryHint: .isDirectory).deletingLastPathComponent().path
    return parent.isEmpty ? "/" : parent
  }
}
