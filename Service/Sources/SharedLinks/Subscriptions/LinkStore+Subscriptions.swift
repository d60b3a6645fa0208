internal import Foundation
internal import GRDB

/// The outcome of taking over a subscription list.
public struct ImportCounts: Equatable, Sendable {
  /// Feeds that were not subscribed to before.
  public var added = 0
  /// Feeds that were, or stood in the list twice.
  public var present = 0
}

extension LinkStore {
  /// Subscribes to all feeds of a list, or to none if it fails; they are fetched with the next
  /// refresh.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - allowsLocal: Whether the list is the user's own, so that its addresses of this machine and of
  ///     a private network may be asked.
  /// - Returns: How many feeds are new.
  /// - Throws: ``LinkError`` where the store fails.
  public func subscribe(
    to list: SubscriptionList,
    allowsLocal: Bool = false
  ) throws -> ImportCounts {
    try write { database in
      var counts = ImportCounts()
      for entry in list.entries {
        if try Self.feed(at: entry.address, database) != nil {
          counts.present += 1
          continue
        }
        try database.execute(
          literal: """
            INSERT INTO source (kind, key, ownTitle, pageAddress, folder, isLocal, added)
            VALUES ('feed', \(entry.address), \(entry.title), \(entry.pageAddress),
              \(Self.json(entry.folder)), \(allowsLocal && LinkAddress.isLocal(entry.address)),
              \(Date().timeIntervalSince1970))
            """
        )
        counts.added += 1
      }
      return counts
    }
  }
}
