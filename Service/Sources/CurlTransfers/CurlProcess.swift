internal import CLibrary
internal import Synchronization

#if os(Linux)
internal import CPrivateDescriptors
#endif

/// A process of `curl`.
///
/// Foundation's `Process` waits for the end of a socket that another process has as well if a thread starts that one at
/// the same moment: such a transfer ended only when the other process did.
final class CurlProcess: Sendable {
  private let identifier: pid_t
  /// Whether the system may give the number to another process.
  private let isReaped = Mutex(false)

  /// Starts curl, in a group of its own.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: Its arguments.
  ///   - input: The descriptor of its standard input.
  ///   - output: That of its standard output.
  ///   - words: That of its standard error. It has no others.
  /// - Throws: ``CurlFailure`` if it cannot be started.
  init(
    _ program: String,
    _ arguments: [String],
    input: Int32,
    output: Int32,
    words: Int32
  ) throws(CurlFailure) {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [input, output, words].enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    #if os(Linux)
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    #endif
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    var process: pid_t = 0
    let failure = unsafe withCStrings([program] + arguments) { words in
      unsafe posix_spawn(&process, program, &actions, &attributes, words, environ)
    }
    guard failure == 0 else {
      throw CurlFailure(.noCurl, "curl cannot be started: \(systemWords(for: failure))")
    }
    identifier = process
  }

  /// Kills it, unless it has ended: it has nothing to clean up, and SIGTERM may be ignored by inheritance.
  func end() {
    isReaped.withLock { isReaped in
      if !isReaped { _ = kill(identifier, SIGKILL) }
    }
  }

  /// Waits for its end; to be called once.
  ///
  /// - Returns: Its status; for a signal that ended it the negative number.
  func wait() -> Int32 {
    // Its number stays its own until it is reaped.
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0,
      errno == EINTR
    {}
    return isReaped.withLock { isReaped in
      isReaped = true
      var status: Int32 = 0
      while unsafe waitpid(identifier, &status, 0) < 0 {
        guard errno == EINTR else { return -1 }
      }
      let signal = status & 0x7F
      return signal == 0 ? status >> 8 & 0xFF : -signal
    }
  }
}
