internal import Foundation
internal import GRDB
internal import UserDatabase

extension LinkStore {
  /// Returns an icon by its digest, or nil if there is none.
  public func icon(digest: String) throws -> LinkIcon? {
    try read { database in
      try Row.fetchOne(database, literal: "SELECT * FROM icon WHERE digest = \(digest)").map {
        row in
        LinkIcon(
          digest: row.value("digest", or: ""),
          mediaType: row.value("mediaType", or: ""),
          bytes: Array(row.value("data", or: Data()))
        )
      }
    }
  }

  /// Returns whether a source's icon is due to be fetched again.
  func wantsIcon(sourceID: Int64, triedBefore: Date) throws -> Bool {
    try read { database in
      try Bool.fetchOne(
        database,
        literal: """
          SELECT coalesce(iconTried < \(triedBefore.timeIntervalSince1970), 1) FROM source
          WHERE id = \(sourceID)
          """
      ) ?? false
    }
  }

  /// Stores a source's icon; nil records that none was found.
  func setIcon(_ icon: LinkIcon?, sourceID: Int64, now: Date) throws {
    try write { database in
      if let icon { try Self.keep(icon, database) }
      try database.execute(
        literal: """
          UPDATE source SET icon = coalesce(\(icon?.digest), icon),
            iconTried = \(now.timeIntervalSince1970)
          WHERE id = \(sourceID)
          """
      )
      if icon != nil { try Self.removeUnusedIcons(database) }
    }
  }

  static func keep(_ icon: LinkIcon, _ database: Database) throws {
    try database.execute(
      literal: """
        INSERT OR IGNORE INTO icon (digest, mediaType, data)
        VALUES (\(icon.digest), \(icon.mediaType), \(Data(icon.bytes)))
        """
    )
  }

  static func removeUnusedIcons(_ database: Database) throws {
    try database.execute(
      sql: """
        DELETE FROM icon WHERE NOT EXISTS (SELECT 1 FROM source WHERE source.icon = icon.digest)
          AND NOT EXISTS (SELECT 1 FROM item WHERE item.icon = icon.digest)
        """
    )
  }
}
