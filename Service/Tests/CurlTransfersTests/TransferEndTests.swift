import Foundation
import Testing

@testable import CurlTransfers

@Suite("When a transfer has ended", .timeLimit(.minutes(15)))
struct TransferEndTests {
  /// A process that is there until it is ended.
  private static func sleeper() throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sleep")
    process.arguments = ["3600"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private static func transfer() async throws {
    // Nobody answers there.
    var request = CurlRequest(address: "http://127.0.0.1:1/", bodyLimit: 1, seconds: 60)
    request.localHost = "127.0.0.1"
    let transfer = CurlTransfer(request)
    await #expect(throws: CurlFailure.self) { _ = try await transfer.run { _ in } }
  }

  @Test("it ends with curl, whatever processes other threads have started meanwhile")
  func otherProcesses() async throws {
    // Each may have got what the transfers' processes had open at that moment.
    let sleepers = try await withThrowingTaskGroup(of: Process?.self) { group in
      for _ in 0..<30 {
        group.addTask { try Self.sleeper() }
        group.addTask {
          try await Self.transfer()
          return nil
        }
      }
      return try await group.reduce(into: [Process]()) { all, process in
        if let process { all.append(process) }
      }
    }
    // A transfer that waited for another process has waited for its end.
    #expect(sleepers.count == 30 && sleepers.allSatisfy(\.isRunning))
    // SIGTERM may be ignored by inheritance.
    for sleeper in sleepers { kill(sleeper.processIdentifier, SIGKILL) }
  }
}
