import BlockingWork
import ExtensionMessages
import Foundation
import HostTestSupport
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

  init() throws {
    folder = try TemporaryFolder()
  }

  var home: URL { folder.url.appending(path: "home") }
  var socket: String { home.appending(path: "run/host.sock").path }

  private var program: HostProgram { HostProgram(home: home) }

  /// Runs the command to its end.
  func run(_ arguments: String...) async throws -> HostProgram.Outcome {
    try await run(arguments)
  }

  /// Runs the command to its end.
  func run(_ arguments: [String]) async throws -> HostProgram.Outcome {
    try await program.run(arguments)
  }

  /// Runs the app that contains the extensions.
  func runApp(_ arguments: String...) async throws -> HostProgram.Outcome {
    let app = try await SampleExtensions.executables.value.appending(path: "ContainingApp")
    let program = HostProgram(home: home, file: app)
    return try await program.run(arguments)
  }

  /// Starts the service and waits until it listens.
  func start() async throws -> TestProcess {
    let service = try program.process(["run"])
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
  func stop(_ service: TestProcess, signal: Int32 = SIGTERM) async {
    guard service.isRunning else { return }
    service.send(signal)
    await blocking { service.waitUntilExit() }
  }

  func make(_ description: SampleExtensions.Description) async throws -> String {
    try await SampleExtensions.make(description, in: folder.url).path
  }
}

extension HostProgram.Outcome {
  /// The output as JSON.
  var value: MessageValue? { try? MessageValue(json: bytes) }
}
