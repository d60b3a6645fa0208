import BlockingWork
import Foundation
import Synchronization
import Testing

/// Work that waits, kept off the threads that tasks share.
@Suite(.timeLimit(.minutes(1)))
struct BlockingTests {
  private struct Refusal: Error {}

  /// Counts who has arrived, and lets them go once all have.
  private final class Gathering: Sendable {
    private let arrived = Mutex(0)
    private let count: Int

    init(of count: Int) { self.count = count }

    func wait() {
      arrived.withLock { $0 += 1 }
      while arrived.withLock({ $0 }) < count { usleep(1_000) }
    }
  }

  @Test("more work waits at once than tasks have threads")
  func sideBySide() async {
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount
    let gathering = Gathering(of: count)
    let seen = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<count {
        group.addTask {
          await blocking {
            gathering.wait()
            return 1
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(seen == count)
  }

  @Test("the error of the work is the call's")
  func errors() async {
    await #expect(throws: Refusal.self) {
      try await blocking { () throws(Refusal) -> Int in throw Refusal() }
    }
  }
}
