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
    /// Why the file cannot be used now, in a clause; `nil` if nothing is known against it.
    public let damage: String?
  }

  private let store: SubscriptionStore

  /// Reads the subscriptions of a data folder, which need not exist.
  public init(data: URL) { store = SubscriptionStore(data: data) }

  /// The folder whose date changes whenever ``files()`` may.
  public static func changingFolder(data: URL) -> URL { SubscriptionStore(data: data).folder }

  /// Returns the lists that are on, in the order of their identifiers, those with a damaged file too.
  ///
  /// - Throws: ``SubscriptionError`` with code `.stateUnusable`; what is on is then not known.
  public func files() throws(SubscriptionError) -> [File] {
    // Between reading the state and looking at a file, an update may have switched the list.
    var files: [File] = []
    for _ in 0..<3 {
      files = try store.subscriptions().filter(\.acts).compactMap { subscription in
        store.file(PreparedFiles.compiled, of: subscription).map { location in
          File(
            identifier: subscription.listIdentifier,
            name: subscription.name,
            location: location,
            date: subscription.changed,
            // Reading all of it here would hold up a browser; an updater does that, and makes it again.
            damage: FileMark.obviousDamage(of: location, subscription.compiled)
          )
        }
      }
      if files.allSatisfy({ $0.damage == nil }) { break }
    }
    return files.sorted { $0.identifier < $1.identifier }
  }

  /// Returns the identifiers of all lists that have left anything on the disk, whether they are on or off, in order.
  ///
  /// For when ``files()`` throws: as far as the disk says, no other list can be on.
  ///
  /// - Throws: ``SubscriptionError`` with code `.stateUnusable` if that cannot be found out either.
  public func identifiersOnDisk() throws(SubscriptionError) -> [String] {
    try store.tracesOfLists().map(Subscription.listIdentifier(of:)).sorted()
  }
}
