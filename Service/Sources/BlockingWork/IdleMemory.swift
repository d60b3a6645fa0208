internal import CFreedMemory
internal import CLibrary
internal import Foundation

/// Gives back to the system what the process needs only while it works, whenever it has become idle; until its task
/// is cancelled.
///
/// A program's start goes through much of its code, and a kernel maps some dozen pages around each one that is used:
/// of the 32 MiB that a service has, it goes on using 7. What is used later is mapped again.
public func returnIdleMemory() async {
  var watch = IdleWatch()
  while true {
    do { try await Task.sleep(for: watch.pause) } catch { return }
    guard watch.hasBecomeIdle(after: processorMilliseconds()) else { continue }
    // A debugger's breakpoints would go with the code.
    if !isTraced() { tickbird_unmap_code() }
    tickbird_return_freed_memory()
  }
}

/// Finds out when a process has become idle, from the processor time that it takes.
struct IdleWatch {
  /// The milliseconds of processor time from one look to the next with which a process is at work.
  static let work: Int64 = 20

  private var lastTime: Int64 = 0
  private var isIdle = false

  /// How long to wait until the next look: longer while the process is idle, so as not to wake it.
  var pause: Duration { isIdle ? .seconds(60) : .seconds(2) }

  /// Whether the process has become idle since the last look.
  ///
  /// - Parameter time: The processor time that it has taken since it began, in milliseconds.
  /// - Returns: True once after each time of work.
  mutating func hasBecomeIdle(after time: Int64) -> Bool {
    let wasIdle = isIdle
    isIdle = time - lastTime < Self.work
    lastTime = time
    return isIdle && !wasIdle
  }
}

/// The processor time of all threads of this process.
private func processorMilliseconds() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// Whether a debugger, or the like, follows this process; false where the system does not say so.
private func isTraced() -> Bool {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
    return false
  }
  return status.split(separator: "\n").contains { line in
    line.hasPrefix("TracerPid:") && line.split(separator: "\t").last != "0"
  }
}
