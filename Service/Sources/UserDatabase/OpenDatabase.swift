internal import CSQLiteLogs
internal import DurableFiles
internal import GRDB
internal import Synchronization

/// A connection to the file that was at a path when it was opened.
///
/// If that file is no longer there, the connection is never used again, and is closed without the log: SQLite would
/// bring the log that is beside the path into the old file, and remove it, although it belongs to the new one. The
/// same holds for a file that was found damaged, whose log may be what restores it.
final class OpenDatabase: Sendable {
  let writer: any DatabaseWriter
  private let path: String
  private let identity: DatabaseIdentity?
  private let isDamaged = Mutex(false)

  /// How many connections this process has to each file.
  private static let counts = Mutex<[DatabaseIdentity: Int]>([:])
  /// The paths at which this process has had a connection, maybe to another file.
  private static let paths = Mutex<Set<String>>([])
  /// What is never closed, since it could not be without its log.
  private static let abandoned = Mutex<[any DatabaseWriter]>([])

  /// Takes charge of a connection to what is at a path.
  init(_ writer: any DatabaseWriter, _ path: String) {
    self.writer = writer
    self.path = path
    identity = try? DatabaseIdentity(path)
    _ = Self.paths.withLock { $0.insert(path) }
    if let identity { Self.counts.withLock { $0[identity, default: 0] += 1 } }
  }

  deinit {
    if isSound {
      // SQLite does so when the last connection is closed, but not if that is one for reading.
      emptyLog()
      try? writer.close()
    } else {
      // The file counts as open as long as it is: another one gets its number only when it is closed.
      guard leavesLog(), (try? writer.close()) != nil else {
        return Self.abandoned.withLock { $0.append(writer) }
      }
    }
    guard let identity else { return }
    Self.counts.withLock { counts in
      let others = counts[identity, default: 1] - 1
      counts[identity] = others > 0 ? others : nil
    }
  }

  /// Returns whether this process has a connection to a file.
  static func isOpen(_ identity: DatabaseIdentity) -> Bool {
    counts.withLock { $0[identity] != nil }
  }

  /// Returns whether this process has, or had, a connection to a file at a path.
  static func wasOpen(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }

  /// Whether the file is still at its path; if the disk does not say, it is believed to be.
  var isInPlace: Bool {
    do { return try DatabaseIdentity(path) == identity } catch { return true }
  }

  /// Whether the log may be brought into the file.
  private var isSound: Bool { isInPlace && !isDamaged.withLock { $0 } }

  /// Has the connection leave the log as it is when it is closed; those for reading never touch it.
  ///
  /// - Returns: Whether it will.
  private func leavesLog() -> Bool {
    writer.writeWithoutTransaction { database in
      unsafe database.sqliteConnection.map { unsafe tickbird_leave_log($0) } == SQLITE_OK
    }
  }

  /// Brings what is in the log into the file, unless that is damaged or no longer in its place.
  ///
  /// Nobody is waited for; whoever reads at the moment keeps some of it in the log.
  func emptyLog() {
    guard isSound else { return }
    try? writer.writeWithoutTransaction { database in
      let patience = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
      try database.execute(sql: "PRAGMA busy_timeout = 0")
      defer { try? database.execute(sql: "PRAGMA busy_timeout = \(patience)") }
      try database.checkpoint(.truncate)
    }
  }

  /// Runs a body, and remembers when it finds the file damaged.
  func using<Value>(_ body: (any DatabaseWriter) throws -> Value) throws -> Value {
    do {
      return try body(writer)
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      isDamaged.withLock { $0 = true }
      throw error
    }
  }
}
