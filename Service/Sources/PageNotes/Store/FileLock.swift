internal import Foundation

/// A lock that one process at a time has, by an empty file.
enum FileLock {
  /// Does something while no other process does it; waits for others.
  static func whileLocked<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
    let descriptor = unsafe open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: file.path])
    }
    // Closing releases the lock.
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
    return try body()
  }
}
