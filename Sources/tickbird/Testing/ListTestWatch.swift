internal import CLibrary
internal import CommandOutput
internal import Synchronization
internal import TextOutput

/// Waits until one of the files that tests depend on changes.
///
/// Looks at the files' identities, sizes and times four times a second. That also finds files that
/// an editor replaces, those behind symbolic links, those that are away for a moment, and those on
/// file systems that report no changes.
struct ListTestWatch {
  /// The status to end with: that of the last run.
  private static let status = Atomic<Int32>(0)
  private static let interval: UInt32 = 250_000
  /// The number of looks for which a file may be away before that counts as a change.
  private static let patience = 8

  private var isFirst = true

  /// Clears the screen between runs, if there is one.
  mutating func clear() {
    defer { isFirst = false }
    guard !isFirst, Terminal.isTerminal(1) else { return }
    StandardOutput.write("\(asIs: "\u{1B}[H\u{1B}[2J\u{1B}[3J")")
    StandardOutput.flush()
  }

  /// Notes the result of a run, before it is shown; from the first one on, ^C ends the command with
  /// the last status.
  func note(_ status: ExitStatus) {
    Self.status.store(status == .fine ? 0 : 1, ordering: .sequentiallyConsistent)
    // Whoever starts the command may have blocked signals, which it inherits.
    var ending = sigset_t()
    unsafe sigemptyset(&ending)
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in _exit(ListTestWatch.status.load(ordering: .sequentiallyConsistent)) }
      unsafe sigaddset(&ending, number)
    }
    unsafe sigprocmask(SIG_UNBLOCK, &ending, nil)
  }

  /// Waits for a change, and then until the files are at rest.
  func wait(_ files: WatchedFiles) {
    StandardError.line("watching for changes; ^C ends")
    var last = files
    var away = 0
    while true {
      usleep(Self.interval)
      let now = files.now
      defer { last = now }
      guard now != files else {
        away = 0
        continue
      }
      // An editor that replaces a file may remove it first.
      if now.lacksAny(of: files), away < Self.patience {
        away += 1
        continue
      }
      // A file is written in several steps: wait until two looks are the same.
      if now == last { return }
    }
  }
}

/// Files with their states before they were read.
struct WatchedFiles: Equatable {
  private var states: [String: FileState?] = [:]

  /// Notes the state of a file, before it is read.
  mutating func note(_ path: String) { states.updateValue(FileState(path: path), forKey: path) }

  /// The same files with their states now.
  var now: WatchedFiles {
    var files = WatchedFiles()
    for path in states.keys { files.note(path) }
    return files
  }

  /// Returns the noted state of a file; `nil` if it was not there.
  func state(_ path: String) -> FileState? { states[path] ?? nil }

  /// Whether a file that others have is away here.
  func lacksAny(of others: WatchedFiles) -> Bool {
    others.states.contains { $0.value != nil && state($0.key) == nil }
  }
}
