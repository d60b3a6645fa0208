internal import Foundation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// A lock between processes, which ends with its process.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Waits for the lock.
  ///
  /// - Throws: ``GalleryError`` with code `.busy` where another has it for longer than `patience`.
  init(_ file: URL, patience: Duration) async throws {
    let descriptor = unsafe open(
      file.path,
      O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
      mode_t(0o600)
    )
    guard descriptor >= 0 else {
      throw FileSystem.failure("\(file.path) cannot be opened", errno)
    }
    let end = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      guard number == EWOULDBLOCK || number == EINTR else {
        close(descriptor)
        throw FileSystem.failure("\(file.path) cannot be locked", number)
      }
      guard ContinuousClock.now < end else {
        close(descriptor)
        throw GalleryError(
          .busy,
          "Another process is installing or updating extensions; try again when it is done"
        )
      }
      do {
        try await Task.sleep(for: .milliseconds(50))
      } catch {
        close(descriptor)
        throw error
      }
    }
    self.descriptor = descriptor
  }

  func release() { close(descriptor) }
}
