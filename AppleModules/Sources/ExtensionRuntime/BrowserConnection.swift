package import ExtensionMessages
import Foundation
import Synchronization

/// The browser whose session this process serves.
///
/// Calls travel to the host, which checks them, and from there to the script that the host has put
/// into the browser. `Documentation/AppExtensions.md` lists them.
package enum BrowserConnection {
  private struct State {
    var channel: Channel?
    var lastID: Int64 = 0
    var waiting: [Int64: @Sendable (MessageValue) -> Void] = [:]
  }

  private static let state = Mutex(State())

  static func open(_ channel: Channel) { state.withLock { $0.channel = channel } }

  /// Whether this process serves a browser's session.
  package static var isOpen: Bool { state.withLock { $0.channel != nil } }

  /// Calls a function of the browser and waits for its result; null if it fails.
  package static func call(
    _ name: String,
    _ members: [String: MessageValue] = [:]
  ) async -> MessageValue {
    await withCheckedContinuation { continuation in
      begin(name, members) { continuation.resume(returning: $0) }
    }
  }

  /// Calls a function of the browser; the completion gets null if it fails.
  ///
  /// The completion is called as ``CallbackQueue`` says.
  package static func call(
    _ name: String,
    _ members: [String: MessageValue] = [:],
    completion: @escaping @Sendable (MessageValue) -> Void
  ) {
    begin(name, members) { result in CallbackQueue.run { completion(result) } }
  }

  private static func begin(
    _ name: String,
    _ members: [String: MessageValue],
    _ completion: @escaping @Sendable (MessageValue) -> Void
  ) {
    let id = state.withLock { state in
      state.lastID += 1
      state.waiting[state.lastID] = completion
      return state.lastID
    }
    var members = members
    members["id"] = .integer(id)
    if !tell(name, members) { take(id)?(.null) }
  }

  /// Calls a function of the browser that has no result.
  ///
  /// - Returns: Whether it was sent.
  @discardableResult
  package static func tell(_ name: String, _ members: [String: MessageValue] = [:]) -> Bool {
    var members = members
    members["type"] = .string("call")
    members["call"] = .string(name)
    return send(.dictionary(members))
  }

  static func send(_ message: MessageValue) -> Bool {
    guard let channel = state.withLock({ $0.channel }) else { return false }
    return (try? channel.send(.browser(message))) != nil
  }

  /// Takes the result of a call.
  static func receive(_ event: BrowserEvent) {
    guard let id = event["id"]?.integer else { return }
    take(id)?(event["error"] == nil ? event["result"] ?? .null : .null)
  }

  private static func take(_ id: Int64) -> (@Sendable (MessageValue) -> Void)? {
    state.withLock { $0.waiting.removeValue(forKey: id) }
  }
}

/// Where callbacks of the browser's proxies run: one at a time, between events on the main queue.
///
/// Handlers keep state in statics without locks, so that a callback beside an event would break
/// them. A handler that waits on the main thread for a callback would wait for ever; after a
/// moment the callback therefore runs on a queue of its own.
package enum CallbackQueue {
  private static let aside = DispatchQueue(label: "browser callbacks")
  private static let patience = DispatchTimeInterval.milliseconds(500)

  package static func run(_ body: @escaping @Sendable () -> Void) {
    let once = Once()
    DispatchQueue.main.async { if once.first() { body() } }
    aside.asyncAfter(deadline: .now() + patience) { if once.first() { body() } }
  }
}
