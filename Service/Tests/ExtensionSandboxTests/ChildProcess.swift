import CPrivateDescriptors
import Foundation
import Glibc
import Testing

/// A process without a sandbox: its output goes to a file, so that nobody waits for its end.
///
/// Not a `ChildProgram`: signals that are kept away from the threads of tests are kept away from it as well, since one
/// that asks to be traced would stop at the first one.
struct ChildProcess: Sendable {
  let processIdentifier: Int32
  private let output: URL

  /// Starts a program with the variables of these tests and some more.
  init(_ command: [String], environment: [String: String] = [:]) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "child-\(UUID().uuidString)")
    output = file
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    let flags = O_WRONLY | O_CREAT | O_APPEND
    let path = file.path(percentEncoded: false)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, path, flags, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // A pipe's end that another test is about to close must not stay open here, where nobody closes it.
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
    var pairs = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (arguments + pairs).forEach { unsafe free($0) } }
    var process: Int32 = 0
    let result = unsafe posix_spawn(&process, command[0], &actions, nil, &arguments, &pairs)
    try #require(result == 0, "\(command[0]) cannot be started")
    processIdentifier = process
  }

  /// What it has printed.
  var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

  /// Waits for its end: its exit status, or 128 and the signal's number.
  func wait() -> (status: Int32, text: String) {
    var status: Int32 = 0
    while unsafe waitpid(processIdentifier, &status, 0) == -1, errno == EINTR {}
    let printed = text
    try? FileManager.default.removeItem(at: output)
    let signal = status & 0x7F
    return (signal == 0 ? status >> 8 & 0xFF : 128 + signal, printed)
  }

  /// Ends it, and waits.
  func end() {
    kill(processIdentifier, SIGKILL)
    _ = wait()
  }
}
