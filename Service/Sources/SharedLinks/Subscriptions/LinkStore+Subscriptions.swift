internal import Foundation
internal import GRDB

/// The result of importing a subscription list.
public struct ImportCounts: Equatable, Sendable {
  /// Feeds that are newly subscribed to.
  public var added = 0
  /// Feeds that already were, or appear twice in the list.
  public var present = 0
}

extension LinkStore {
  /// Subscribes to all feeds of a list, or to none on failure; the next refresh fetches them.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - allowsLocal: Whether addresses of this machine and of private networks may be fetched,
  ///     because the list is the user's own.
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
