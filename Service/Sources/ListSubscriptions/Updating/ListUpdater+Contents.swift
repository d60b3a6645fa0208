internal import DurableFiles
internal import Foundation
internal import ListIngestion
internal import ServiceFolders

/// What the file of a list is going to have.
///
/// The list is made of it before the file has it: what acts, and what the file has, change right after each
/// other, and whatever fails before changes neither.
struct NewContents: Sendable {
  let bytes: [UInt8]
  /// Writes them into the file.
  let write: @Sendable () throws(SubscriptionError) -> Void
}

extension ListUpdater {
  /// Gives the file of a list other contents, and makes the list of them.
  ///
  /// - Returns: The report; nil if there is no such list any more.
  /// - Throws: ``SubscriptionError``, or cancellation; then what acted acts on.
  func replace(_ id: String, with contents: NewContents) async throws -> ListUpdateReport? {
    try store.makeFolders()
    let folder = store.folder(of: id)
    try? DurableFile.makeFolder(folder.path)
    let lock = try await SubscriptionStore.waitForLock(
      folder,
      what: "the list \(id)",
      patience: Self.patience
    )
    defer { withExtendedLifetime(lock) {} }
    guard let old = try store.subscriptions().first(where: { $0.id == id }) else { return nil }
    let attempt = try await attempt(old, contents)
    do throws(SubscriptionError) {
      try contents.write()
    } catch {
      if let made = attempt.made {
        try? FileManager.default.removeItem(at: folder.appending(path: made.generation))
      }
      throw error
    }
    return try settle(old, attempt)
  }

  /// Makes a list of what its file is going to have, however short that is.
  func attempt(_ old: Subscription, _ contents: NewContents) async throws -> Attempt {
    do {
      return try await make(contents.bytes, .person, from: old.source.text, old, acceptsShort: true)
    } catch let failure as UpdateFailure {
      throw failure.error
    }
  }
}
