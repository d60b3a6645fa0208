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
    /// What each database has to have before it is used, beside its tables.
    public var contents: Contents?
    /// Creates the migrator to the current version.
    public var migrator: @Sendable () -> DatabaseMigrator

    /// Creates options.
    public init(
      busySeconds: Double,
      hasReaders: Bool,
      hasForeignKeys: Bool = false,
      functions: [DatabaseFunction] = [],
      contents: Contents? = nil,
      migrator: @escaping @Sendable () -> DatabaseMigrator
    ) {
      self.busySeconds = busySeconds
      self.hasReaders = hasReaders
      self.hasForeignKeys = hasForeignKeys
      self.functions = functions
      self.contents = contents
      self.migrator = migrator
    }
  }

  /// What a database has to have before it is used.
  public struct Contents: Sendable {
    let areThere: @Sendable (Database) throws -> Bool
    let wereThere: @Sendable (Database) throws -> Bool
    let write: @Sendable (Database) throws -> Void

    /// Creates contents.
    ///
    /// - Parameters:
    ///   - areThere: Looks for them.
    ///   - wereThere: Looks for some with which the database was in use, so that it can be read.
    ///   - write: Writes them.
    public init(
      areThere: @escaping @Sendable (Database) throws -> Bool,
      wereThere: @escaping @Sendable (Database) throws -> Bool,
      write: @escaping @Sendable (Database) throws -> Void
    ) {
      self.areThere = areThere
      self.wereThere = wereThere
      self.write = write
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
  private let opened: Mutex<OpenDatabase?>

  /// The last refusal of what is lost, which is the answer for a moment.
  private let refusal = Mutex<(error: Lost, end: ContinuousClock.Instant)?>(nil)

  /// Takes charge of a database, which is opened when it is first used, and created if needed.
  ///
  /// If it cannot be opened then, the next use tries again.
  ///
  /// - Parameters:
  ///   - file: The database; its folder is created with access for the owner only.
  ///   - lock: The lock file by which processes take turns in opening the database.
  ///   - options: The store's options.
  public init(file: URL, lock: URL, options: Options) {
    self.file = file
    self.lock = lock
    self.options = options
    opened = Mutex(nil)
    Self.all.withLock { all in
      all.removeAll { $0.database == nil }
      all.append(Weak(database: self))
    }
  }

  /// Opens the database, at least for reading.
  ///
  /// - Throws: ``Superseded``, or an error that ``DatabaseWords`` explains, such as ``Lost``.
  public func open() throws {
    do {
      _ = try current()
    } catch {
      guard Self.isOfDisk(error) else { throw error }
      do {
        try readUnwritable(after: error) { _ in }
      } catch let other where other is Superseded || other is Lost || other is FileFailure {
        throw other
      } catch _ {
        throw error
      }
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
  /// some of it in the log, which the next process reads. So does a database that is damaged, or no longer where it was
  /// opened.
  public static func emptyLogs() {
    for database in all.withLock({ $0.compactMap(\.database) }) { database.emptyLog() }
  }

  /// Brings what is in the log into the database.
  func emptyLog() { opened.withLock { $0 }?.emptyLog() }

  /// Reads the last committed state.
  public func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try current().using { try $0.read(body) }
    } catch {
      guard Self.isOfDisk(error) else { throw error }
      do {
        return try readUnwritable(after: error, body)
      } catch let other as DatabaseError where Self.isOfDisk(other) {
        throw error
      }
    }
  }

  /// Reads the last committed state although the disk allows no connection.
  ///
  /// - Parameters:
  ///   - refusal: Why there is none, which is also the answer where the disk has kept the database from
  ///     getting the tables that are asked for.
  ///   - body: Reads it.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws, ``Superseded``, ``Lost``, `FileFailure` or an error of SQLite.
  private func readUnwritable<Value>(
    after refusal: any Error,
    _ body: (Database) throws -> Value
  ) throws -> Value {
    let files = DatabaseFiles(database: file)
    if opened.withLock({ $0 == nil }) {
      // It may be something that must not be opened at all.
      try files.check()
      try files.part()
    }
    return try UnwritableDatabase.read(files, foreignKeys: options.hasForeignKeys) { database in
      let isCurrent = try Self.checkVersion(database, options)
      // An older database has most of what is asked for, one that was only begun has nothing.
      guard try isCurrent || !options.migrator().appliedIdentifiers(database).isEmpty else {
        throw refusal
      }
      do {
        if try options.contents?.wereThere(database) == false { throw refusal }
        return try body(database)
      } catch let error as DatabaseError where !isCurrent && error.resultCode == .SQLITE_ERROR {
        throw refusal
      }
    }
  }

  /// Changes the database in one transaction, which is durable when the call returns.
  public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try current().using { writer in try writer.write { try ChangeCount.counting($0, body) } }
  }

  /// Returns the connection on which changes can be observed.
  ///
  /// - Throws: An error that ``DatabaseWords`` explains, while the disk cannot be written to.
  public func connection() throws -> any DatabaseWriter { try current().writer }

  /// Returns the connection to the file that is at the path now, which may be another than before.
  private func current() throws -> OpenDatabase {
    let before = opened.withLock { $0 }
    if let before, before.isInPlace { return before }
    if let last = refusal.withLock({ $0 }), ContinuousClock.now < last.end { throw last.error }
    let new: OpenDatabase
    do {
      if before != nil, try DatabaseIdentity(file.path) == nil {
        try DatabaseFiles(database: file).check()
        throw Lost(
          "\(file.path) was removed while it was in use; programs that are started from now on create a new one, so "
            + "start this one again"
        )
      }
      new = try Self.open(file, lock, options)
    } catch let error as Lost {
      // Whoever asks first may not be who can tell the user, and those who ask often need not look each time.
      refusal.withLock { $0 = (error, ContinuousClock.now + .seconds(1)) }
      throw error
    }
    return opened.withLock { opened in
      if let other = opened, other !== before, other.isInPlace { return other }
      opened = new
      return new
    }
  }

  // MARK: Opening

  private static func open(
    _ file: URL,
    _ lock: URL,
    _ options: Options
  ) throws -> OpenDatabase {
    try ServiceFolders.makePrivate(file.deletingLastPathComponent())
    // Otherwise two processes could both find the database missing, and create it.
    let lock = try FileLock.waiting(
      for: lock,
      holder: "a program that opens it",
      // Whoever is waiting for an answer waits for all of it.
      patience: .seconds(15)
    )
    return try withExtendedLifetime(lock) {
      let files = DatabaseFiles(database: file)
      try files.check()
      try files.prepare()
      try files.part()
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
      let opened = OpenDatabase(writer, file.path)
      try opened.using { writer in
        // Makes commits durable. GRDB sets a lower level when it opens a database, so this has to
        // come afterwards.
        try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        let isCurrent = try writer.read { try checkVersion($0, options) }
        if !isCurrent {
          try writer.writeWithoutTransaction { try ChangeCount.begin($0) }
          try options.migrator().migrate(writer)
          try writer.write { try ChangeCount.increase($0) }
          try writer.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
        }
        guard let contents = options.contents, try !writer.read(contents.areThere) else { return }
        do {
          try writer.write { try ChangeCount.counting($0, contents.write) }
        } catch let error where isOfDisk(error) {
          guard try writer.read(contents.wereThere) else { throw error }
          // It can be read.
        }
      }
      files.markAsMade()
      return opened
    }
  }

  /// - Returns: Whether the database has all tables of this version.
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
