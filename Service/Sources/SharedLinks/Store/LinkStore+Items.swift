public import Foundation
internal import GRDB

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
    func date(_ name: String) -> Date { Date(timeIntervalSince1970: row[name]) }
    let list: String? = row["blockedList"]
    let rule: Int? = row["blockedRule"]
    self.init(
      id: row["id"],
      sourceID: row["source"],
      sourceTitle: row["sourceTitle"],
      tag: row["tag"],
      address: row["address"],
      date: date("date"),
      isDated: row["isDated"],
      fullTitle: row["title"],
      fullText: row["text"],
      author: row["author"],
      icon: row["icon"] ?? row["sourceIcon"],
      sourceIcon: row["sourceIcon"],
      imageAddress: row["imageAddress"],
      isRead: row["isRead"],
      firstSeen: date("firstSeen"),
      changed: date("changed"),
      blocked: list.map { BlockingRule(list: $0, rule: rule ?? 0) }
    )
  }
}
