internal import Foundation
internal import ServiceFolders

/// What one process at a time does with notes.
enum StoreLock {
  /// Does something while no other process does it; waits for others.
  ///
  /// - Throws: ``NoteError`` with code `database` if another does not end within a minute, or what
  ///   the body throws.
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

  /// Does something unless another process is doing it.
  ///
  /// - Returns: Whether it was done.
  /// - Throws: ``NoteError`` with code `database` if the lock cannot be used, or what the body throws.
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
