internal import BlockingWork
public import Foundation

/// Runs the built `tickbird-host` in a home of its own.
///
/// It is isolated from the tests' environment: all its data is in the home, and times are in UTC.
public struct HostProgram: Sendable {
  /// The result of a run.
  public struct Outcome: Sendable {
    /// The exit status; for a program that a signal ended, the signal's number.
    public let status: Int32
    /// The standard output, byte for byte.
    public let bytes: Data
    /// The standard error, as text.
    public let errors: String

    /// The standard output, as text.
    public var output: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The program is not built.
  public struct NotBuilt: Error, CustomStringConvertible {
    /// What is missing where, and what to do.
    public let description: String
  }

  /// The folder of all its data, which it creates if needed.
  public let home: URL
  private let file: URL
  private let environment: [String: String]

  /// Names a program and a home.
  ///
  /// - Parameters:
  ///   - home: Where the program keeps everything.
  ///   - file: Another program than the built `tickbird-host`, which is run in the same way.
  ///   - environment: Variables beside those that are always set, or instead of them.
  public init(home: URL, file: URL? = nil, environment: [String: String] = [:]) {
    self.home = home
    self.file = file ?? Self.built
    self.environment = [
      "HOME": home.path, "TICKBIRD_HOME": home.path,
      "XDG_CONFIG_HOME": home.appending(path: ".config").path, "PATH": "/usr/bin:/bin",
      "TZ": "UTC",
    ]
    .merging(environment) { $1 }
  }

  /// The package's programs are built beside its tests.
  private static let built = (Bundle.main.executableURL ?? URL(filePath: "/proc/self/exe"))
    .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "tickbird-host")

  /// A process that is not started yet, which reads nothing and writes to nowhere.
  ///
  /// - Throws: ``NotBuilt``.
  public func process(_ arguments: [String]) throws -> TestProcess {
    guard FileManager.default.isExecutableFile(atPath: file.path) else {
      throw NotBuilt(
        description: "\(file.path) is not there; `swift build --package-path Service` builds it"
      )
    }
    let process = TestProcess()
    process.executableURL = file
    process.arguments = arguments
    process.environment = environment
    // What a command makes where it runs would otherwise end up among the sources.
    let place = home.deletingLastPathComponent()
    if FileManager.default.fileExists(atPath: place.path) { process.currentDirectoryURL = place }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// Runs the program to its end, on the thread that asks.
  ///
  /// - Parameters:
  ///   - arguments: What the program is given.
  ///   - input: What it reads until the end of its standard input; it must read all of it.
  /// - Returns: How it ended, be it well or not.
  /// - Throws: ``NotBuilt``, or what the system says if the program cannot be started.
  public func run(_ arguments: [String], input: Data = Data()) throws -> Outcome {
    let process = try process(arguments)
    // Files, since two pipes would have to be read at the same time.
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-output-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["output", "errors"].map { folder.appending(path: $0) }
    for file in files { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    if input.isEmpty {
      try process.run()
    } else {
      let pipe = Pipe()
      process.standardInput = pipe
      try process.run()
      try pipe.fileHandleForWriting.write(contentsOf: input)
      try pipe.fileHandleForWriting.close()
    }
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      bytes: try Data(contentsOf: files[0]),
      errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
    )
  }

  /// Runs the program to its end without input.
  ///
  /// - Returns: How it ended, be it well or not.
  /// - Throws: ``NotBuilt``, or what the system says if the program cannot be started.
  @discardableResult
  public func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  /// Runs the program to its end, on no thread that tasks share.
  ///
  /// A server of the same test, which the program asks, can answer meanwhile.
  ///
  /// - Returns: How it ended, be it well or not.
  /// - Throws: ``NotBuilt``, or what the system says if the program cannot be started.
  @discardableResult
  public func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

  /// Runs the program to its end, on no thread that tasks share.
  ///
  /// - Parameters:
  ///   - arguments: What the program is given.
  ///   - input: What it reads until the end of its standard input; it must read all of it.
  /// - Returns: How it ended, be it well or not.
  /// - Throws: ``NotBuilt``, or what the system says if the program cannot be started.
  @discardableResult
  public func run(_ arguments: [String], input: Data = Data()) async throws -> Outcome {
    try await blocking { try run(arguments, input: input) }
  }
}
