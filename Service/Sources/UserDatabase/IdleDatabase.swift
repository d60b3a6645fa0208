internal import DurableFiles
internal import Foundation

/// A database's file that no process has open with SQLite, and none can open as long as this exists.
///
/// Closing it also drops the locks of SQLite that this process has on the same file, so it must have no connection.
///
/// > Related SQLite documentation: <https://sqlite.org/fileformat2.html#wal_file_locks>
struct IdleDatabase: ~Copyable {
  private let descriptor: Int32

  /// The bytes that each connection locks for as long as it is open: in the database, and in the log's index.
  private static let connections = (start: 0x4000_0002, length: 510)
  private static let indexUsers = (start: 128, length: 1)

  /// Takes hold of a database; `nil` if a process has it open, or if nothing is there.
  ///
  /// - Throws: `FileFailure`.
  init?(_ path: String) throws(FileFailure) {
    var number = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    var isWritable = true
    if number < 0, [EACCES, EROFS, EPERM].contains(errno) {
      isWritable = false
      number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard number >= 0 else {
      if errno == ENOENT { return nil }
      throw FileFailure(path, "opened", errno)
    }
    let isIdle =
      isWritable
      ? Self.isLocked(number, Self.connections)
      : !Self.isUsed(number, Self.connections)
    guard isIdle else {
      close(number)
      return nil
    }
    descriptor = number
  }

  deinit { close(descriptor) }

  /// Returns the header; `nil` if it is not one of a database.
  func header() -> DatabaseHeader? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: DatabaseHeader.size) { buffer, count in
      count = unsafe max(0, pread(descriptor, buffer.baseAddress, DatabaseHeader.size, 0))
    }
    return DatabaseHeader(bytes, fileSize: Int(status.st_size))
  }

  /// Returns whether another process uses the index of a log; it is then of another database that was here before.
  static func isIndexUsed(_ path: String) -> Bool {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { return false }
    defer { close(number) }
    return isUsed(number, indexUsers)
  }

  /// Locks a part of a file; returns whether nobody else has it locked.
  private static func isLocked(_ number: Int32, _ part: (start: Int, length: Int)) -> Bool {
    var lock = lock(part)
    return unsafe fcntl(number, F_SETLK, &lock) == 0 || ![EACCES, EAGAIN].contains(errno)
  }

  private static func isUsed(_ number: Int32, _ part: (start: Int, length: Int)) -> Bool {
    var lock = lock(part)
    return unsafe fcntl(number, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  private static func lock(_ part: (start: Int, length: Int)) -> flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = part.start
    lock.l_len = part.length
    return lock
  }
}
