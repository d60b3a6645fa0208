/// The path of the running program, without links; `nil` if the system does not say it.
public func ownProgram() -> String? {
  #if canImport(Darwin)
  var size: UInt32 = 0
  _ = unsafe _NSGetExecutablePath(nil, &size)
  var path = [CChar](repeating: 0, count: Int(size) + 1)
  guard unsafe _NSGetExecutablePath(&path, &size) == 0 else { return nil }
  let resolved = unsafe realpath(path, nil)
  #else
  let resolved = unsafe realpath("/proc/self/exe", nil)
  #endif
  guard let resolved = unsafe resolved else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

/// Makes a pipe whose ends are not inherited, and out of the way of the numbers that programs are
/// started with.
///
/// - Throws: The error number.
public func privatePipe() throws(SystemError) -> (read: Int32, write: Int32) {
  var ends: [Int32] = [0, 0]
  guard unsafe pipe(&ends) == 0 else { throw SystemError(number: errno) }
  var failure: Int32 = 0
  let moved = ends.map { end in
    let copy = fcntl(end, F_DUPFD_CLOEXEC, 10)
    if copy < 0 { failure = errno }
    close(end)
    return copy
  }
  guard failure == 0 else {
    for end in moved where end >= 0 { close(end) }
    throw SystemError(number: failure)
  }
  return (moved[0], moved[1])
}

/// Calls a function with texts as C wants arguments.
public func withCStrings<Result>(
  _ texts: [String],
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
  defer {
    for place in 0..<texts.count { unsafe free(pointers[place]) }
  }
  return unsafe body(&pointers)
}

/// A program that runs, and what it writes to standard output and standard error, in one.
///
/// It has this program's standard input.
public struct SpokenProcess: ~Copyable {
  private let process: pid_t
  private let output: Int32

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: The program's path, and its arguments.
  ///   - environment: Its environment.
  /// - Throws: The error number.
  public init(_ command: [String], environment: [String: String]) throws(SystemError) {
    let ends = try privatePipe()
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for number in [STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_adddup2(&actions, ends.write, number)
    }
    var process: pid_t = 0
    let variables = environment.map { "\($0.key)=\($0.value)" }
    let status = unsafe withCStrings(command) { arguments in
      unsafe withCStrings(variables) { variables in
        unsafe posix_spawn(&process, command[0], &actions, nil, arguments, variables)
      }
    }
    close(ends.write)
    guard status == 0 else {
      close(ends.read)
      throw SystemError(number: status)
    }
    self.process = process
    output = ends.read
  }

  deinit { close(output) }

  /// Returns what it writes next, after waiting for it; empty at its end.
  public func read() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      var got: Int
      repeat {
        got = unsafe CLibrary.read(output, buffer.baseAddress, buffer.count)
      } while got < 0 && errno == EINTR
      count = max(0, got)
    }
  }

  /// Waits for its end.
  ///
  /// - Returns: Its status, or the number of the signal that ended it.
  public func wait() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return -1 }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
  }
}

/// An error number of the C library.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number.
  public let number: Int32

  /// Names an error.
  public init(number: Int32) { self.number = number }

  /// The C library's words for it.
  public var description: String { systemWords(for: number) }
}
