public import Foundation

/// The compiled lists of all subscriptions that are on, read from the disk.
///
/// For processes that answer browsers: reading never waits and changes nothing.
public struct SubscribedLists: Sendable {
  /// One list.
  public struct File: Equatable, Sendable {
    /// The identifier among active lists: `list:`, which no extension's begins with, and the
    /// subscription's id.
    public let identifier: String
    /// The name for people.
    public let name: String
    /// The compiled file, which is never changed; another list gets another file.
    public let location: URL
    /// When the list came.
    public let date: Date?
  }

  private let store: SubscriptionStore

  /// Reads the subscriptions of a data folder, which need not exist.
  public init(data: URL) { store = SubscriptionStore(data: data) }

  /// The folder whose date changes whenever ``files()`` may.
  public static func changingFolder(data: URL) -> URL { SubscriptionStore(data: data).folder }

  /// Returns the lists that are on, in the order of their identifiers; none if the state cannot be
  /// read.
  public func files() -> [File] {
    // Between reading the state and looking at a file, an update may have switched the list.
    var files: [File] = []
    for _ in 0..<3 {
      let all = ((try? store.subscriptions()) ?? []).filter(\.acts)
      files = all.compactMap { subscription -> File? in
        guard let location = store.file(PreparedFiles.compiled, of: subscription),
          // Reading all of it here would hold up a browser; an updater does that, and makes it again.
          FileMark.obviousDamage(of: location, subscription.compiled) == nil
        else { return nil }
        return File(
          identifier: subscription.listIdentifier,
          name: subscription.name,
          location: location,
          date: subscription.changed
        )
      }
      if files.count == all.count { break }
    }
    // One whose file is gone, or cut off, is left out alone.
    return files.sorted { $0.identifier < $1.identifier }
  }
}
