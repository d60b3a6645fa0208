internal import Foundation
internal import GRDB
internal import UserDatabase

extension LinkStore {
  /// The result of a successful fetch.
  struct FetchedDocument {
    var items: [IncomingItem]
    var ownTitle: String
    var pageAddress: String?
    var notes: [String]
    var entityTag: String?
    var lastModified: String?
    var digest: String?
    var nextFetch: Date
    /// The address to which the feed has moved permanently.
    var newAddress: String?
  }

  /// Merges a fetched document into the store, in one transaction.
  ///
  /// - Returns: The counts; nil if the source no longer exists.
  func merge(_ fetched: FetchedDocument, sourceID: Int64, now: Date) throws -> MergeCounts? {
    try write { database in
      guard let source = try Self.source(id: sourceID, database) else { return nil }
      var notes = fetched.notes
      var key = source.key
      if let address = fetched.newAddress, address != key {
        if let other = try Self.feed(at: address, database), other.id != sourceID {
          notes.append("it has moved to \(address), which is feed \(other.id); remove one of them")
        } else {
          key = address
          notes.append("it has moved from \(source.key) to \(address)")
        }
      }
      try database.execute(
        literal: """
          UPDATE source SET key = \(key),
            isLocal = \(source.isLocal && LinkAddress.haveSameHost(key, source.key)),
            ownTitle = coalesce(nullif(\(fetched.ownTitle), ''), ownTitle),
            pageAddress = coalesce(\(fetched.pageAddress), pageAddress),
            entityTag = \(fetched.entityTag), lastModified = \(fetched.lastModified),
            documentDigest = \(fetched.digest),
            tried = \(now.timeIntervalSince1970), succeeded = \(now.timeIntervalSince1970),
            nextFetch = \(fetched.nextFetch.timeIntervalSince1970), isHeldBack = 0,
            failures = 0, lastError = NULL, isGone = 0,
            notes = \(Self.json(Array(notes.prefix(limits.notes))))
          WHERE id = \(sourceID)
          """
      )
      // The document is unchanged.
      if let digest = fetched.digest, digest == source.state.documentDigest { return MergeCounts() }
      return try merge(fetched.items, into: source, now: now, database)
    }
  }

  private func merge(
    _ items: [IncomingItem],
    into source: LinkSource,
    now: Date,
    _ database: Database
  ) throws -> MergeCounts {
    var counts = MergeCounts()
    var seen: Set<String> = []
    let decider = source.appliesRules ? try blockDecider(database, source: source) : nil
    let find = try database.cachedStatement(
      sql: """
        SELECT id, title, text, address, author, icon, imageAddress, date, isDated FROM item
        WHERE source = ? AND identity = ?
        """
    )
    for (place, item) in items.enumerated() where seen.insert(item.identity).inserted {
      if let icon = item.icon { try Self.keep(icon, database) }
      let old = try Row.fetchOne(find, arguments: [source.id, item.identity])
      let rule = decider?.rule(for: item.address)
      let time = now.timeIntervalSince1970
      guard let old else {
        // Items without a date keep the document's order, newest first.
        let date = item.date?.timeIntervalSince1970 ?? time - Double(place) / 1_000
        let tag = Self.tag(source: source.key, identity: item.identity)
        try database.cachedStatement(
          sql: """
            INSERT INTO item (source, identity, identifier, tag, address, date, isDated, title, text,
              author, icon, imageAddress, firstSeen, changed, blockedList, blockedRule)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          source.id, item.identity, item.identifier, tag, item.address, date, item.date != nil,
          item.title, item.text, item.author, item.icon?.digest, item.imageAddress, time, time,
          rule?.list, rule?.rule,
        ])
        counts.new += 1
        continue
      }
      let id: Int64 = old["id"]
      let isChanged =
        old["title"] != item.title || old["text"] != item.text || old["address"] != item.address
      let isSame =
        !isChanged && old["author"] == item.author && old["icon"] == item.icon?.digest
        && old["imageAddress"] == item.imageAddress
        && (item.date == nil || old["date"] == item.date?.timeIntervalSince1970)
      // Most items are unchanged: writing none of them keeps the write-ahead log small.
      if isSame { continue }
      try database.execute(
        literal: """
          UPDATE item SET title = \(item.title), text = \(item.text), address = \(item.address),
            author = \(item.author), icon = \(item.icon?.digest),
            imageAddress = \(item.imageAddress),
            date = coalesce(\(item.date?.timeIntervalSince1970), date),
            isDated = isDated OR \(item.date != nil),
            changed = CASE WHEN \(isChanged) THEN \(time) ELSE changed END,
            blockedList = \(rule?.list), blockedRule = \(rule?.rule)
          WHERE id = \(id)
          """
      )
      if isChanged { counts.changed += 1 }
    }
    counts.removed = try prune(source.id, keeping: seen, database)
    return counts
  }

  /// Removes items of a source beyond the limit; those of the last document stay.
  private func prune(
    _ sourceID: Int64,
    keeping identities: Set<String>,
    _ database: Database
  ) throws -> Int {
    let count =
      try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM item WHERE source = ?",
        arguments: [sourceID]
      ) ?? 0
    guard count > limits.itemsPerSource else { return 0 }
    try database.execute(
      literal: """
        DELETE FROM item WHERE id IN (
          SELECT id FROM item WHERE source = \(sourceID)
            AND identity NOT IN (SELECT value FROM json_each(\(Self.json(Array(identities)))))
          ORDER BY isRead DESC, date, id LIMIT \(count - limits.itemsPerSource))
        """
    )
    let removed = database.changesCount
    if removed > 0 { try Self.removeUnusedIcons(database) }
    return removed
  }

  /// Records that a fetch found nothing new (304).
  func keepUnchanged(sourceID: Int64, nextFetch: Date, now: Date) throws {
    try write { database in
      try database.execute(
        literal: """
          UPDATE source SET tried = \(now.timeIntervalSince1970),
            succeeded = \(now.timeIntervalSince1970),
            nextFetch = \(nextFetch.timeIntervalSince1970), isHeldBack = 0, failures = 0,
            lastError = NULL, isGone = 0
          WHERE id = \(sourceID)
          """
      )
    }
  }

  /// Records a failed fetch.
  func keepFailure(
    _ message: String,
    sourceID: Int64,
    isGone: Bool,
    nextFetch: Date,
    now: Date
  ) throws {
    try write { database in
      try database.execute(
        literal: """
          UPDATE source SET tried = \(now.timeIntervalSince1970),
            nextFetch = \(nextFetch.timeIntervalSince1970), isHeldBack = 1,
            failures = failures + 1, lastError = \(message), isGone = \(isGone)
          WHERE id = \(sourceID)
          """
      )
    }
  }

  /// Returns the source of an extension, creating it if needed.
  func keepExtension(identifier: String, name: String, icon: LinkIcon?, now: Date) throws -> Int64 {
    try write { database in
      if let icon { try Self.keep(icon, database) }
      try database.execute(
        literal: """
          INSERT INTO source (kind, key, ownTitle, icon, added)
          VALUES ('extension', \(identifier), \(name), \(icon?.digest),
            \(now.timeIntervalSince1970))
          ON CONFLICT (kind, key) DO UPDATE SET ownTitle = \(name), icon = \(icon?.digest)
          """
      )
      return try Int64.fetchOne(
        database,
        literal: "SELECT id FROM source WHERE kind = 'extension' AND key = \(identifier)"
      ) ?? 0
    }
  }

  /// Recomputes the keys of a feed's items by a new rule.
  func setIdentityRule(
    _ rule: LinkSource.IdentityRule,
    ofSource sourceID: Int64,
    _ database: Database
  ) throws {
    guard let source = try Self.source(id: sourceID, database) else { return }
    guard source.kind == .feed else {
      throw LinkError(
        .badArgument,
        "\(source.title) is an extension, whose items are recognised by their identifiers alone"
      )
    }
    // Without validators the next fetch returns the whole document.
    try database.execute(
      literal: """
        UPDATE source SET identityRule = \(rule.rawValue), entityTag = NULL, lastModified = NULL,
          documentDigest = NULL
        WHERE id = \(sourceID)
        """
    )
    let rows = try Row.fetchAll(
      database,
      literal: "SELECT * FROM item WHERE source = \(sourceID) ORDER BY date DESC, id DESC"
    )
    let entries = rows.map { row in
      var entry = FeedEntry()
      entry.identifier = row.value("identifier", or: nil)
      let address = row.value("address", or: "")
      // An item without a link has the feed's page as its address, which identifies nothing.
      entry.address = address == source.pageAddress || address == source.key ? nil : address
      entry.title = row.value("title", or: "")
      entry.text = row.value("text", or: "")
      let isDated = row.value("isDated", or: false)
      entry.date = isDated ? row.date("date") : nil
      return entry
    }
    try database.execute(
      literal: "UPDATE item SET identity = 'old:' || id WHERE source = \(sourceID)"
    )
    var kept: [String: Int64] = [:]
    for (row, key) in zip(rows, ItemIdentity.keys(of: entries, rule: rule)) {
      let id: Int64 = try row.decode(forColumn: "id")
      if let first = kept[key] {
        let isRead = row.value("isRead", or: false)
        try database.execute(
          literal: "UPDATE item SET isRead = isRead OR \(isRead) WHERE id = \(first)"
        )
        try database.execute(literal: "DELETE FROM item WHERE id = \(id)")
      } else {
        kept[key] = id
        try database.execute(literal: "UPDATE item SET identity = \(key) WHERE id = \(id)")
      }
    }
  }

  /// Returns the identifier under which an item is published; it survives moves and renames of the
  /// feed.
  private static func tag(source: String, identity: String) -> String {
    "tag:localhost,2026:tickbird:link:" + ItemIdentity.digest("\(source)\u{0}\(identity)")
  }
}
