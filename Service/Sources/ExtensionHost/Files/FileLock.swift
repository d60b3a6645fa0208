internal import Foundation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The right to change what is kept for a user, which one process has at a time.
///
/// The system takes it back when the process ends, however it ends.
final class FileLock: Sendable {
  private let file: Descriptor

  /// Takes the lock, if need be waiting for the one who has it.
  ///
  /// - Parameters:
  ///   - path: The lock's file; its folder is there.
  ///   - holder: Who takes it, for those who then wait.
  ///   - seconds: How long to wait.
  /// - Throws: ``HostError`` with code `.locked`, which names the holder, or `.file`.
  init(path: String, holder: String, waiting seconds: Int64) throws(HostError) {
    let number = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
    guard number >= 0 else {
      throw HostError(.file, "\(path) cannot be opened: \(System.reason(errno))")
    }
    file = Descriptor(number)
    let end = System.milliseconds + seconds * 1000
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw HostError(.file, "\(path) cannot be locked: \(System.reason(errno))")
      }
      guard System.milliseconds < end else {
        let text = (try? file.contents(atMost: 1000, path: path)).map {
          String(decoding: $0, as: UTF8.self)
        }
        let who = text.flatMap { $0.isEmpty ? nil : $0 } ?? "another process"
        throw HostError(.locked, "\(path) is held by \(who); wait for it or end it")
      }
      usleep(20_000)
    }
    ftruncate(number, 0)
    try? file.write("\(holder) (process \(getpid()))".utf8, path: path)
  }
}
