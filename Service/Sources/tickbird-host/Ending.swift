internal import Dispatch
internal import ExtensionHost
internal import Foundation
internal import Synchronization

/// Whether the process is to end, which may be asked before there is anything to be ended.
final class Ending: Sendable {
  private struct State {
    var isAsked = false
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// Ends everything.
  func ask() {
    let actions = state.withLock { state in
      state.isAsked = true
      return state.actions
    }
    for action in actions { action() }
  }

  /// Has something done when the process is to end, at once if that was asked before.
  func whenAsked(_ action: @escaping @Sendable () -> Void) {
    let isAsked = state.withLock { state in
      state.actions.append(action)
      return state.isAsked
    }
    if isAsked { action() }
  }
}

/// Calls a function when the process is asked to end.
final class Signals {
  private var sources: [any DispatchSourceSignal] = []

  init(_ body: @escaping @Sendable () -> Void) {
    for number in [SIGTERM, SIGINT] {
      // The source sees signals that are ignored, and only those do not end the process first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: body)
      source.resume()
      sources.append(source)
    }
  }
}
