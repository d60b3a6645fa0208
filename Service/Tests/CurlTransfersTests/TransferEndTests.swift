import BlockingWork
import Foundation
import HostTestSupport
import Synchronization
import Testing

@testable import CurlTransfers

@Suite("When a transfer has ended", .timeLimit(.minutes(15)))
struct TransferEndTests {
  /// Processes that are there until they are ended.
  private final class Sleepers: Sendable {
    private let processes = Mutex<[Process]>([])

    func add() throws {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sleep")
      // Longer than the transfers' deadline; not for ever, since what it holds of other tests may hold these up.
      process.arguments = ["150"]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      processes.withLock { $0.append(process) }
    }

    func end() {
      // SIGTERM may be ignored by inheritance.
      processes.withLock { for process in $0 { kill(process.processIdentifier, SIGKILL) } }
    }
  }

  private static func transfer() async throws {
    // Nobody answers there.
    var request = CurlRequest(address: "http://127.0.0.1:1/", bodyLimit: 1, seconds: 60)
    request.localHost = "127.0.0.1"
    let transfer = CurlTransfer(request)
    let failure = await #expect(throws: CurlFailure.self) { _ = try await transfer.run { _ in } }
    // One that waits for another process ends by its deadline at best.
    #expect(failure?.reason == .noAnswer)
  }

  @Test("it ends with curl, whatever processes other threads have started meanwhile")
  func otherProcesses() async throws {
    // Each may have got what the transfers' processes had open at that moment.
    let sleepers = Sleepers()
    defer { sleepers.end() }
    // Other tests' descriptors as well: so it must not take until these leave it a thread.
    try await withTaskExecutorPreference(ServerExecutor()) {
      try await withThrowingTaskGroup { group in
        for _ in 0..<100 {
          // Each on a thread of its own, as a transfer's process is started on one.
          group.addTask { try await blocking { try sleepers.add() } }
          group.addTask { try await Self.transfer() }
        }
        try await group.waitForAll()
      }
    }
  }
}
