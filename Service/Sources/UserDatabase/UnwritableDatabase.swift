internal import DurableFiles
internal import Foundation
internal import GRDB

/// Reads a database that cannot be opened normally because its disk cannot be written to.
///
/// SQLite keeps an index of the write-ahead log in a file, for which there may be no room. Two
/// fallbacks can read it, and neither ignores the log:
///
/// 1. With an exclusive lock, SQLite keeps that index in memory.
/// 2. If not even the log can be created, or the file system is read-only, the database is copied
///    with its log to another file system, and the copy is read. This needs a place with room: the
///    user's runtime folder, memory, or the temporary folder.
///
/// The database is opened for each read and closed afterwards, so that reads are never stale and
/// others need not wait.
enum UnwritableDatabase {
  static func read<Value>(
    _ files: DatabaseFiles,
    foreignKeys: Bool,
    _ body: (Database) throws -> Value
  ) throws -> Value {
    // Beside a link there are no logs, and a copy of it would be the database itself.
    let file = URL(filePath: files.real)
    // Opening would create one.
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
    }
    var opened: DatabaseQueue?
    do {
      opened = try alone(file, foreignKeys)
    } catch let error as DatabaseError
      where [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_BUSY]
      .contains(error.resultCode)
    {
      opened = nil
    }
    if let opened { return try opened.read(body) }
    return try withCopy(of: file) { try alone($0, foreignKeys).read(body) }
  }

  /// Opens a database with the log's index in memory, while nobody else has it open.
  private static func alone(_ file: URL, _ foreignKeys: Bool) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(2)
    configuration.foreignKeysEnabled = foreignKeys
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY")
    }
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
    return queue
  }

  // MARK: Copies

  /// Detects whether a file was written.
  private struct Mark: Equatable {
    var device: UInt = 0
    var inode: UInt = 0
    var size: Int = 0
    var seconds: Int = 0
    var nanoseconds: Int = 0

    /// Returns the mark of a file; nil if it does not exist.
    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      device = UInt(status.st_dev)
      inode = UInt(status.st_ino)
      size = Int(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  private static func withCopy<Value>(of file: URL, _ body: (URL) throws -> Value) throws -> Value {
    var failure: any Error = DatabaseError(resultCode: .SQLITE_CANTOPEN)
    let environment = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
    let places: [String?] = [
      environment, "/dev/shm", FileManager.default.temporaryDirectory.path,
    ]
    for place in places.compactMap(\.self) where place.hasPrefix("/") {
      let folder = URL(filePath: place, directoryHint: .isDirectory)
        .appending(path: "tickbird-\(UUID().uuidString)", directoryHint: .isDirectory)
      let copy = folder.appending(path: "copy.sqlite")
      defer { try? FileManager.default.removeItem(at: folder) }
      do {
        try FileManager.default.createDirectory(
          at: folder,
          withIntermediateDirectories: false,
          attributes: [.posixPermissions: 0o700]
        )
        try copyWhileUnchanged(file, to: copy)
      } catch {
        failure = error
        continue
      }
      return try body(copy)
    }
    throw failure
  }

  /// Copies a database with its log, as of one moment.
  static func copyWhileUnchanged(_ file: URL, to copy: URL) throws {
    for _ in 1...20 {
      let before = marks(file)
      for suffix in ["", "-wal", "-journal"] {
        let source = file.path + suffix
        guard FileManager.default.fileExists(atPath: source) else { continue }
        try? FileManager.default.removeItem(atPath: copy.path + suffix)
        let real = try FileStanding(of: source).path
        try FileManager.default.copyItem(atPath: real, toPath: copy.path + suffix)
        // Files of a backup may be unreadable even for their owner.
        guard unsafe chmod(copy.path + suffix, 0o600) == 0 else {
          throw FileFailure(copy.path + suffix, "written", errno)
        }
      }
      if marks(file) == before { return }
    }
    throw DatabaseError(resultCode: .SQLITE_BUSY, message: "it is being written all the time")
  }

  private static func marks(_ file: URL) -> [Mark?] {
    ["", "-wal", "-journal"].map { Mark(file.path + $0) }
  }
}
