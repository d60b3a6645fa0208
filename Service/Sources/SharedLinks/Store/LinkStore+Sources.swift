public import Foundation
internal import GRDB
internal import ServiceFolders
internal import UserDatabase

extension LinkStore {
  /// Returns all sources: feeds first, each kind sorted by title.
  public func sources() throws -> [LinkSource] {
    let sources = try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT source.*,
            (SELECT count(*) FROM item WHERE source = source.id) AS itemCount,
            (SELECT count(*) FROM item WHERE source = source.id AND isRead = 0
              AND blockedList IS NULL) AS unreadCount
          FROM source
          """
      )
      return rows.map(LinkSource.init)
    }
    return sources.sorted {
      ($0.kind == .feed ? 0 : 1, $0.title.lowercased(), $0.id)
        < ($1.kind == .feed ? 0 : 1, $1.title.lowercased(), $1.id)
    }
  }

  /// Returns a source by its number.
  public func source(id: Int64) throws -> LinkSource? {
    try read { try Self.source(id: id, $0) }
  }

  /// Returns the numbers of subscribed feeds among some addresses.
  ///
  /// - Parameter addresses: Addresses as pages name them; http and https are alike.
  /// - Returns: The feeds' numbers by address; unknown addresses are left out.
  /// - Throws: ``LinkError`` if the store fails.
  public func feeds(at addresses: [String]) throws -> [String: Int64] {
    try read { database in
      var found: [String: Int64] = [:]
      for address in addresses {
        guard let resolved = LinkAddress.resolve(address) else { continue }
        found[address] = try Self.feed(at: resolved, database)?.id
      }
      return found
    }
  }

  /// Finds a source by what a person calls it: its number, its address or identifier, or its exact
  /// title.
  ///
  /// - Throws: ``LinkError`` with code `.notFound`, also if several sources have the title.
  public func source(named name: String) throws -> LinkSource {
    let sources = try sources()
    let address = try? LinkAddress.typed(name)
    let found =
      sources.filter { "\($0.id)" == name || $0.key == name }.nonEmpty
      ?? sources.filter { $0.key == address }.nonEmpty
      ?? sources.filter { $0.title == name }
    guard let source = found.first, found.count == 1 else {
      throw LinkError(
        .notFound,
        found.isEmpty
          ? "there is no feed \(name); `tickbird links feeds` shows them with their numbers"
          : "several feeds have the title \(name); name one by its number"
      )
    }
    return source
  }

  /// Subscribes to a feed's address without fetching it.
  ///
  /// - Parameters:
  ///   - address: The address, normalized by ``LinkAddress/typed(_:)``.
  ///   - title: The title until the feed is fetched.
  ///   - customTitle: The user's title.
  ///   - pageAddress: The page that it belongs to, if known.
  ///   - folder: The folders to put it in, outermost first.
  ///   - isLocal: Whether the user named a host of a private network, or this machine; by the
  ///     address if it is not said.
  ///   - now: The time.
  /// - Returns: The source that was made.
  /// - Throws: ``LinkError`` with code `.duplicate`.
  @discardableResult
  public func subscribe(
    to address: String,
    title: String = "",
    customTitle: String? = nil,
    pageAddress: String? = nil,
    folder: [String] = [],
    isLocal: Bool? = nil,
    now: Date = Date()
  ) throws -> LinkSource {
    let isLocal = isLocal ?? LinkAddress.isLocal(address)
    return try write { database in
      if let other = try Self.feed(at: address, database) {
        throw LinkError(.duplicate, "\(address) is already subscribed to, as feed \(other.id)")
      }
      try database.execute(
        literal: """
          INSERT INTO source (kind, key, ownTitle, customTitle, pageAddress, folder, isLocal, added)
          VALUES ('feed', \(address), \(title), \(customTitle), \(pageAddress),
            \(Self.json(folder)), \(isLocal), \(now.timeIntervalSince1970))
          """
      )
      guard let source = try Self.source(id: database.lastInsertedRowID, database) else {
        throw LinkError(.storeUnusable, "\(address) could not be kept; try again")
      }
      return source
    }
  }

  /// Removes a source and its items.
  ///
  /// On a full disk it is done piece by piece: the log of one change may need more room than there is, even
  /// with the reserve's. Whoever is interrupted then finds the source with fewer items, and removes it again.
  ///
  /// - Returns: How many items were removed.
  @discardableResult
  public func remove(sourceID: Int64) throws -> Int {
    let count = try read {
      try Int.fetchOne(
        $0,
        sql: "SELECT count(*) FROM item WHERE source = ?",
        arguments: [sourceID]
      )
    }
    do {
      // What is in the log already could not leave it once the log has all the room.
      if reserve.isDiskFull { try emptyLog() }
      try takeAway { try Self.remove(sourceID: sourceID, $0) }
    } catch {
      guard reserve.isRoomLacking else { throw error }
      try emptyLog()
      try removeItems(of: sourceID, piece: Self.largestPiece)
      try takeAway { try Self.remove(sourceID: sourceID, $0) }
    }
    return count ?? 0
  }

  /// How many items are removed at once on a full disk, at first.
  ///
  /// Beside the log there has to be room for the index of words, which grows before it shrinks.
  private static let largestPiece = 16

  private static func remove(sourceID: Int64, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [sourceID])
    try removeUnusedIcons(database)
  }

  /// Removes items in pieces, each as large as there is room for its log, which is emptied after each.
  func removeItems(of sourceID: Int64, piece: Int) throws {
    var piece = piece
    while true {
      do {
        let count = try write { database in
          try database.execute(
            sql: "DELETE FROM item WHERE id IN (SELECT id FROM item WHERE source = ? LIMIT ?)",
            arguments: [sourceID, piece]
          )
          return database.changesCount
        }
        try emptyLog()
        if count == 0 { return }
      } catch {
        guard reserve.isRoomLacking, piece > 1 else { throw error }
        piece /= 2
        try? emptyLog()
      }
    }
  }

  /// Changes the user's settings of a source; nil leaves a setting as it is.
  ///
  /// A new identity rule applies to stored items too: items that become equal are merged, and count
  /// as read if any was. An empty `customTitle` removes the user's title.
  ///
  /// - Throws: ``LinkError`` with code `.badArgument` for an identity rule of an extension.
  public func change(
    sourceID: Int64,
    customTitle: String? = nil,
    folder: [String]? = nil,
    identityRule: LinkSource.IdentityRule? = nil,
    appliesRules: Bool? = nil
  ) throws {
    try write { database in
      if let customTitle {
        try database.execute(
          literal: """
            UPDATE source SET customTitle = \(customTitle.isEmpty ? nil : customTitle)
            WHERE id = \(sourceID)
            """
        )
      }
      if let folder {
        try database.execute(
          literal: "UPDATE source SET folder = \(Self.json(folder)) WHERE id = \(sourceID)"
        )
      }
      if let identityRule {
        try setIdentityRule(identityRule, ofSource: sourceID, database)
      }
      if let appliesRules {
        try database.execute(
          literal: "UPDATE source SET appliesRules = \(appliesRules) WHERE id = \(sourceID)"
        )
        try applyRules(toSource: sourceID, database)
      }
    }
  }

  // MARK: Rows

  static func source(id: Int64, _ database: Database) throws -> LinkSource? {
    try Row.fetchOne(database, sql: "SELECT * FROM source WHERE id = ?", arguments: [id])
      .map(LinkSource.init)
  }

  /// Returns the feed at an address; http and https are alike.
  static func feed(at address: String, _ database: Database) throws -> LinkSource? {
    let secure = LinkAddress.key(address)
    let plain = "http://" + secure.dropFirst("https://".count)
    return try Row.fetchOne(
      database,
      literal: "SELECT * FROM source WHERE kind = 'feed' AND key IN (\(secure), \(plain))"
    ).map(LinkSource.init)
  }

  static func json(_ texts: [String]) -> String {
    let data = try? JSONEncoder().encode(texts)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "[]"
  }

  static func texts(json: String) -> [String] {
    (try? JSONDecoder().decode([String].self, from: Data(json.utf8))) ?? []
  }
}

extension LinkSource {
  init(_ row: Row) {
    var state = FetchState()
    state.entityTag = row.value("entityTag", or: nil)
    state.lastModified = row.value("lastModified", or: nil)
    state.documentDigest = row.value("documentDigest", or: nil)
    state.tried = row.date("tried")
    state.succeeded = row.date("succeeded")
    state.nextFetch = row.date("nextFetch")
    state.isHeldBack = row.value("isHeldBack", or: false)
    state.failures = row.count("failures", in: 0...1_000_000)
    state.lastError = row.value("lastError", or: nil)
    state.isGone = row.value("isGone", or: false)
    state.notes = LinkStore.texts(json: row.value("notes", or: ""))
    self.init(
      id: row.value("id", or: 0),
      kind: Kind(rawValue: row.value("kind", or: "")) ?? .feed,
      key: row.value("key", or: ""),
      ownTitle: row.value("ownTitle", or: ""),
      customTitle: row.value("customTitle", or: nil),
      pageAddress: row.value("pageAddress", or: nil),
      folder: LinkStore.texts(json: row.value("folder", or: "")),
      identityRule: IdentityRule(rawValue: row.value("identityRule", or: "")) ?? .automatic,
      appliesRules: row.value("appliesRules", or: true),
      isLocal: row.value("isLocal", or: false),
      added: row.date("added") ?? .distantPast,
      icon: row.value("icon", or: nil),
      state: state,
      itemCount: row.value("itemCount", or: nil) ?? 0,
      unreadCount: row.value("unreadCount", or: nil) ?? 0
    )
  }
}

extension Array {
  /// The array, or nil if it is empty.
  var nonEmpty: [Element]? { isEmpty ? nil : self }
}
