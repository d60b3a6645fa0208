internal import CFreedMemory
internal import CLibrary
internal import Foundation

/// Gives back to the system what the process needs only while it works, some seconds after it has become idle; until
/// its task is cancelled.
///
/// A program's start goes through much of its code, and a kernel maps some dozen pages around each one that is used:
/// of the 32 MiB that a service has, it goes on using 7. What is used later is mapped again.
public func returnIdleMemory() async {
  var watch = IdleWatch()
  while true {
    do { try await Task.sleep(for: watch.pause) } catch { return }
    guard watch.hasMuchToReturn(ProcessUse()) else { continue }
    // A debugger's breakpoints would go with the code.
    if !isTraced() { tickbird_unmap_code() }
    tickbird_return_freed_memory()
    watch.hasReturned(ProcessUse())
  }
}

/// What a process has used since it began.
struct ProcessUse {
  /// The processor time of all threads, in milliseconds.
  var milliseconds: Int64
  /// How often the kernel has mapped what was in its cache already, or has given memory.
  var faults: Int64
}

extension ProcessUse {
  /// What this process has used until now.
  init() {
    var use = rusage()
    // Of the process itself; the name of the constant has another type on each system.
    unsafe getrusage(0, &use)
    let times = [use.ru_utime, use.ru_stime]
    milliseconds = times.reduce(0) { $0 + Int64($1.tv_sec) * 1000 + Int64($1.tv_usec) / 1000 }
    faults = Int64(use.ru_minflt)
  }
}

/// Finds out when a process is idle and has much to give back.
struct IdleWatch {
  /// The milliseconds of processor time from one look to the next with which a process is at work.
  static let work: Int64 = 20
  /// How many faults after it has given memory back are worth doing so again: most map 64 KiB.
  static let manyFaults: Int64 = 64

  private var last = ProcessUse(milliseconds: 0, faults: 0)
  private var returned = ProcessUse(milliseconds: 0, faults: 0)
  private var isAtWork = true

  /// How long to wait until the next look: longer while the process is idle, so as not to wake it often.
  var pause: Duration { isAtWork ? .seconds(2) : .seconds(10) }

  /// Whether the process does nothing, and has used much since it gave memory back last.
  ///
  /// - Parameter use: What it has used until now.
  /// - Returns: False while it is at work.
  mutating func hasMuchToReturn(_ use: ProcessUse) -> Bool {
    isAtWork = use.milliseconds - last.milliseconds >= Self.work
    last = use
    return !isAtWork && use.faults - returned.faults >= Self.manyFaults
  }

  /// Takes that memory was given back.
  ///
  /// - Parameter use: What the process has used until then.
  mutating func hasReturned(_ use: ProcessUse) { (last, returned) = (use, use) }
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
