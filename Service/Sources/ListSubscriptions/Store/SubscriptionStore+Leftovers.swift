internal import CLibrary
internal import DurableFiles
internal import Foundation

extension SubscriptionStore {
  /// Removes what killed processes left behind: folders of lists that were not added, or removed,
  /// compiled lists that no longer act, and drafts.
  ///
  /// - Parameter now: The current time.
  /// - Throws: ``SubscriptionError`` with code `.stateUnusable`, `.busy` or `.file`.
  func removeLeftovers(now: Date) throws(SubscriptionError) {
    guard FileManager.default.fileExists(atPath: listsFolder.path) else { return }
    try change { all throws(SubscriptionError) in
      let names = (try? DurableFolder.names(in: listsFolder.path)) ?? []
      for name in names {
        let folder = folder(of: name)
        let subscription = all.first { $0.id == name }
        guard subscription != nil || Self.isStaging(folder) || Self.isOfAList(folder) else {
          continue
        }
        // Who holds the lock works there; it cleans up itself, or the next call does. Many lists may be
        // on their way in at once, and none of them is worth waiting for.
        let file = Self.lockFile(in: folder)
        let patience = name.hasPrefix(Self.stagingPrefix) ? Duration.zero : Self.moment
        guard let lock = try? FileLock.waiting(for: file, patience: patience) else { continue }
        if let subscription {
          removeOldGenerations(of: subscription, now: now)
        } else {
          removeFolder(folder)
        }
        withExtendedLifetime(lock) {}
      }
    }
    DurableFile.removeDrafts(in: ownFile.deletingLastPathComponent().path)
    keepReserve()
  }

  /// Removes a list's folder, and nothing in it that is not the list's.
  ///
  /// Under a name that tells what it is, so that another call goes on with what is left of it.
  private func removeFolder(_ folder: URL) {
    let files = FileManager.default
    if Self.isStaging(folder) {
      try? files.removeItem(at: folder)
      return
    }
    if Self.isOfAList(folder) {
      let staging = self.folder(of: Self.stagingPrefix + Self.randomName())
      guard (try? DurableFile.rename(folder.path, to: staging.path)) != nil else { return }
      try? files.removeItem(at: staging)
      return
    }
    for name in Self.names(inFolder: folder) ?? [] {
      let entry = folder.appending(path: name)
      if Self.isGeneration(entry) { try? files.removeItem(at: entry) }
    }
    _ = try? DurableFile.remove(Self.lockFile(in: folder).path)
    // Only if nothing else is in it.
    _ = unsafe rmdir(folder.path)
  }

  /// Removes the folder of a list that was removed, unless another process works there.
  func removeFolder(ofRemoved id: String) {
    let folder = folder(of: id)
    guard Self.names(inFolder: folder) != nil,
      let lock = try? FileLock.waiting(for: Self.lockFile(in: folder), patience: Self.moment)
    else { return }
    removeFolder(folder)
    withExtendedLifetime(lock) {}
  }

  /// Returns the paths of what is in a list's folder and is not the list's, in order; of a link in its place, the link.
  ///
  /// It stays where the list is removed.
  public func othersFiles(withList id: String) -> [String] {
    let folder = folder(of: id)
    if Self.type(of: folder) == .typeSymbolicLink { return [folder.path] }
    let lock = Self.lockFile(in: folder).lastPathComponent
    return (Self.names(inFolder: folder) ?? []).sorted().filter {
      $0 != lock && !Self.isGeneration(folder.appending(path: $0))
    }
    .map { folder.appending(path: $0).path }
  }

  /// How many seconds the list that acted before stays: a process that has read the state before the
  /// switch, and opens the file after it, must find it.
  private static let readingTime = 60.0

  /// Removes the compiled lists that no longer act; the caller holds the list's lock.
  func removeOldGenerations(of subscription: Subscription, now: Date) {
    let folder = folder(of: subscription.id)
    var kept = [subscription.generation]
    // Of a clock that was ahead nothing is left to wait for.
    if let switched = subscription.switched,
      (0..<Self.readingTime).contains(now.timeIntervalSince(switched))
    {
      kept.append(subscription.previous)
    }
    let names = (try? DurableFolder.names(in: folder.path)) ?? []
    // Where the list that acts is gone, another one may serve whoever repairs the state.
    guard subscription.generation.map(names.contains) ?? true else { return }
    for name in names where !kept.contains(name) {
      let generation = folder.appending(path: name)
      guard Self.isGeneration(generation) else { continue }
      try? FileManager.default.removeItem(at: generation)
    }
  }

  /// The folders of lists that were added, whether the state names them or not, in order.
  ///
  /// - Throws: ``SubscriptionError`` with code `.stateUnusable` if that cannot be found out.
  func strayLists() throws(SubscriptionError) -> [String] {
    try foldersOfLists { $0.contains(PreparedFiles.compiled) }
  }

  /// The folders that are or were a list's, also those whose compiled list is gone, in order.
  ///
  /// - Throws: ``SubscriptionError`` with code `.stateUnusable` if that cannot be found out.
  func tracesOfLists() throws(SubscriptionError) -> [String] {
    try foldersOfLists { !PreparedFiles.all.isDisjoint(with: $0) }
  }

  /// The folders of which one within it has a generation's name, and files as a function wants them; others may be
  /// beside them, as file managers leave some.
  private func foldersOfLists(
    _ isGeneration: (_ names: [String]) -> Bool
  ) throws(SubscriptionError) -> [String] {
    guard DurableFile.isThere(listsFolder.path) else { return [] }
    let names: [String]
    do throws(FileFailure) {
      names = try DurableFolder.names(in: listsFolder.path)
    } catch {
      throw SubscriptionError(.stateUnusable, "\(error)")
    }
    return names.filter { name in
      let folder = folder(of: name)
      guard !name.hasPrefix(Self.stagingPrefix), let inside = Self.names(inFolder: folder) else {
        return false
      }
      return inside.filter(Self.isRandom).contains { name in
        isGeneration(Self.names(inFolder: folder.appending(path: name)) ?? [])
      }
    }.sorted()
  }

  /// Whether a folder is one in which a list is made.
  private static func isStaging(_ folder: URL) -> Bool {
    let name = folder.lastPathComponent
    return name.hasPrefix(stagingPrefix) && isRandom(name.dropFirst(stagingPrefix.count))
      && names(inFolder: folder) != nil
  }

  /// Whether a folder has a list's lock, and nothing but what a list's has.
  ///
  /// A user may keep the lists in a folder that has something else too, by a link to another disk, so that a name
  /// alone does not tell what may be removed.
  private static func isOfAList(_ folder: URL) -> Bool {
    guard let names = names(inFolder: folder) else { return false }
    let lock = lockFile(in: folder)
    return type(of: lock) == .typeRegular
      && names.allSatisfy {
        $0 == lock.lastPathComponent || isGeneration(folder.appending(path: $0))
      }
  }

  /// Whether a folder has such a name, and nothing but such files, as are made for a compiled list.
  private static func isGeneration(_ folder: URL) -> Bool {
    guard isRandom(folder.lastPathComponent), let names = names(inFolder: folder) else {
      return false
    }
    return names.allSatisfy {
      (PreparedFiles.all.contains($0) || DurableFile.isDraftName($0))
        && type(of: folder.appending(path: $0)) == .typeRegular
    }
  }

  private static func type(of file: URL) -> FileAttributeType? {
    let values = try? FileManager.default.attributesOfItem(atPath: file.path)
    return values?[.type] as? FileAttributeType
  }

  /// The names in a folder; `nil` if it is none, or a link to one.
  private static func names(inFolder folder: URL) -> [String]? {
    guard type(of: folder) == .typeDirectory else { return nil }
    return try? DurableFolder.names(in: folder.path)
  }
}
