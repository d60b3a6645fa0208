internal import CLibrary
public import Foundation

/// A lock between processes, by means of a file.
///
/// The system releases it when the process ends, for whatever reason. The file stays.
public final class FileLock: Sendable {
  /// Why a lock could not be acquired.
  public enum Failure: Error, Equatable {
    /// Another process holds it; the name that it gave, if any.
    case held(by: String?)
    /// The file cannot be used; the message names it.
    case unusable(String)
  }

  /// The interval at which a waiting process retries.
  private static let pause: Duration = .milliseconds(20)

  private let descriptor: Int32

  /// Acquires the lock if it is free.
  ///
  /// - Parameters:
  ///   - file: The lock file, which is created if missing; its folder has to exist.
  ///   - holder: The name of the holder, for processes that find it locked; the process number is
  ///     added.
  /// - Throws: ``Failure``.
  public convenience init(_ file: URL, holder: String? = nil) throws(Failure) {
    try self.init(file, LOCK_EX)
    // Remove the previous holder's name.
    _ = ftruncate(descriptor, 0)
    if let holder { Self.write("\(holder) (process \(getpid()))", descriptor) }
  }

  /// Acquires the lock together with others who share it, unless somebody holds it alone.
  ///
  /// - Parameter file: The lock file, which is created if missing; its folder has to exist.
  /// - Throws: ``Failure``.
  public convenience init(sharing file: URL) throws(Failure) {
    try self.init(file, LOCK_SH)
    // Remove the name of one that held it alone.
    _ = ftruncate(descriptor, 0)
  }

  private init(_ file: URL, _ kind: Int32) throws(Failure) {
    let flags = O_NOFOLLOW | O_CLOEXEC
    var number = unsafe open(file.path, O_RDWR | O_CREAT | flags, mode_t(0o600))
    // On a read-only disk, readers can still take turns.
    if number < 0, errno == EROFS || errno == EACCES {
      number = unsafe open(file.path, O_RDONLY | flags)
    }
    descriptor = number
    guard descriptor >= 0 else { throw Self.unusable(file, "opened", errno) }
    while flock(descriptor, kind | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      // `deinit` closes the file in this case too; closing it twice could close a descriptor that
      // another thread has opened meanwhile.
      guard number == EWOULDBLOCK else { throw Self.unusable(file, "locked", number) }
      throw .held(by: Self.text(descriptor))
    }
  }

  deinit {
    // Closing alone does not release it while the file is open elsewhere: a program that is being started has a
    // copy of every descriptor until it is replaced by its own image, and would hold the lock for that long.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Acquires the lock, blocking the thread while another process holds it.
  ///
  /// - Parameters:
  ///   - file: The lock file, which is created if missing; its folder has to exist.
  ///   - holder: The name of the holder, for processes that find it locked.
  ///   - patience: The timeout.
  /// - Returns: The lock, which is held as long as the value exists.
  /// - Throws: ``Failure``.
  public static func waiting(
    for file: URL,
    holder: String? = nil,
    patience: Duration
  ) throws(Failure) -> FileLock {
    let end = ContinuousClock.now + patience
    while true {
      do throws(Failure) {
        return try FileLock(file, holder: holder)
      } catch {
        guard case .held = error, ContinuousClock.now < end else { throw error }
      }
      usleep(UInt32(pause / .microseconds(1)))
    }
  }

  /// Acquires the lock, suspending the task while another process holds it.
  ///
  /// - Parameters:
  ///   - file: The lock file, which is created if missing; its folder has to exist.
  ///   - holder: The name of the holder, for processes that find it locked.
  ///   - patience: The timeout.
  /// - Returns: The lock, which is held as long as the value exists.
  /// - Throws: ``Failure``, or `CancellationError`.
  public static func waiting(
    for file: URL,
    holder: String? = nil,
    patience: Duration
  ) async throws -> FileLock {
    let end = ContinuousClock.now + patience
    while true {
      do throws(Failure) {
        return try FileLock(file, holder: holder)
      } catch {
        guard case .held = error, ContinuousClock.now < end else { throw error }
      }
      try await Task.sleep(for: pause)
    }
  }

  /// Locks an open file for as long as it is open; returns whether nobody else has it locked.
  static func lock(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  private static func unusable(_ file: URL, _ verb: String, _ number: Int32) -> Failure {
    .unusable(FileFailure(file.path, verb, number).description)
  }

  private static func write(_ text: String, _ descriptor: Int32) {
    let bytes = Array(text.utf8)
    // A lock without the holder's name still works.
    _ = unsafe bytes.withUnsafeBytes { unsafe CLibrary.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Returns the holder's name; nil if the file is empty.
  private static func text(_ descriptor: Int32) -> String? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1000) { buffer, count in
      count = unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
