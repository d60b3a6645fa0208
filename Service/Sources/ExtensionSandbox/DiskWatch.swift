import Glibc

/// Watches the disk usage of a running process, on its supervisor's thread.
///
/// Free space is checked at every look. Files are counted a part at a time, after much was written
/// or some time has passed, so that counting takes a small share of one processor however many
/// files there are.
struct DiskWatch {
  private let folders: [String]
  private let limits: DiskLimits
  private let process: Int32
  private var count: FolderCount?
  private var waiting: [String] = []
  private var free: [Int]
  private var began: Int64 = 0
  private var next: Int64

  private static let looksAtOnce = 2_000
  /// The maximum time between counts, and their minimum distance, in milliseconds.
  private static let interval: Int64 = 1_000
  private static let pause: Int64 = 100
  /// A count is followed by a pause of this many times its own duration.
  private static let share: Int64 = 10

  /// - Parameters:
  ///   - folders: The folders that the process may write to.
  ///   - limits: The limits of each folder.
  ///   - process: Its folder in `/proc`.
  ///   - now: The time of a monotonic clock, in milliseconds.
  init(folders: [String], limits: DiskLimits, process: Int32, now: Int64) {
    self.folders = folders
    self.limits = limits
    self.process = process
    free = folders.map { FreeSpace(at: $0, limits: limits)?.bytes ?? 0 }
    next = now + Self.pause
  }

  /// Whether a count is in progress, so that the next look should come soon.
  var isCounting: Bool { count != nil }

  /// Looks once.
  ///
  /// - Parameter now: The time of a monotonic clock, in milliseconds.
  /// - Returns: The limit that is exceeded, if any.
  mutating func look(now: Int64) -> ProcessLimit? {
    if let count {
      switch count.go(on: Self.looksAtOnce) {
      case .going: return nil
      case .exceeded(let limit): return limit
      case .done:
        self.count = nil
        return begin(now: now)
      }
    }
    var isMuchWritten = false
    for (index, folder) in folders.enumerated() {
      guard let space = FreeSpace(at: folder, limits: limits) else { continue }
      if space.isUsedUp { return .diskReserve }
      if free[index] - space.bytes > limits.bytes / 16 { isMuchWritten = true }
    }
    guard now >= next || (isMuchWritten && now >= next - Self.interval) else { return nil }
    free = folders.map { FreeSpace(at: $0, limits: limits)?.bytes ?? 0 }
    began = now
    waiting = folders
    return begin(now: now)
  }

  /// Starts counting the next folder.
  private mutating func begin(now: Int64) -> ProcessLimit? {
    guard let folder = waiting.popLast() else {
      // Heavy writing starts a count without waiting for `interval`.
      next = now + max(Self.pause, (now - began) * Self.share) + Self.interval
      return nil
    }
    // Unlinked files take room as long as they are open; they count towards the first folder.
    let hidden = waiting.isEmpty ? unnamedFiles() : FolderCount.Content()
    count = FolderCount(folder, limits: limits, adding: hidden)
    return nil
  }

  /// Counts the process's open files that have been removed.
  private func unnamedFiles() -> FolderCount.Content {
    var content = FolderCount.Content()
    let folder = unsafe openat(process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0, let stream = unsafe fdopendir(folder) else {
      if folder >= 0 { close(folder) }
      return content
    }
    defer { unsafe closedir(stream) }
    var seen: Set<UInt64> = []
    while let entry = unsafe readdir(stream) {
      var status = stat()
      let isThere = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          unsafe fstatat(folder, name, &status, 0) == 0
        }
      }
      guard isThere, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 0,
        seen.insert(UInt64(status.st_ino)).inserted
      else { continue }
      content.add(status)
    }
    return content
  }
}
