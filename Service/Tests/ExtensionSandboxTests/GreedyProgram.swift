import ExtensionSandbox
import Foundation
import Testing

/// `Programs/greedy.c`, built once for all tests that run it.
enum GreedyProgram {
  static let hasCompiler = FileManager.default.isExecutableFile(atPath: "/usr/bin/gcc")

  private static let built = Result<URL, any Error> { try build("greedy") }

  /// Starts a program in a filter about one system call.
  static let filtered = Result<URL, any Error> { try build("filtered") }

  /// Builds one of the programs in `Programs`.
  private static func build(_ name: String) throws -> URL {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Programs/\(name).c")
    let program = FileManager.default.temporaryDirectory
      .appending(path: "\(name)-\(ProcessInfo.processInfo.processIdentifier)")
    let flags = ["-w", "-O1", "-pthread", source.path, "-o", program.path]
    let compiler = try ChildProcess(["/usr/bin/gcc"] + flags).wait()
    try #require(compiler.status == 0, "\(name).c cannot be built: \(compiler.text)")
    return program
  }

  /// A bundle with the program in the place of the probe.
  static func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try FileManager.default.removeItem(at: workspace.program)
    try FileManager.default.copyItem(at: built.get(), to: workspace.program)
    return workspace
  }

  /// Runs it to its end.
  ///
  /// - Returns: How it ended, and what it printed.
  static func run(
    _ arguments: [String],
    limits: ProcessLimits
  ) async throws -> (status: ProcessStatus, lines: [String]) {
    let (status, run) = try await workspace().run(arguments, limits: limits)
    return (status, run.lines)
  }
}
