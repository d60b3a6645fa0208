public import Foundation
internal import GRDB
internal import UserDatabase

/// Subscriptions, items, icons and read state, in one SQLite database.
///
///     let store = try LinkStore(folder: ServiceFolders().data)
///     let feed = try store.subscribe(to: "https://example.org/feed.xml")
///     let newest = try store.items(LinkQuery())
///
/// Any number of processes and threads may use one database at the same time: readers never wait,
/// writers wait for each other up to ``busySeconds``. Each change is one transaction that is on disk
/// when the call returns; a process that is killed at any moment leaves the database as it was before
/// or after a change, never between.
///
/// All calls block on the file system, and throw ``LinkError`` alone.
public final class LinkStore: Sendable {
  /// How long a writer waits for others before it gives up.
  static let busySeconds = 30.0

  /// What reading and keeping may cost.
  public let limits: LinkLimits
  /// The folder of the user's rule lists.
  let rulesFolder: URL
  let blocking = LinkBlocking()
  /// The database.
  let file: URL
  private let database: UserDatabase

  /// Opens the database in a folder, making both where there are none.
  ///
  /// - Throws: ``LinkError`` with code `.storeUnusable`.
  public init(folder: URL, limits: LinkLimits = LinkLimits()) throws {
    self.limits = limits
    rulesFolder = folder.appending(path: "link-rules", directoryHint: .isDirectory)
    let file = folder.appending(path: "links.sqlite")
    self.file = file
    do {
      database = try UserDatabase(
        file: file,
        lock: folder.appending(path: "links.lock"),
        options: UserDatabase.Options(
          busySeconds: Self.busySeconds,
          hasReaders: true,
          hasForeignKeys: true
        ) { Self.migrator }
      )
    } catch {
      throw Self.failure(error, file, doing: "opening the links")
    }
  }

  /// Whether the database is sound: its structure, its references, and that the search index has
  /// what the items say.
  ///
  /// - Throws: ``LinkError`` where the store fails.
  /// - Complexity: Reads everything.
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

  func failure(_ error: any Error, doing: String) -> LinkError {
    Self.failure(error, file, doing: doing)
  }

  private static func failure(_ error: any Error, _ file: URL, doing: String) -> LinkError {
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
