package import ExtensionMessages
import Foundation
import Synchronization

/// Asks the host on behalf of the modules above.
package enum HostConnection {
  private struct State {
    var channel: Channel?
    var lastID: Int64 = 0
    var waiting: [Int64: @Sendable (Result<MessageValue, ErrorReport>) -> Void] = [:]
  }

  private static let state = Mutex(State())

  static func open(_ channel: Channel) {
    state.withLock { $0.channel = channel }
  }

  /// Calls a function of the host; without a host the answer is an error.
  package static func call(
    _ function: HostCall.Function,
    _ arguments: [String: MessageValue],
    completion: @escaping @Sendable (Result<MessageValue, ErrorReport>) -> Void
  ) {
    let (channel, id) = state.withLock { state in
      state.lastID += 1
      if state.channel != nil { state.waiting[state.lastID] = completion }
      return (state.channel, state.lastID)
    }
    guard let channel else {
      completion(.failure(ErrorReport(.noHost, "There is no host to ask \(function.name) of.")))
      return
    }
    do {
      try channel.send(.call(HostCall(id: id, function: function, arguments: arguments)))
    } catch {
      take(id)?(.failure(ErrorReport(of: error)))
    }
  }

  /// Calls a function of the host and waits.
  package static func call(
    _ function: HostCall.Function,
    _ arguments: [String: MessageValue]
  ) async throws(ErrorReport) -> MessageValue {
    let result = await withCheckedContinuation { continuation in
      call(function, arguments) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  static func receive(_ reply: HostReply) {
    take(reply.id)?(reply.result)
  }

  /// Fails the calls that can no longer be answered.
  static func close() {
    let waiting = state.withLock { state in
      state.channel = nil
      defer { state.waiting = [:] }
      return state.waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    for completion in waiting {
      completion(.failure(ErrorReport(.noHost, "The host answers no more.")))
    }
  }

  private static func take(
    _ id: Int64
  ) -> (@Sendable (Result<MessageValue, ErrorReport>) -> Void)? {
    state.withLock { $0.waiting.removeValue(forKey: id) }
  }
}
