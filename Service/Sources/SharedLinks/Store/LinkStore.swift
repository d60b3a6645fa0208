public import Foundation
internal import GRDB
internal import Glibc

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
  private let pool: DatabasePool

  /// Opens the database in a folder, making both where there are none.
  ///
  /// - Throws: ``LinkError`` with code `.storeUnusable`.
  public init(folder: URL, limits: LinkLimits = LinkLimits()) throws {
    self.limits = limits
    rulesFolder = folder.appending(path: "link-rules", directoryHint: .isDirectory)
    let file = folder.appending(path: "links.sqlite")
    self.file = file
    do {
      try FileManager.default.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      pool = try Self.withLock(folder.appending(path: "links.lock")) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.busySeconds)
        configuration.foreignKeysEnabled = true
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        // Commits are on disk when they return, also if the machine loses power. GRDB asks for less
        // when it opens a database, so that this comes after it.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        let migrator = Self.migrator
        if try pool.read(migrator.hasBeenSuperseded) {
          throw LinkError(
            .storeUnusable,
            "\(file.path) was written by a later version; use that version, or another TICKBIRD_HOME"
          )
        }
        try migrator.migrate(pool)
        return pool
      }
    } catch let error as LinkError {
      throw error
    } catch {
      throw Self.failure(error, doing: "opening \(file.path)")
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
      return try pool.read(body)
    } catch let error as LinkError {
      throw error
    } catch {
      throw Self.failure(error, doing: "reading the links")
    }
  }

  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try pool.write(body)
    } catch let error as LinkError {
      throw error
    } catch {
      throw Self.failure(error, doing: "writing the links")
    }
  }

  static func failure(_ error: any Error, doing: String) -> LinkError {
    let reason: String
    if let error = error as? DatabaseError {
      switch error.resultCode {
      case .SQLITE_BUSY: reason = "another process has held it for too long; try again"
      case .SQLITE_FULL: reason = "the disk is full; make room"
      case .SQLITE_CORRUPT, .SQLITE_NOTADB:
        reason = "the file is damaged; move it away, and import your OPML file again"
      case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
        reason = "it cannot be opened; give the folder's permissions"
      default: reason = error.message ?? "\(error.resultCode)"
      }
    } else {
      reason = error.localizedDescription
    }
    return LinkError(.storeUnusable, "\(doing) failed: \(reason)")
  }

  /// Runs a body while no other process opens the database.
  ///
  /// Switching a new database to its write-ahead log and creating its tables do not wait for each
  /// other by themselves.
  private static func withLock<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
    let descriptor = unsafe open(file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw LinkError(
        .storeUnusable,
        "\(file.path) cannot be written; give the folder's permissions"
      )
    }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
    return try body()
  }
}
