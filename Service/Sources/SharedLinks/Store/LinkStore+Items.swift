public import Foundation
internal import GRDB
internal import UserDatabase

extension LinkStore {
  /// Returns items, newest first.
  ///
  /// - Complexity: O(*n*) in the items returned and skipped; a search also in its matches.
  public func items(_ query: LinkQuery = LinkQuery()) throws -> [LinkItem] {
    guard let condition = try Self.condition(query) else { return [] }
    return try read { database in
      let rows = try Row.fetchAll(
        database,
        literal: """
          \(Self.selection) WHERE \(condition)
          ORDER BY item.date DESC, item.id DESC LIMIT \(query.limit) OFFSET \(query.offset)
          """
      )
      return rows.map(LinkItem.init)
    }
  }

  /// Counts the items of a query, ignoring its limit.
  public func count(_ query: LinkQuery = LinkQuery()) throws -> Int {
    guard let condition = try Self.condition(query) else { return 0 }
    return try read { database in
      try Int.fetchOne(
        database,
        literal:
          "SELECT count(*) FROM item JOIN source ON source.id = item.source WHERE \(condition)"
      ) ?? 0
    }
  }

  /// Returns an item by its number.
  ///
  /// - Throws: ``LinkError`` with code `.notFound`.
  public func item(id: Int64) throws -> LinkItem {
    let item = try read { database in
      try Row.fetchOne(database, literal: "\(Self.selection) WHERE item.id = \(id)")
        .map(LinkItem.init)
    }
    guard let item else {
      throw LinkError(
        .notFound,
        "there is no link \(id); `tickbird links list` shows them with their numbers"
      )
    }
    return item
  }

  /// Marks items as read or unread.
  ///
  /// - Parameters:
  ///   - ids: The items' numbers.
  ///   - isRead: Their new state.
  ///   - skippingMissing: Whether to ignore items that no longer exist.
  /// - Throws: ``LinkError`` with code `.notFound` for the first missing item; then none is marked.
  public func mark(_ ids: [Int64], isRead: Bool, skippingMissing: Bool = false) throws {
    try write { database in
      for id in ids {
        try database.execute(
          literal: "UPDATE item SET isRead = \(isRead) WHERE id = \(id)"
        )
        guard skippingMissing || database.changesCount == 1 else {
          throw LinkError(
            .notFound,
            "there is no link \(id); `tickbird links list` shows them with their numbers"
          )
        }
      }
    }
  }

  /// Marks all items, or those of one source, as read or unread.
  ///
  /// With `firstSeenThrough`, only those that existed at that time.
  ///
  /// - Returns: How many changed.
  /// - Throws: ``LinkError`` if the store fails.
  @discardableResult
  public func markAll(
    sourceID: Int64? = nil,
    isRead: Bool,
    firstSeenThrough: Date? = nil
  ) throws -> Int {
    try write { database in
      try database.execute(
        literal: """
          UPDATE item SET isRead = \(isRead) WHERE isRead <> \(isRead)
            AND (\(sourceID) IS NULL OR source = \(sourceID))
            AND (\(firstSeenThrough?.timeIntervalSince1970) IS NULL
              OR firstSeen <= \(firstSeenThrough?.timeIntervalSince1970))
          """
      )
      return database.changesCount
    }
  }

  private static let selection: SQL = """
    SELECT item.*, coalesce(source.customTitle, nullif(source.ownTitle, ''), source.key)
        AS sourceTitle, source.icon AS sourceIcon
    FROM item JOIN source ON source.id = item.source
    """

  /// Returns the SQL condition of a query, or nil if nothing can match.
  private static func condition(_ query: LinkQuery) throws -> SQL? {
    var parts: [SQL] = ["1"]
    if let id = query.sourceID { parts.append("item.source = \(id)") }
    if query.isUnread { parts.append("item.isRead = 0") }
    if let folder = query.folder {
      parts.append(
        "EXISTS (SELECT 1 FROM json_each(source.folder) WHERE json_each.value = \(folder))"
      )
    }
    switch query.blocked {
    case .hidden: parts.append("item.blockedList IS NULL")
    case .only: parts.append("item.blockedList IS NOT NULL")
    case .shown: break
    }
    if let after = query.after {
      parts.append("(item.date, item.id) < (\(after.date), \(after.id))")
    }
    if let words = query.words {
      guard let pattern = SearchText.pattern(for: String(words.prefix(1_000))) else { return nil }
      parts.append("item.id IN (SELECT rowid FROM itemText WHERE itemText MATCH \(pattern))")
    }
    return parts.joined(separator: " AND ")
  }
}

extension LinkItem {
  init(_ row: Row) {
    let list: String? = row.value("blockedList", or: nil)
    let rule: Int? = row.value("blockedRule", or: nil)
    self.init(
      id: row.value("id", or: 0),
      sourceID: row.value("source", or: 0),
      sourceTitle: row.value("sourceTitle", or: ""),
      tag: row.value("tag", or: ""),
      address: row.value("address", or: ""),
      date: row.date("date") ?? Date(timeIntervalSince1970: 0),
      isDated: row.value("isDated", or: false),
      fullTitle: row.value("title", or: ""),
      fullText: row.value("text", or: ""),
      author: row.value("author", or: nil),
      icon: row.value("icon", or: nil) ?? row.value("sourceIcon", or: nil),
      sourceIcon: row.value("sourceIcon", or: nil),
      imageAddress: row.value("imageAddress", or: nil),
      isRead: row.value("isRead", or: false),
      firstSeen: row.date("firstSeen") ?? Date(timeIntervalSince1970: 0),
      changed: row.date("changed") ?? Date(timeIntervalSince1970: 0),
      blocked: list.map { BlockingRule(list: $0, rule: rule ?? 0) }
    )
  }
}
