import Foundation
import Synchronization

/// Work on a thread of its own, since what blocks must not take one of the few that tasks share.
final class BackgroundWork<Value: Sendable>: Sendable {
  private let result = Mutex<Value?>(nil)
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Value) {
    Thread { [self] in
      let value = body()
      result.withLock { $0 = value }
      done.signal()
    }.start()
  }

  /// Waits for the work; `nil` if it takes minutes.
  func value() -> Value? {
    guard done.wait(timeout: .now() + 120) == .success else { return nil }
    return result.withLock { $0 }
  }
}
