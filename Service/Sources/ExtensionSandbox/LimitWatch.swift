import Glibc

/// Looks from outside at what a process uses, for its supervisor's thread.
///
/// What cannot be learned counts as too much: a process that could hide what it uses would have no
/// limits.
final class LimitWatch {
  /// The limit that was exceeded; the process is to end.
  private(set) var exceeded: ProcessLimit?

  private let limits: ProcessLimits
  /// The process's folder in `/proc`, which is the owner's to close.
  private let folder: Int32
  private var disk: DiskWatch?
  private var looksInVain = 0
  private var nextLook: Int64

  private static let interval: Int64 = 50
  /// A process that ends has no memory for a moment, and is still there.
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

  /// Milliseconds until there is something to look at; -1 for never.
  var milliseconds: Int32 {
    guard exceeded == nil else { return -1 }
    if disk?.isCounting ?? false { return 0 }
    guard limits.memory != nil || limits.threads != nil || disk != nil else { return -1 }
    return Int32(clamping: max(0, nextLook - Self.milliseconds))
  }

  /// Looks, if it is time.
  ///
  /// - Returns: Whether the process is to end because of what was seen.
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

  /// Whether one more thread may be made.
  ///
  /// Those whose making was answered just now may not be counted yet, of which there is at most one
  /// for each thread that there is.
  func mayMakeThread() -> Bool {
    guard let threads = limits.threads, exceeded == nil else { return exceeded == nil }
    if (ProcessUsage(folder: folder)?.threads ?? .max) >= threads { exceeded = .threads }
    return exceeded == nil
  }

  /// Milliseconds of a clock that nobody sets.
  private static var milliseconds: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
