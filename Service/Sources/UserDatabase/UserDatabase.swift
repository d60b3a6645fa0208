internal import DurableFiles
public import Foundation
public import GRDB
internal import ServiceFolders
internal import Synchronization

/// A user's database: one SQLite file shared by several processes.
///
/// It is in WAL mode, and a change is durable when ``write(_:)`` returns. If the disk is full or
/// otherwise not writable, the data can still be read through ``UnwritableDatabase``, always as
/// last committed. As soon as the disk is writable again, so is the database.
public final class UserDatabase: Sendable {
  /// The options in which stores differ.
  public struct Options: Sendable {
    /// The timeout of a writer that waits for others, in seconds.
    public var busySeconds: Double
    /// Whether readers continue while another thread writes.
    public var hasReaders: Bool
    /// Whether foreign keys are enforced.
    public var hasForeignKeys: Bool
    /// The SQL functions that the schema calls when it is written to.
    public var functions: [DatabaseFunction]
    /// Creates the migrator to the current version.
    public var migrator: @Sendable () -> DatabaseMigrator

    /// Creates options.
    public init(
      busySeconds: Double,
      hasReaders: Bool,
      hasForeignKeys: Bool = false,
      functions: [DatabaseFunction] = [],
      migrator: @escaping @Sendable () -> DatabaseMigrator
    ) {
      self.busySeconds = busySeconds
      self.hasReaders = hasReaders
      self.hasForeignKeys = hasForeignKeys
      self.functions = functions
      self.migrator = migrator
    }
  }

  /// The database was written by a newer version, and only that can use it.
  public struct Superseded: Error {}

  /// The database is not where it was, or something else is in its place.
  public struct Lost: Error {
    /// What is wrong, and the way out, without a full stop.
    public let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
  }

  /// The file.
  public let file: URL
  private let lock: URL
  private let options: Options
  /// The connection; nil while the disk allows none that can write.
  private let writer: Mutex<(any DatabaseWriter)?>

  /// Opens a database, creating it if needed.
  ///
  /// - Parameters:
  ///   - file: The database; its folder is created with access for the owner only.
  ///   - lock: The lock file by which processes take turns in opening the database.
  ///   - options: The store's options.
  /// - Throws: ``Superseded``, or an error that ``DatabaseWords`` explains, such as ``Lost``.
  public init(file: URL, lock: URL, options: Options) throws {
    self.file = file
    self.lock = lock
    self.options = options
    let opened: (any DatabaseWriter)?
    do {
      opened = try Self.open(file, lock, options)
    } catch {
      guard Self.isOfDisk(error) else { throw error }
      // It may be something that must not be opened at all.
      try DatabaseFiles(database: file).check()
      do {
        _ = try UnwritableDatabase.read(file, foreignKeys: options.hasForeignKeys) {
          try Self.checkVersion($0, options)
        }
      } catch let superseded as Superseded {
        throw superseded
      } catch _ {
        throw error
      }
      opened = nil
    }
    writer = Mutex(opened)
    Self.all.withLock { all in
      all.removeAll { $0.database == nil }
      all.append(Weak(database: self))
    }
  }

  // MARK: Ending

  /// A database that does not live on because of it.
  private struct Weak {
    weak var database: UserDatabase?
  }

  /// The databases of this process.
  private static let all = Mutex<[Weak]>([])

  /// Brings what is in the logs of this process's databases into the databases.
  ///
  /// To be called where the process ends, so that a copy of a database alone has everything. It is not closed: other
  /// threads may still use it, and end the program if it were. Nobody is waited for; whoever reads at the moment keeps
  /// some of it in the log, which the next process reads.
  public static func emptyLogs() {
    for database in all.withLock({ $0.compactMap(\.database) }) {
      guard let writer = database.writer.withLock({ $0 }) else { continue }
      try? writer.writeWithoutTransaction { database in
        let patience = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
        try database.execute(sql: "PRAGMA busy_timeout = 0")
        defer { try? database.execute(sql: "PRAGMA busy_timeout = \(patience)") }
        try database.checkpoint(.truncate)
      }
    }
  }

  /// Reads the last committed state.
  public func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try connection().read(body)
    } catch {
      guard Self.isOfDisk(error) else { throw error }
      do {
        return try UnwritableDatabase.read(file, foreignKeys: options.hasForeignKeys, body)
      } catch let other as DatabaseError where Self.isOfDisk(other) {
        throw error
      }
    }
  }

  /// Changes the database in one transaction, which is durable when the call returns.
  public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try connection().write(body)
  }

  /// Returns the connection on which changes can be observed.
  ///
  /// - Throws: An error that ``DatabaseWords`` explains, while the disk cannot be written to.
  public func connection() throws -> any DatabaseWriter {
    if let writer = writer.withLock({ $0 }) { return writer }
    let opened = try Self.open(file, lock, options)
    return writer.withLock { writer in
      let first = writer ?? opened
      writer = first
      return first
    }
  }

  // MARK: Opening

  private static func open(
    _ file: URL,
    _ lock: URL,
    _ options: Options
  ) throws -> any DatabaseWriter {
    try ServiceFolders.makePrivate(file.deletingLastPathComponent())
    // Otherwise two processes could both find the database missing, and create it.
    let lock = try FileLock.waiting(
      for: lock,
      holder: "a program that opens it",
      patience: .seconds(60)
    )
    return try withExtendedLifetime(lock) {
      let files = DatabaseFiles(database: file)
      try files.check()
      try files.prepare()
      var configuration = Configuration()
      configuration.busyMode = .timeout(options.busySeconds)
      configuration.foreignKeysEnabled = options.hasForeignKeys
      configuration.journalMode = .wal
      configuration.prepareDatabase { database in
        for function in options.functions { database.add(function: function) }
      }
      let writer: any DatabaseWriter =
        options.hasReaders
        ? try DatabasePool(path: file.path, configuration: configuration)
        : try DatabaseQueue(path: file.path, configuration: configuration)
      // Makes commits durable. GRDB sets a lower level when it opens a database, so this has to
      // come afterwards.
      try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      let isCurrent = try writer.read { try checkVersion($0, options) }
      if !isCurrent {
        try options.migrator().migrate(writer)
        try writer.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
      }
      files.markAsMade()
      return writer
    }
  }

  /// - Returns: Whether the database has all tables of this version.
  @discardableResult
  private static func checkVersion(_ database: Database, _ options: Options) throws -> Bool {
    let migrator = options.migrator()
    if try migrator.hasBeenSuperseded(database) { throw Superseded() }
    return try migrator.hasCompletedMigrations(database)
  }

  /// Returns whether an error may be the disk's, so that the fallback for reading is worth trying.
  private static func isOfDisk(_ error: any Error) -> Bool {
    switch error {
    case let error as DatabaseError:
      [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    case is FileFailure, FileLock.Failure.unusable: true
    default: false
    }
  }
}
