import BlockingWork
import CLibrary
import Foundation
import HostTestSupport
import Synchronization
import Testing

@testable import CurlTransfers

@Suite("When a transfer has ended", .timeLimit(.minutes(15)))
struct TransferEndTests {
  /// Processes with all that is open at their start, unless that is forbidden, which are there until they are ended.
  private final class Sleepers: Sendable {
    private let processes = Mutex<[pid_t]>([])

    func add() throws {
      var process: pid_t = 0
      // Longer than the transfers' deadline; not for ever, since what it has of other tests may hold these up.
      let status = unsafe withCStrings(["/bin/sleep", "150"]) { words in
        unsafe posix_spawn(&process, "/bin/sleep", nil, nil, words, environ)
      }
      try #require(status == 0)
      processes.withLock { $0.append(process) }
    }

    func end() {
      processes.withLock { processes in
        for process in processes {
          // SIGTERM may be ignored by inheritance.
          kill(process, SIGKILL)
          waitpid(process, nil, 0)
        }
        processes = []
      }
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
    // They hold other tests' descriptors as well, so they must end without a thread that those tests may occupy.
    try await withTaskExecutorPreference(ServerExecutor()) {
      defer { sleepers.end() }
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
