public import Foundation
internal import GRDB
internal import ServiceFolders
internal import UserDatabase

/// Subscriptions, items, icons and read state, in one SQLite database.
///
///     let store = try LinkStore(folder: ServiceFolders().data)
///     let feed = try store.subscribe(to: "https://example.org/feed.xml")
///     let newest = try store.items(LinkQuery())
///
/// Any number of processes and threads may share one database: readers never wait, and writers wait
/// for each other for up to ``busySeconds``. Each change is one transaction, durable when the call
/// returns; a process that is killed leaves the database as it was before or after a change.
///
/// All calls block on file I/O, and throw only ``LinkError``.
public final class LinkStore: Sendable {
  /// The timeout of a writer that waits for others, in seconds.
  static let busySeconds = 30.0

  /// The limits on reading and storing.
  public let limits: LinkLimits
  /// The folder of the user's rule lists.
  let rulesFolder: URL
  let blocking = LinkBlocking()
  /// The database.
  let file: URL
  private let database: UserDatabase
  /// The room for removals on a full disk.
  let reserve: DiskReserve

  /// Opens the database in a folder, creating either if needed.
  ///
  /// - Throws: ``LinkError`` with code `.storeUnusable`.
  public convenience init(folder: URL, limits: LinkLimits = LinkLimits()) throws {
    self.init(openedWhenUsed: folder, limits: limits)
    do {
      try database.open()
    } catch {
      throw failure(error, doing: "opening the links")
    }
  }

  /// Takes charge of the database in a folder; each call opens it, or tries to, unless an earlier one could.
  public init(openedWhenUsed folder: URL, limits: LinkLimits = LinkLimits()) {
    self.limits = limits
    rulesFolder = folder.appending(path: "link-rules", directoryHint: .isDirectory)
    file = folder.appending(path: "links.sqlite")
    reserve = DiskReserve(folder: folder)
    database = UserDatabase(
      file: file,
      lock: folder.appending(path: "links.lock"),
      options: UserDatabase.Options(
        busySeconds: Self.busySeconds,
        hasReaders: true,
        hasForeignKeys: true,
        functions: [SearchText.function]
      ) { Self.migrator }
    )
  }

  /// Returns whether the database is sound: its structure, its references, and that the search
  /// index agrees with the items.
  ///
  /// - Throws: ``LinkError`` if the store fails.
  /// - Complexity: Reads the whole database.
  public func checkIntegrity() throws -> Bool {
    try write { database in
      let verdict = try String.fetchOne(database, sql: "PRAGMA integrity_check")
      let strays = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check")
      guard verdict == "ok", strays == nil else { return false }
      do {
        try database.execute(
          sql: "INSERT INTO itemText (itemText, rank) VALUES ('integrity-check', 1)"
        )
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        return false
      }
      return true
    }
  }

  // MARK: Access

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try database.read(body)
    } catch let error as LinkError {
      throw error
    } catch {
      throw failure(error, doing: "reading the links")
    }
  }

  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try database.write(body)
    } catch let error as LinkError {
      throw error
    } catch {
      throw failure(error, doing: "writing the links")
    }
  }

  /// Takes something away, which has to be possible on a full disk, too.
  func takeAway<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try reserve.takeAway { try write(body) }
  }

  /// Puts the log's changes into the database, and gives the log's room back.
  func emptyLog() throws {
    do {
      _ = try database.connection().writeWithoutTransaction { try $0.checkpoint(.truncate) }
    } catch {
      throw failure(error, doing: "writing the links")
    }
  }

  func failure(_ error: any Error, doing: String) -> LinkError {
    if error is UserDatabase.Superseded {
      return LinkError(
        .storeUnusable,
        "\(file.path) was written by a later version; use that version, or another TICKBIRD_HOME"
      )
    }
    let reason = DatabaseWords.explanation(
      of: error,
      file: file,
      recovery: "import your OPML file again"
    )
    return LinkError(.storeUnusable, "\(doing) failed: \(reason)")
  }
}
