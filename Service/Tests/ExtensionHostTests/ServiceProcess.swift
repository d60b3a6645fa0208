import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionHost

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The command and the service as processes, with a home of their own.
struct ServiceProcess {
  let folder: TemporaryFolder

  struct Outcome {
    var status: Int32
    var output: String
    var errors: String

    /// The output as JSON.
    var value: MessageValue? { try? MessageValue(json: Data(output.utf8)) }
  }

  init() throws {
    folder = try TemporaryFolder()
  }

  var home: URL { folder.url.appending(path: "home") }
  var socket: String { home.appending(path: "run/host.sock").path }

  /// Where the tests are built, so is the command.
  private static let command = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "tickbird-host")

  private func process(_ executable: URL, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["TICKBIRD_HOME"] = home.path
    environment["XDG_CONFIG_HOME"] = folder.url.appending(path: "config").path
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// Runs the command to its end.
  func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

  /// Runs the command to its end.
  func run(_ arguments: [String]) async throws -> Outcome {
    try await run(process(Self.command, arguments))
  }

  /// Runs the app that contains the extensions.
  func runApp(_ arguments: String...) async throws -> Outcome {
    let app = try SampleExtensions.executables.get().appending(path: "ContainingApp")
    return try await run(process(app, arguments))
  }

  private func run(_ process: Process) async throws -> Outcome {
    // Files, since two pipes would have to be read at the same time.
    let names = ["output", "errors"].map {
      folder.url.appending(path: "\($0)-\(UUID().uuidString)")
    }
    for name in names { try Data().write(to: name) }
    process.standardOutput = try FileHandle(forWritingTo: names[0])
    process.standardError = try FileHandle(forWritingTo: names[1])
    let box = UncheckedBox(process)
    try await System.blocking {
      try box.value.run()
      box.value.waitUntilExit()
    }
    let texts = try names.map { try String(contentsOf: $0, encoding: .utf8) }
    return Outcome(status: process.terminationStatus, output: texts[0], errors: texts[1])
  }

  /// Starts the service and waits until it listens.
  func start() async throws -> Process {
    let service = process(Self.command, ["run"])
    let log = folder.url.appending(path: "service-\(UUID().uuidString)")
    try Data().write(to: log)
    service.standardError = try FileHandle(forWritingTo: log)
    try service.run()
    while true {
      if (try? HostClient(socket: socket)) != nil { return service }
      guard service.isRunning else {
        throw HostError(.system, "no service: \(try String(contentsOf: log, encoding: .utf8))")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Ends a service that was started.
  func stop(_ service: Process, signal: Int32 = SIGTERM) async {
    guard service.isRunning else { return }
    kill(service.processIdentifier, signal)
    let box = UncheckedBox(service)
    await System.blocking { box.value.waitUntilExit() }
  }

  func make(_ description: SampleExtensions.Description) throws -> String {
    try SampleExtensions.make(description, in: folder.url).path
  }
}

/// Carries a value to one other thread, while nobody uses it here.
private struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
