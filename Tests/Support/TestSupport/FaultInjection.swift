public import Foundation

/// Runs `Scripts/inject-faults` and similar scripts in tests.
public enum FaultInjection {
  /// The root of the sources.
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Whether the script's requirements are met: Linux, a C compiler and Python.
  public static let isAvailable: Bool = {
    #if os(Linux)
    ["cc", "python3"].allSatisfy { program in
      ["/usr/bin", "/usr/local/bin"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
      }
    }
    #else
    false
    #endif
  }()

  /// How a script ended.
  public struct Outcome: Sendable {
    /// The exit status; 0 is success.
    public let status: Int32
    /// Standard output and standard error.
    public let text: String
  }

  /// Runs a scenario with a sample of the faults.
  ///
  /// - Parameters:
  ///   - scenario: Its name.
  ///   - sample: How many faults of each kind; 0 for all.
  ///   - path: Only input/output errors, at calls for files with this in their paths.
  ///   - programs: The folder with the built programs.
  /// - Returns: How the script ended.
  /// - Throws: The system's error if it cannot be started.
  public static func run(
    _ scenario: String,
    sample: Int = 0,
    path: String? = nil,
    programs: URL
  ) throws -> Outcome {
    try run(
      root.appending(path: "Scripts/inject-faults").path,
      [
        "--scenario", scenario, "--sample", "\(sample)",
        "--host", programs.appending(path: "tickbird-host").path,
        "--tickbird", programs.appending(path: "tickbird").path,
      ] + (path.map { ["--path", $0] } ?? [])
    )
  }

  /// Whether a private namespace with a file system of its own can be made.
  public static let canMount: Bool = {
    let outcome = try? mounting("mount -t tmpfs none /mnt", [])
    return outcome?.status == 0
  }()

  /// Runs the test of an unwritable disk; the script has its variants.
  ///
  /// - Throws: The system's error if it cannot be started.
  public static func runFullDisk(_ variant: String, programs: URL) throws -> Outcome {
    try mounting(
      "exec python3 \"$@\"",
      [
        root.appending(path: "Tests/Tools/FaultInjection/full_disk.py").path,
        programs.appending(path: "tickbird-host").path, variant,
      ]
    )
  }

  private static func mounting(_ command: String, _ arguments: [String]) throws -> Outcome {
    let rights = getuid() == 0 ? [] : ["--map-root-user"]
    return try run(
      "/usr/bin/unshare",
      rights + ["--mount", "--propagation", "private", "/bin/sh", "-c", command, "sh"] + arguments
    )
  }

  private static func run(_ program: String, _ arguments: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"]
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : -1,
      text: String(decoding: data, as: UTF8.self)
    )
  }
}
