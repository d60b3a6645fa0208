internal import ExtensionMessages
internal import Synchronization

/// A queue of messages from an app to the script of its extension.
///
/// The process between the host and the browser requests the next one. A script may not be running
/// for a long time, so only the newest messages are kept.
final class ScriptMessages: Sendable {
  private struct State {
    var messages: [ScriptMessage] = []
    var waiting: [(number: Int, continuation: CheckedContinuation<ScriptMessage?, Never>)] = []
    var cancelled: Set<Int> = []
    var lastNumber = 0
    var isClosed = false
  }

  private static let mostKept = 100
  private static let mostWaiting = 16
  private let state = Mutex(State())

  func add(_ message: ScriptMessage) {
    let waiting: CheckedContinuation<ScriptMessage?, Never>? = state.withLock { state in
      if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
      state.messages.append(message)
      if state.messages.count > Self.mostKept { state.messages.removeFirst() }
      return nil
    }
    waiting?.resume(returning: message)
  }

  /// Returns the next message; nil if there will be none, the task is cancelled, or too many
  /// callers wait already.
  func next() async -> ScriptMessage? {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let message: ScriptMessage?? = state.withLock { state in
          if state.cancelled.remove(number) != nil { return .some(nil) }
          if !state.messages.isEmpty { return .some(state.messages.removeFirst()) }
          if state.isClosed || state.waiting.count >= Self.mostWaiting { return .some(nil) }
          state.waiting.append((number, continuation))
          return nil
        }
        if let message { continuation.resume(returning: message) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil as CheckedContinuation<ScriptMessage?, Never>?
        }
        return state.waiting.remove(at: index).continuation
      }
      waiting?.resume(returning: nil)
    }
  }

  /// Takes the messages that nobody has taken.
  func takeAll() -> [ScriptMessage] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.continuation.resume(returning: nil) }
  }
}
