internal import CLibrary
internal import Foundation

/// Runs a command as root, as far as the user is permitted to.
struct Sudo {
  let program: String
  /// Whether it may ask for a password.
  let mayAsk: Bool

  /// The program, where the system has it; one that is found in PATH could be anybody's.
  static var program: String? {
    let place = "/usr/bin/sudo"
    return FileManager.default.isExecutableFile(atPath: place) ? place : nil
  }

  /// Runs a command to its end.
  ///
  /// - Returns: Whether it succeeded.
  func run(_ words: [String]) -> Bool {
    let arguments = [program] + (mayAsk ? [] : ["-n"]) + ["--"] + words
    var pointers = unsafe arguments.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    var child = pid_t()
    // In the terminal's foreground, unlike Foundation's processes: it has to read a password.
    guard unsafe posix_spawn(&child, program, nil, nil, pointers, environ) == 0 else {
      return false
    }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return false }
    }
    return status == 0
  }
}
