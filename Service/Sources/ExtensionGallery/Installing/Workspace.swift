internal import Foundation
internal import ServiceFolders

/// A temporary folder for one call's downloads, used without the lock of the state.
///
///     staging/
///       UUID/
///         lock          held by the call; if nobody holds it, the folder is a leftover
///         …
///
/// Folders are created, and checked for being leftovers, under a lock that is used for nothing
/// else.
enum Workspace {
  private static let lockName = "lock"
  private static let turn = "staging.lock"

  /// Runs a body with a folder, which is removed afterwards.
  static func with<Result>(
    _ file: StateFile,
    _ body: (URL) async throws -> Result
  ) async throws -> Result {
    let (folder, lock) = try await make(file)
    defer {
      try? FileSystem.remove(folder)
      withExtendedLifetime(lock) {}
      removeLeftovers(in: file)
    }
    return try await body(folder)
  }

  /// A folder that stays for as long as somebody has this value, or the process runs.
  final class Kept: Sendable {
    let folder: URL
    private let lock: FileLock
    private let file: StateFile

    fileprivate init(_ folder: URL, _ lock: FileLock, _ file: StateFile) {
      self.folder = folder
      self.lock = lock
      self.file = file
    }

    deinit {
      try? FileSystem.remove(folder)
      withExtendedLifetime(lock) {}
      Workspace.removeLeftovers(in: file)
    }
  }

  /// Makes a folder that is kept.
  static func keep(_ file: StateFile) async throws -> Kept {
    let (folder, lock) = try await make(file)
    return Kept(folder, lock, file)
  }

  private static func make(_ file: StateFile) async throws -> (URL, FileLock) {
    try FileSystem.attempt("\(file.folder.path) cannot be made") {
      try ServiceFolders.makePrivate(file.folder)
    }
    let turn = try await file.lock(turn, .seconds(60))
    defer { withExtendedLifetime(turn) {} }
    let folder = file.staging.appending(path: UUID().uuidString, directoryHint: .isDirectory)
    try FileSystem.attempt("\(folder.path) cannot be made") {
      try ServiceFolders.makePrivate(folder)
    }
    do {
      return (folder, try FileLock(folder.appending(path: lockName)))
    } catch {
      throw GalleryError(.file, "\(folder.path) cannot be locked")
    }
  }

  /// Removes leftovers; if another process is doing so already, leaves it to that one.
  static func removeLeftovers(in file: StateFile) {
    guard FileSystem.exists(file.staging),
      let turn = try? FileLock(file.folder.appending(path: turn))
    else { return }
    defer { withExtendedLifetime(turn) {} }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: file.staging.path)) ?? []
    // What has another name is not of a call.
    for name in names where UUID(uuidString: name) != nil {
      let entry = file.staging.appending(path: name)
      let lock = try? FileLock(entry.appending(path: lockName))
      // Anything that is not a folder has no lock and belongs to nobody.
      guard lock != nil || FileSystem.isFile(entry) || FileSystem.isLink(entry) else { continue }
      try? FileSystem.remove(entry)
      withExtendedLifetime(lock) {}
    }
    FileSystem.removeEmptyFolder(file.staging)
  }
}
