internal import CLibrary
internal import DurableFiles
public import Foundation

/// The right to change something, which one process has at a time, by a file.
///
/// The system takes it back when the process ends, however it ends. The file stays.
public final class FileLock: Sendable {
  /// Why a lock was not taken.
  public enum Failure: Error, Equatable {
    /// Another has it, who may have said who that is.
    case held(by: String?)
    /// The file cannot be used; the sentence names it.
    case unusable(String)
  }

  /// How long those who wait sleep between two looks.
  private static let pause: Duration = .milliseconds(20)

  private let descriptor: Int32

  /// Takes the lock, if nobody has it.
  ///
  /// - Parameters:
  ///   - file: The lock's file, which is made if it is not there; its folder is there.
  ///   - holder: Who takes it, for those who find it taken; the process is named beside.
  /// - Throws: ``Failure``.
  public init(_ file: URL, holder: String? = nil) throws(Failure) {
    let flags = O_NOFOLLOW | O_CLOEXEC
    var number = unsafe open(file.path, O_RDWR | O_CREAT | flags, mode_t(0o600))
    // Where nothing can be written, those who read still go one after the other.
    if number < 0, errno == EROFS || errno == EACCES {
      number = unsafe open(file.path, O_RDONLY | flags)
    }
    descriptor = number
    guard descriptor >= 0 else { throw Self.unusable(file, "opened", errno) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      // `deinit` closes the file, also now. To close it twice would close what another thread opened
      // in between.
      guard number == EWOULDBLOCK else { throw Self.unusable(file, "locked", number) }
      throw .held(by: Self.text(descriptor))
    }
    // What the holder before wrote must not stand for this one.
    _ = ftruncate(descriptor, 0)
    if let holder { Self.write("\(holder) (process \(getpid()))", descriptor) }
  }

  deinit { close(descriptor) }

  /// Takes the lock, and blocks the thread while others have it.
  ///
  /// - Parameters:
  ///   - file: The lock's file, which is made if it is not there; its folder is there.
  ///   - holder: Who takes it, for those who find it taken.
  ///   - patience: How long to wait at most.
  /// - Returns: The lock, which is held as long as the value lives.
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
      Thread.sleep(forTimeInterval: pause / .seconds(1))
    }
  }

  /// Takes the lock, and suspends the task while others have it.
  ///
  /// - Parameters:
  ///   - file: The lock's file, which is made if it is not there; its folder is there.
  ///   - holder: Who takes it, for those who find it taken.
  ///   - patience: How long to wait at most.
  /// - Returns: The lock, which is held as long as the value lives.
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

  private static func unusable(_ file: URL, _ verb: String, _ number: Int32) -> Failure {
    .unusable(FileFailure(file.path, verb, number).description)
  }

  private static func write(_ text: String, _ descriptor: Int32) {
    let bytes = Array(text.utf8)
    // A lock without a name is a lock too.
    _ = unsafe bytes.withUnsafeBytes { unsafe CLibrary.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// What the holder wrote; nil for nothing.
  private static func text(_ descriptor: Int32) -> String? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1000) { buffer, count in
      count = unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
