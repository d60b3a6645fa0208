public import CLibrary
internal import Synchronization

#if os(Linux)
internal import CPrivateDescriptors
#endif

/// A program that runs, with the descriptors that it was given and no others.
///
/// Foundation's `Process` gives a program what other threads open at the same moment. It also waits for the end of a
/// socket, which other programs may have got in that way: then it waits for as long as these run.
public final class ChildProgram: Sendable {
  /// How a program ended.
  public enum End: Hashable, Sendable {
    /// By itself, with a status of 0 to 255; -1 if the system does not say it.
    case exited(Int32)
    /// By a signal.
    case signalled(Int32)
  }

  /// The number of its process, which the system may use again once ``wait()`` or ``isRunning`` has told its end.
  public let identifier: Int32
  private let end = Mutex<End?>(nil)

  /// Starts a program, in a group of its own, for which no signal is blocked or ignored.
  ///
  /// Somebody has to ask for its end, or its process stays as a zombie.
  ///
  /// - Parameters:
  ///   - program: Its absolute path.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: Its environment; nil for that of this process.
  ///   - folder: Where it starts; nil for where this process is.
  ///   - input: The descriptor of its standard input; nil for `/dev/null`.
  ///     It stays open here, as the other ones do.
  ///   - output: That of its standard output.
  ///   - errors: That of its standard error.
  ///   - others: Those that it has as 3, 4 and so on.
  /// - Throws: The number of the system's error, be it the program's or that of a descriptor.
  public init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String]? = nil,
    folder: String? = nil,
    input: Int32? = nil,
    output: Int32? = nil,
    errors: Int32? = nil,
    others: [Int32] = []
  ) throws(SystemError) {
    let given = [input, output, errors] + others
    // Copies above the numbers that they get in the program, so that none takes another one's place.
    var copies: [Int32?] = []
    defer { for case let copy? in copies { close(copy) } }
    for descriptor in given {
      guard let descriptor else {
        copies.append(nil)
        continue
      }
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, Int32(given.count))
      guard copy >= 0 else { throw SystemError(number: errno) }
      copies.append(copy)
    }
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    let flags =
      POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
      | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (place, copy) in copies.enumerated() {
      let number = Int32(place)
      if let copy {
        unsafe posix_spawn_file_actions_adddup2(&actions, copy, number)
      } else {
        let mode = number == STDIN_FILENO ? O_RDONLY : O_WRONLY
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0)
      }
    }
    #if os(Linux)
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, Int32(given.count))
    #endif
    if let folder { unsafe posix_spawn_file_actions_addchdir_np(&actions, folder) }
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    // A host that ends by signals in its own way ignores them otherwise, and who starts it may ignore others: "nohup",
    // and services for which a closed pipe is no end.
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    var process: pid_t = 0
    func start(_ variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
      unsafe withCStrings([program] + arguments) { words in
        unsafe posix_spawn(&process, program, &actions, &attributes, words, variables)
      }
    }
    var failure: Int32 = 0
    for attempt in 0..<100 {
      if attempt > 0 { usleep(10_000) }
      failure =
        unsafe environment.map { environment in
          unsafe withCStrings(environment.map { "\($0.key)=\($0.value)" }) { unsafe start($0) }
        } ?? start(environ)
      // Another thread's new process may still have the file open that was just written.
      guard failure == ETXTBSY else { break }
    }
    guard failure == 0 else { throw SystemError(number: failure) }
    identifier = process
  }

  /// Whether it has not ended yet.
  public var isRunning: Bool {
    end.withLock { end in
      if end == nil { end = Self.reap(identifier, WNOHANG) }
      return end == nil
    }
  }

  /// Sends it a signal, unless it has ended.
  public func send(_ signal: Int32) {
    // Its number is its own as long as its end has not been told.
    end.withLock { end in if end == nil { _ = CLibrary.kill(identifier, signal) } }
  }

  /// Waits for its end, on the thread that asks.
  ///
  /// - Returns: How it ended, however often it is asked.
  public func wait() -> End {
    if let end = end.withLock({ $0 }) { return end }
    // Without the lock, so that it can be sent a signal; its number stays its own.
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0,
      errno == EINTR
    {}
    return end.withLock { end in
      let told = end ?? Self.reap(identifier, 0) ?? .exited(-1)
      end = told
      return told
    }
  }

  /// How a process has ended, whose number is free then; nil if it runs.
  private static func reap(_ process: pid_t, _ options: Int32) -> End? {
    var status: Int32 = 0
    while true {
      let found = unsafe waitpid(process, &status, options)
      if found == 0 { return nil }
      if found > 0 { break }
      guard errno == EINTR else { return .exited(-1) }
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }
}
