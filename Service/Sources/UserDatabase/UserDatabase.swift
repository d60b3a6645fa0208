internal import DurableFiles
public import Foundation
public import GRDB
internal import ServiceFolders
internal import Synchronization

/// A database of a user's, in one SQLite file that several processes share.
///
/// It is in WAL mode, and a change is on the disk when ``write(_:)`` returns. Where the disk is full,
/// or cannot be written for another reason, what is kept can still be read, by
/// ``UnwritableDatabase``; what is read is always what was last committed. As soon as the disk can be
/// written again, so can the database.
public final class UserDatabase: Sendable {
  /// What stores differ in.
  public struct Options: Sendable {
    /// How many seconds a writer waits for others.
    public var busySeconds: Double
    /// Whether readers go on while another thread writes.
    public var hasReaders: Bool
    /// Whether references between tables are held.
    public var hasForeignKeys: Bool
    /// What a change of the database to the current version is.
    public var migrator: @Sendable () -> DatabaseMigrator

    /// Takes all of them.
    public init(
      busySeconds: Double,
      hasReaders: Bool,
      hasForeignKeys: Bool = false,
      migrator: @escaping @Sendable () -> DatabaseMigrator
    ) {
      self.busySeconds = busySeconds
      self.hasReaders = hasReaders
      self.hasForeignKeys = hasForeignKeys
      self.migrator = migrator
    }
  }

  /// The database was written by a later version, which alone can use it.
  public struct Superseded: Error {}

  /// The file.
  public let file: URL
  private let lock: URL
  private let options: Options
  /// The connection; nil while the disk does not let one be opened that can write.
  private let writer: Mutex<(any DatabaseWriter)?>

  /// Opens a database, and makes it if there is none.
  ///
  /// - Parameters:
  ///   - file: The database; its folder is made, for its owner alone.
  ///   - lock: The file by which processes open the database one after the other.
  ///   - options: What the store wants.
  /// - Throws: ``Superseded``, or an error that ``DatabaseWords`` explains.
  public init(file: URL, lock: URL, options: Options) throws {
    self.file = file
    self.lock = lock
    self.options = options
    let opened: (any DatabaseWriter)?
    do {
      opened = try Self.open(file, lock, options)
    } catch {
      guard Self.isOfDisk(error) else { throw error }
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
  }

  /// Reads what was last committed.
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

  /// Changes the database in one transaction, which is on the disk when the call returns.
  public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try connection().write(body)
  }

  /// The connection by which changes can be observed.
  ///
  /// - Throws: An error that ``DatabaseWords`` explains, while the disk cannot be written.
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
    // Two processes that make the database at once would otherwise both see that it is not there.
    let lock = try FileLock.waiting(
      for: lock,
      holder: "a program that opens it",
      patience: .seconds(60)
    )
    return try withExtendedLifetime(lock) {
      var configuration = Configuration()
      configuration.busyMode = .timeout(options.busySeconds)
      configuration.foreignKeysEnabled = options.hasForeignKeys
      configuration.journalMode = .wal
      let writer: any DatabaseWriter =
        options.hasReaders
        ? try DatabasePool(path: file.path, configuration: configuration)
        : try DatabaseQueue(path: file.path, configuration: configuration)
      // Commits are on the disk when they return. GRDB asks for less when it opens a database, so
      // that this comes after it.
      try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try closeToOthers(file)
      let isCurrent = try writer.read { try checkVersion($0, options) }
      if !isCurrent { try options.migrator().migrate(writer) }
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

  /// The folder may be one that others can enter.
  private static func closeToOthers(_ file: URL) throws {
    var status = stat()
    guard unsafe stat(file.path, &status) == 0, status.st_mode & 0o777 != 0o600 else { return }
    guard unsafe chmod(file.path, 0o600) == 0 else {
      throw FileFailure(file.path, "closed to others", errno)
    }
  }

  /// Whether an error may be the disk's, so that reading may go on in another way.
  private static func isOfDisk(_ error: any Error) -> Bool {
    switch error {
    case let error as DatabaseError:
      [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    case is FileFailure, FileLock.Failure.unusable: true
    default: false
    }
  }
}
