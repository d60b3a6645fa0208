import Foundation
import TestSupport
import Testing

/// Runs the built command, which lies beside the test bundle.
struct Command {
  struct Result: Equatable {
    var output: String
    var error: String
    var status: Int32
  }

  static let executable: URL? = {
    var folder = Bundle.main.executableURL?.deletingLastPathComponent()
    let candidates =
      [folder, Bundle.main.bundleURL.deletingLastPathComponent()]
      + ProcessInfo.processInfo.arguments.map {
        URL(fileURLWithPath: $0).deletingLastPathComponent()
      }
    folder = candidates.compactMap(\.self).first {
      FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("tickbird").path)
    }
    if let folder { return folder.appendingPathComponent("tickbird") }
    let built = SharedData.packageRoot.appendingPathComponent(".build/debug/tickbird")
    return FileManager.default.isExecutableFile(atPath: built.path) ? built : nil
  }()

  /// Runs the command to its end, or a script of the shell whose `$0` the command is.
  static func run(
    _ arguments: [String],
    input: Data = Data(),
    in folder: URL? = nil,
    variables: [String: String] = [:],
    shell script: String? = nil
  ) throws -> Result {
    let process = Process()
    let executable: URL = try #require(Self.executable, "the command is not built")
    process.executableURL = script == nil ? executable : URL(filePath: "/bin/sh")
    process.arguments = (script.map { ["-c", $0, executable.path] } ?? []) + arguments
    process.currentDirectoryURL = folder
    if !variables.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    }
    // Files, so that no pipe can fill up.
    let scratch = try Scratch()
    let inputFile = try scratch.file("input", input)
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    let outputs = try ["output", "error"].map { try scratch.file($0, Data()) }
    process.standardOutput = try FileHandle(forWritingTo: outputs[0])
    process.standardError = try FileHandle(forWritingTo: outputs[1])
    try process.run()
    process.waitUntilExit()
    let texts = try outputs.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return Result(output: texts[0], error: texts[1], status: process.terminationStatus)
  }
}
