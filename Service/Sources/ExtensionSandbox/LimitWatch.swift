import Glibc

/// Watches from outside what a process uses, on its supervisor's thread.
///
/// What cannot be measured counts as exceeded: a process that could hide its usage would have no
/// limits.
final class LimitWatch {
  /// The limit that was exceeded; the process must then end.
  private(set) var exceeded: ProcessLimit?

  private let limits: ProcessLimits
  /// The process's folder in `/proc`; the owner closes it.
  private let folder: Int32
  private var disk: DiskWatch?
  private var looksInVain = 0
  private var nextLook: Int64

  private static let interval: Int64 = 50
  /// How often measuring may fail in a row: a process that is ending has no memory for a moment.
  private static let mostLooksInVain = 3

  init(limits: ProcessLimits, folders: [String], process: Int32) {
    self.limits = limits
    folder = process
    let now = Self.milliseconds
    nextLook = now + Self.interval
    disk = limits.disk.map {
      DiskWatch(folders: folders, limits: $0, process: process, now: now)
    }
  }

  /// Milliseconds until the next look; -1 for never.
  var milliseconds: Int32 {
    guard exceeded == nil else { return -1 }
    if disk?.isCounting ?? false { return 0 }
    guard limits.memory != nil || limits.threads != nil || disk != nil else { return -1 }
    return Int32(clamping: max(0, nextLook - Self.milliseconds))
  }

  /// Looks if it is time.
  ///
  /// - Returns: Whether the process has to end because of the result.
  func look() -> Bool {
    guard exceeded == nil else { return false }
    let now = Self.milliseconds
    let isTime = now >= nextLook
    if isTime {
      nextLook = now + Self.interval
      lookAtUsage()
    }
    if exceeded == nil, isTime || disk?.isCounting ?? false { exceeded = disk?.look(now: now) }
    return exceeded != nil
  }

  private func lookAtUsage() {
    guard limits.memory != nil || limits.threads != nil else { return }
    guard let usage = ProcessUsage(folder: folder) else {
      looksInVain += 1
      if looksInVain >= Self.mostLooksInVain { exceeded = .memory }
      return
    }
    looksInVain = 0
    if let memory = limits.memory, usage.memory > memory {
      exceeded = .memory
    } else if let threads = limits.threads, usage.threads > threads {
      exceeded = .threads
    }
  }

  /// Returns whether one more thread may be created.
  ///
  /// Threads allowed a moment ago may not be counted yet: at most one for each existing thread.
  func mayMakeThread() -> Bool {
    guard let threads = limits.threads, exceeded == nil else { return exceeded == nil }
    if (ProcessUsage(folder: folder)?.threads ?? .max) >= threads { exceeded = .threads }
    return exceeded == nil
  }

  /// The time of a monotonic clock, in milliseconds.
  private static var milliseconds: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
