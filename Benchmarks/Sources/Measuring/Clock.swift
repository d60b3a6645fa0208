internal import Glibc

/// Readings of the system's clocks in nanoseconds.
public enum Clock {
  /// Wall-clock time; cheap enough to time one decision.
  public static var wall: UInt64 { read(CLOCK_MONOTONIC) }

  /// The thread's processor time; for whole passes, since reading it is a system call.
  public static var threadCPU: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

  /// The cost of reading ``wall``: the median of many differences of two readings.
  ///
  /// Subtracted from each span that is timed alone.
  public static let wallCost: UInt64 = {
    var spans: [UInt64] = []
    spans.reserveCapacity(20_000)
    for _ in 0..<20_000 {
      let start = wall
      spans.append(wall - start)
    }
    return spans.sorted()[spans.count / 2]
  }()

  /// Returns the processor time that a function takes on this thread.
  public static func threadCPU(of body: () throws -> Void) rethrows -> UInt64 {
    let start = threadCPU
    try body()
    return threadCPU - start
  }

  @inline(__always)
  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
