// Foundation has threads, locks and conditions as well; a program that uses no more of it than these
// would have all of it in it.

/// Runs a function on a thread of its own, which nobody waits for.
///
/// - Parameters:
///   - stackSize: The size of its stack, in bytes.
///   - body: The function.
/// - Returns: 0, or the error number if the system has no room for a thread.
public func startThread(
  stackSize: Int,
  _ body: @escaping @Sendable () -> Void
) -> Int32 {
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setstacksize(&attributes, stackSize)
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  #if canImport(Glibc)
  var thread = pthread_t()
  #else
  var thread: pthread_t?
  #endif
  let work = unsafe Unmanaged.passRetained(ThreadBody(body))
  let status = unsafe pthread_create(
    &thread,
    &attributes,
    { argument in
      // An optional on some systems.
      let pointer: UnsafeMutableRawPointer? = unsafe argument
      if let pointer = unsafe pointer {
        unsafe Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().body()
      }
      return nil
    },
    work.toOpaque()
  )
  if status != 0 { unsafe work.release() }
  return status
}

private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// A lock with a condition that threads can wait for.
///
/// Not the standard library's `Mutex`, whose locking the thread sanitizer cannot see.
@safe public final class Monitor: @unchecked Sendable {
  // The system's own types, which must not move.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Creates a lock that nobody holds.
  public init() {
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe condition.initialize(to: pthread_cond_t())
    #if canImport(Darwin)
    unsafe pthread_cond_init(condition, nil)
    #else
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    // So that nobody waits for ever because the time of day was changed.
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe condition.deallocate()
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs a function while no other thread holds the lock.
  public func withLock<Result>(_ body: () throws -> sending Result) rethrows -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Releases the lock until another thread calls ``broadcast()``; also ends without reason at times.
  ///
  /// For the thread that holds the lock.
  public func wait() { unsafe pthread_cond_wait(condition, mutex) }

  /// Like ``wait()``, for a time at most.
  public func wait(for duration: Duration) {
    // A day is as good as a longer time, and does not overflow.
    let (seconds, attoseconds) = min(max(duration, .zero), .seconds(86_400)).components
    var time = timespec()
    #if canImport(Darwin)
    time.tv_sec = Int(seconds)
    time.tv_nsec = Int(attoseconds / 1_000_000_000)
    unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = Int64(time.tv_nsec) + attoseconds / 1_000_000_000
    time.tv_sec += numericCast(seconds + nanoseconds / 1_000_000_000)
    time.tv_nsec = numericCast(nanoseconds % 1_000_000_000)
    unsafe pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }

  /// Wakes the threads that wait.
  public func broadcast() { unsafe pthread_cond_broadcast(condition) }
}
