internal import Foundation
internal import ServiceFolders

/// Locks what only one process at a time may do with notes.
enum StoreLock {
  /// Runs a body while no other process does; waits for others.
  ///
  /// - Throws: ``NoteError`` with code `database` if another process holds the lock for more than a
  ///   minute, or the body's error.
  static func whileHeld<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
    let lock: FileLock
    do throws(FileLock.Failure) {
      lock = try FileLock.waiting(
        for: file,
        holder: "a program with notes",
        patience: .seconds(60)
      )
    } catch {
      switch error {
      case .held(let other):
        throw NoteError(
          .database,
          "\(file.path) is held by \(other ?? "another process"); wait for it or end it"
        )
      case .unusable(let sentence): throw NoteError(.database, sentence)
      }
    }
    return try withExtendedLifetime(lock, body)
  }

  /// Runs a body unless another process holds the lock.
  ///
  /// - Returns: Whether it ran.
  /// - Throws: ``NoteError`` with code `database` if the lock cannot be used, or the body's error.
  static func ifFree(_ file: URL, _ body: () throws -> Void) throws -> Bool {
    let lock: FileLock
    do throws(FileLock.Failure) {
      lock = try FileLock(file, holder: "a program with notes")
    } catch {
      switch error {
      case .held: return false
      case .unusable(let sentence): throw NoteError(.database, sentence)
      }
    }
    try withExtendedLifetime(lock, body)
    return true
  }
}
