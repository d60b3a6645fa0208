internal import BrowserSetup
internal import CLibrary
internal import DurableFiles
internal import ExtensionHost
internal import Foundation
internal import ServiceFolders
internal import TextOutput

/// Removing what the service keeps for a user, and nothing else that is in its folders.
///
/// A folder may be a link to another disk: what is removed is what it leads to, and then the link. What the service
/// does not know, in these folders or in those inside, stays, and so does what a link inside leads to; both are said.
struct DataRemoval {
  /// A folder of the service's, and where its contents are.
  private struct Place {
    let path: String
    let real: String
    var isLink: Bool { (try? FileStatus(of: path).kind) == .link }
  }

  private let folders: [Place]
  private let data: URL

  /// Takes a user's folders.
  init(_ folders: ServiceFolders) {
    data = folders.data
    self.folders = [folders.runtime, folders.cache, folders.data].map(\.path)
      .filter { DurableFile.isThere($0) }
      .map { Place(path: $0, real: URL(filePath: $0).resolvingSymlinksInPath().path) }
  }

  /// Whether there is nothing at all.
  var isEmpty: Bool { folders.isEmpty }

  /// Refuses another user's folders, whose home root was given: what they become on the way is up to that
  /// user.
  ///
  /// - Throws: An exit status.
  func check() throws {
    guard geteuid() == 0 else { return }
    for place in folders.flatMap({ $0.isLink ? [$0.path, $0.real] : [$0.path] }) {
      guard let weakness = Trust().weakness(of: place) else { continue }
      Report.complain("nothing of \(place) is removed by root: \(weakness)")
      throw ExitStatus.refused
    }
  }

  /// Keeps services and browsers from using the data.
  ///
  /// - Returns: The locks; none if there is no data.
  /// - Throws: An exit status, if a service or a browser has it.
  func lock() throws -> [FileLock] {
    guard FileManager.default.fileExists(atPath: data.path) else { return [] }
    try check()
    let command = "tickbird setup --undo --data"
    do throws(FileLock.Failure) {
      // A service says which process it is; of all that use the data nobody does.
      let service = try FileLock(data.appending(path: "host.lock"), holder: command)
      return [service, try DataUse.alone(data, holder: command)]
    } catch {
      switch error {
      case .held(let holder):
        Report.complain(
          """
          \(data.path) is in use by \(holder ?? "a browser or “tickbird serve”"), which would write it \
          again; end the service and all browsers, then try again. Nothing was changed
          """
        )
        throw ExitStatus.refused
      case .unusable(let sentence):
        Report.complain("\(sentence)")
        throw ExitStatus.wrongUse
      }
    }
  }

  /// Keeps anybody from removing the data while this process, a browser's host or the local app, uses it.
  ///
  /// - Returns: The lock; `nil` where none can be made.
  /// - Throws: An exit status, if the data is being removed.
  static func exclude(_ folders: ServiceFolders) throws -> FileLock? {
    do throws(FileLock.Failure) { return try DataUse.shared(folders) } catch {
      Report.complain("\(folders.data.path) is being removed; try again when that is done")
      throw ExitStatus.refused
    }
  }

  /// What would be done.
  func plan() -> [OutputText] {
    folders.flatMap { folder in
      [
        folder.isLink
          ? "remove \(path: folder.path), and what it leads to, \(path: folder.real)"
          : "remove \(path: folder.path)"
      ]
        + strangers(in: folder).map { "leave \(path: $0.path): \($0.reason)" as OutputText }
    }
  }

  /// Removes it.
  ///
  /// - Returns: What was done, and whether something is left.
  func remove() -> (lines: [OutputText], isRefused: Bool) {
    var lines: [OutputText] = []
    var isRefused = false
    for folder in folders {
      var left: [(path: String, reason: String)] = []
      for name in names(in: folder.real) {
        let path = folder.real + "/" + name
        // The runtime folder may be in that of the data, and has something left.
        guard !folders.contains(where: { $0.path == path }) else { continue }
        if let reason = reasonToLeave(name, in: folder) {
          left.append((path, reason))
        } else {
          remove(path, OwnContents.of(name), &left)
        }
      }
      lines += left.map { "left \(path: $0.path): \($0.reason)" as OutputText }
      isRefused = isRefused || !left.isEmpty
      guard left.isEmpty else { continue }
      // A disk is mounted there, or the runtime folder of another is in it.
      let isGone = unsafe rmdir(folder.real) == 0 || errno == ENOENT
      let isUnlinked = !folder.isLink || (try? DurableFile.remove(folder.path)) == true
      lines.append(
        isGone && isUnlinked
          ? "removed \(path: folder.path)" : "emptied \(path: isGone ? folder.path : folder.real)"
      )
    }
    return (lines, isRefused)
  }

  /// Removes what is at a path, but for what is not the service's, and the folders that it is in.
  private func remove(
    _ path: String,
    _ contents: OwnContents,
    _ left: inout [(path: String, reason: String)]
  ) {
    let others = strangers(in: path, contents)
    do {
      guard !others.isEmpty else { return try FileManager.default.removeItem(atPath: path) }
      left += others
      for name in names(in: path) {
        let inside = path + "/" + name
        guard !others.contains(where: { $0.path == inside }) else { continue }
        remove(inside, contents.contents(ofFolder: name) ?? contents, &left)
      }
    } catch {
      left.append((path, FileFailure.reason(of: error)))
    }
  }

  private func names(in folder: String) -> [String] {
    ((try? DurableFolder.names(in: folder)) ?? []).sorted()
  }

  /// What stays, and why.
  private func strangers(in folder: Place) -> [(path: String, reason: String)] {
    names(in: folder.real).flatMap { name -> [(path: String, reason: String)] in
      let path = folder.real + "/" + name
      if let reason = reasonToLeave(name, in: folder) { return [(path, reason)] }
      return strangers(in: path, OwnContents.of(name))
    }
  }

  /// What stays inside a path, and why; nothing where it is no folder.
  private func strangers(
    in path: String,
    _ contents: OwnContents
  ) -> [(path: String, reason: String)] {
    guard !contents.isEverything, (try? FileStatus(of: path).kind) == .folder else { return [] }
    return names(in: path).flatMap { name -> [(path: String, reason: String)] in
      let inside = path + "/" + name
      guard (try? FileStatus(of: inside).kind) == .folder else {
        return contents.hasFile(name) ? [] : [(inside, Self.foreign)]
      }
      guard let own = contents.contents(ofFolder: name) else { return [(inside, Self.foreign)] }
      return strangers(in: inside, own)
    }
  }

  private static let foreign = "it is not Tickbird's; remove it by hand"

  private func reasonToLeave(_ name: String, in folder: Place) -> String? {
    guard ServiceFolders.isOwn(name) else { return Self.foreign }
    let path = folder.real + "/" + name
    guard (try? FileStatus(of: path).kind) == .link else { return nil }
    let target = URL(filePath: path).resolvingSymlinksInPath().path
    return "it is a link to \(target), which may hold data of yours; remove both by hand"
  }
}
