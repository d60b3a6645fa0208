internal import CLibrary
internal import DurableFiles
public import Foundation
internal import Synchronization

/// Waits for changes of the names in folders.
///
/// Where the kernel gives notice (Linux), a change ends the wait a few milliseconds later. Elsewhere, on file
/// systems without notices, and where the user has no watches left, it does not: callers look at the folders
/// themselves as well, after each time-out.
///
///     let watch = FolderWatch([folder])
///     while true {
///       switch watch.wait(for: .seconds(1)) {
///       case .change, .timeout: …      // look whether there is anything new
///       case .end: return
///       }
///     }
public final class FolderWatch: Sendable {
  /// Why a wait is over.
  public enum Event: Equatable, Sendable {
    /// Names have come, gone, or been written; or folders are others than those that were watched.
    case change
    case timeout
    /// ``FolderWatch/end()`` was called.
    case end
  }

  /// For how long changes are collected: most things are written in several steps.
  private static let settling = Duration.milliseconds(10)
  /// The least time between two changes that are reported, however often folders change.
  private static let shortestInterval = Duration.milliseconds(50)

  private struct State {
    var notices: FolderNotices?
    var hasEnded = false
    var lastChange: ContinuousClock.Instant?
  }

  private let folders: [String]
  /// Absent where the process has no descriptors left; then the end is noticed at the next time-out.
  private let wakeUp = try? WakeUp()
  private let state = Mutex(State())

  /// Watches folders, which need not exist; nothing is made.
  public init(_ folders: [URL]) { self.folders = folders.map(\.path) }

  /// Waits until a folder changes, for a limited time; on one thread at a time.
  ///
  /// What changed between two waits ends the second one at once.
  public func wait(for duration: Duration) -> Event {
    let (arming, notices) = state.withLock { state -> (Event?, Descriptor?) in
      if state.hasEnded { return (.end, nil) }
      // Looked at anew each time, since folders are renamed and replaced.
      if state.notices == nil { state.notices = FolderNotices() }
      let isNew = state.notices?.watch(folders) ?? false
      return (isNew ? .change : nil, state.notices?.descriptor)
    }
    if let arming { return arming == .end ? .end : settled(notices) }
    let ready = poll(
      [(wakeUp?.descriptor ?? -1, Int16(POLLIN)), (notices?.number ?? -1, Int16(POLLIN))],
      milliseconds: duration.milliseconds
    )
    if hasEnded { return .end }
    return ready[1] == 0 ? .timeout : settled(notices)
  }

  /// Ends the wait that is running, and all later ones.
  public func end() {
    state.withLock { $0.hasEnded = true }
    wakeUp?.wake()
  }

  private var hasEnded: Bool { state.withLock(\.hasEnded) }

  /// Waits until changes that belong together are likely to be complete, and drops their notices.
  private func settled(_ notices: Descriptor?) -> Event {
    let last = state.withLock(\.lastChange)
    let rest = last.map { ContinuousClock.now.duration(to: $0 + Self.shortestInterval) } ?? .zero
    let pause = max(Self.settling, rest)
    _ = poll([(wakeUp?.descriptor ?? -1, Int16(POLLIN))], milliseconds: pause.milliseconds)
    if hasEnded { return .end }
    state.withLock { state in
      // Dropped before the caller looks, so that what changes meanwhile is noticed.
      state.notices?.drop()
      state.lastChange = .now
    }
    return .change
  }
}

/// The kernel's notices about folders.
///
/// What a notice says is not read: that there is one means that folders have to be looked at. So it does not matter
/// that the kernel drops notices where there are too many, since it puts one in their place.
private struct FolderNotices {
  let descriptor: Descriptor
  /// The kernel's numbers of what is watched.
  private var watched: Set<Int32> = []

  #if canImport(Glibc)
  private static let arrivals = UInt32(
    IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
  )
  private static let changes = arrivals | UInt32(IN_DELETE | IN_MOVED_FROM | IN_CLOSE_WRITE)

  /// Creates them; nil where the user has no more of them.
  init?() {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard number >= 0 else { return nil }
    descriptor = Descriptor(number)
  }

  /// Watches the folders that are at these paths now, and of those that do not exist the nearest one above
  /// that does.
  ///
  /// - Returns: Whether these are others than before.
  mutating func watch(_ folders: [String]) -> Bool {
    var current: Set<Int32> = []
    for folder in folders {
      var path = folder
      var events = Self.changes
      // A folder may be watched for two reasons.
      while !add(path, events | UInt32(IN_MASK_ADD), to: &current), path != "/", !path.isEmpty {
        path = (path as NSString).deletingLastPathComponent
        events = Self.arrivals
      }
    }
    for old in watched.subtracting(current) { inotify_rm_watch(descriptor.number, old) }
    defer { watched = current }
    return current != watched
  }

  /// - Returns: Whether nothing is to be gained by looking further up.
  private func add(_ path: String, _ events: UInt32, to watches: inout Set<Int32>) -> Bool {
    let number = unsafe inotify_add_watch(descriptor.number, path, events)
    if number >= 0 { watches.insert(number) }
    return number >= 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// Drops the notices that have come.
  func drop() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var isEmpty = false
    while !isEmpty {
      isEmpty = unsafe read(descriptor.number, &buffer, buffer.count) <= 0
    }
  }
  #else
  init?() { return nil }
  mutating func watch(_ folders: [String]) -> Bool { false }
  func drop() {}
  #endif
}

extension Duration {
  /// Whole milliseconds, rounded up.
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
