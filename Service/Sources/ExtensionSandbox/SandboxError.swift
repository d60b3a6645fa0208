public import CodedErrors
internal import Glibc

/// Why a process was not started.
public struct SandboxError: CodedError, Equatable {
  /// Names a kind of failure; more may be added.
  public struct Code: ErrorCode {
    /// The name.
    public let rawValue: String

    /// Takes a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kernel offers less than the sandbox needs.
    public static let missingProtection = Code(rawValue: "missing-protection")
    /// A folder of the profile is missing, not a folder, not the user's, or too wide.
    public static let folder = Code(rawValue: "folder")
    /// The program is not one that can be started, on this machine or on any like it.
    public static let executable = Code(rawValue: "executable")
    /// An argument, variable, descriptor or limit that cannot be passed on.
    public static let argument = Code(rawValue: "argument")
    /// The kernel refused one of the steps.
    public static let system = Code(rawValue: "system")
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, on which thing, and what to do.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Says that a program cannot be read or executed, and whether that is its own fault.
  static func program(_ sentence: String, _ number: Int32) -> SandboxError {
    SandboxError(
      isOfProgram(number) ? .executable : .system,
      "\(sentence): \(describeError(Int(number)))"
    )
  }

  /// Whether an error number says what the program is like.
  ///
  /// All else, such as a failing disk or a lack of memory, is about the machine, and the same program
  /// may start the next time.
  static func isOfProgram(_ number: Int32) -> Bool {
    [ENOEXEC, EACCES, ELIBBAD, ENOENT, ENOTDIR, EISDIR, EINVAL, ELOOP, ENXIO].contains(number)
  }
}
