internal import DurableFiles
internal import Foundation

extension SubscriptionStore {
  /// Removes what killed processes left behind: folders of lists that were not added, or removed,
  /// and compiled lists that no longer act.
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
        guard subscription != nil || Self.isOfAList(folder) else { continue }
        // Who holds the lock works there; it cleans up itself, or the next call does. Many lists may be
        // on their way in at once, and none of them is worth waiting for.
        let file = Self.lockFile(in: folder)
        let patience = name.hasPrefix(Self.stagingPrefix) ? Duration.zero : Self.moment
        guard let lock = try? FileLock.waiting(for: file, patience: patience) else { continue }
        if let subscription {
          removeOldGenerations(of: subscription, now: now)
        } else {
          try? FileManager.default.removeItem(at: folder)
        }
        withExtendedLifetime(lock) {}
      }
    }
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

  /// The folders of lists that were added, at most eight, whether the state names them or not.
  func strayLists() -> [String] {
    let names = (try? DurableFolder.names(in: listsFolder.path)) ?? []
    let lists = names.lazy.filter { name in
      !name.hasPrefix(Self.stagingPrefix) && Self.isOfAList(folder(of: name))
        && (Self.names(inFolder: folder(of: name))?.count ?? 0) > 1
    }
    return Array(lists.prefix(8))
  }

  /// Whether a folder has nothing but what a list's has.
  ///
  /// A user may keep the lists in a folder that has something else too, by a link to another disk, so that a name
  /// alone does not tell what may be removed.
  private static func isOfAList(_ folder: URL) -> Bool {
    guard let names = names(inFolder: folder) else { return false }
    return names.allSatisfy { name in
      name == lockFile(in: folder).lastPathComponent || isGeneration(folder.appending(path: name))
    }
  }

  /// Whether a folder has nothing but what is made for a compiled list.
  private static func isGeneration(_ folder: URL) -> Bool {
    names(inFolder: folder)?.allSatisfy {
      PreparedFiles.all.contains($0) || $0.hasPrefix(DurableFile.draftPrefix)
    } ?? false
  }

  /// The names in a folder; `nil` if it is none, or a link to one.
  private static func names(inFolder folder: URL) -> [String]? {
    let values = try? FileManager.default.attributesOfItem(atPath: folder.path)
    guard values?[.type] as? FileAttributeType == .typeDirectory else { return nil }
    return try? DurableFolder.names(in: folder.path)
  }
}
