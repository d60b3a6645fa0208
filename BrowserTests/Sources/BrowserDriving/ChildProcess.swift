internal import Foundation
internal import Glibc
internal import Synchronization

/// A program that a test has started, with all that it starts itself.
final class ChildProcess: Sendable {
  private let group: pid_t

  /// Starts a program, in a group of its own.
  ///
  /// - Parameters:
  ///   - command: The path and the arguments.
  ///   - home: What the program takes for its user's home.
  ///   - descriptors: What it finds open, by number.
  ///   - log: The file that its output goes to.
  /// - Throws: ``DrivingError`` if it cannot be started.
  init(
    _ command: [String],
    home: URL,
    descriptors: [(number: Int32, Descriptor)] = [],
    log: URL
  ) throws {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    unsafe posix_spawn_file_actions_addopen(&actions, 1, log.path, flags, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
    for (number, descriptor) in descriptors {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor.number, number)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = home.path
    for name in environment.keys where name.hasPrefix("XDG_") || name == "DISPLAY" {
      environment[name] = nil
    }
    var process: pid_t = 0
    let status = unsafe withCStrings(command) { arguments in
      unsafe withCStrings(environment.map { "\($0)=\($1)" }) { variables in
        unsafe posix_spawn(&process, command[0], &actions, &attributes, arguments, variables)
      }
    }
    guard status == 0 else { throw DrivingError("\(command[0]) cannot be started: \(status)") }
    group = process
    Self.groups.withLock { $0.append(process) }
    Self.killAtExit
  }

  /// Waits until the program has ended by itself, and ends what it has left behind.
  ///
  /// - Returns: Whether it has ended in time.
  func hasEnded(within seconds: Int) -> Bool {
    for _ in 0..<seconds * 50 {
      var status: Int32 = 0
      if unsafe waitpid(group, &status, WNOHANG) == group {
        Self.groups.withLock { $0.removeAll { $0 == group } }
        _ = Glibc.kill(-group, SIGKILL)
        return true
      }
      usleep(20_000)
    }
    return false
  }

  /// Ends the program and all that it has started.
  func kill() {
    Self.groups.withLock { $0.removeAll { $0 == group } }
    _ = Glibc.kill(-group, SIGKILL)
    var status: Int32 = 0
    _ = unsafe waitpid(group, &status, 0)
  }

  private static let groups = Mutex<[pid_t]>([])
  /// Nothing may outlive a test run.
  private static let killAtExit: Void = {
    atexit { ChildProcess.groups.withLock { for group in $0 { _ = Glibc.kill(-group, SIGKILL) } } }
  }()
}

/// Calls a function with texts as C wants arguments.
private func withCStrings<Result>(
  _ texts: [String],
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
  defer {
    for place in 0..<texts.count { unsafe free(pointers[place]) }
  }
  return unsafe body(&pointers)
}
