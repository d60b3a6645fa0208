internal import Dispatch
internal import ExtensionHost
internal import Foundation
internal import Synchronization

/// A request to end the process, which may come before there is anything to end.
final class Ending: Sendable {
  private struct State {
    var isAsked = false
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// Requests the end.
  func ask() {
    let actions = state.withLock { state in
      state.isAsked = true
      return state.actions
    }
    for action in actions { action() }
  }

  /// Registers an action for the end; runs it immediately if the end was already requested.
  func whenAsked(_ action: @escaping @Sendable () -> Void) {
    let isAsked = state.withLock { state in
      state.actions.append(action)
      return state.isAsked
    }
    if isAsked { action() }
  }
}

/// Calls a function when the process receives a termination signal, the end of its terminal or session included.
final class Signals {
  private var sources: [any DispatchSourceSignal] = []

  init(_ body: @escaping @Sendable () -> Void) {
    for number in [SIGTERM, SIGINT, SIGHUP] {
      // The dispatch source also sees ignored signals, and only an ignored signal does not kill the
      // process first.
      let before = signal(number, SIG_IGN)
      // Who started it with “nohup” wants it to outlive its terminal.
      if number == SIGHUP, Self.isIgnoring(before) { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: body)
      source.resume()
      sources.append(source)
    }
  }

  private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
