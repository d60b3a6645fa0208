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

/// Calls a function when the process receives a termination signal.
final class Signals {
  private var sources: [any DispatchSourceSignal] = []

  init(_ body: @escaping @Sendable () -> Void) {
    for number in [SIGTERM, SIGINT] {
      // The dispatch source also sees ignored signals, and only an ignored signal does not kill the
      // process first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: body)
      source.resume()
      sources.append(source)
    }
  }
}
