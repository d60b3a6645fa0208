import CSandbox
import Glibc
import Synchronization

/// What is known about one process, shared by its supervisor's thread and its users.
final class Supervision: Sendable {
  private struct State {
    var processDescriptor: Int32
    var status: ProcessStatus?
    var processorSeconds = 0.0
    var waiting: [CheckedContinuation<ProcessStatus, Never>] = []
    var refusals: [Refusal] = []
    var places: [RefusalKey: Int] = [:]
  }

  private struct RefusalKey: Hashable {
    var kind: Refusal.Kind
    var call: String
    var detail: String
  }

  private let state: Mutex<State>

  /// Takes ownership of a process descriptor.
  init(processDescriptor: Int32) {
    state = Mutex(State(processDescriptor: processDescriptor))
  }

  /// Sends a signal to the process, never to another that reuses its number.
  func signal(_ number: Int32) {
    state.withLock { state in
      guard state.status == nil else { return }
      _ = csandbox_call(
        SystemCall.pidfdSendSignal,
        Int(state.processDescriptor),
        Int(number),
        0,
        0,
        0
      )
    }
  }

  func wait() async -> ProcessStatus {
    await withCheckedContinuation { continuation in
      let known: ProcessStatus? = state.withLock { state in
        if state.status == nil { state.waiting.append(continuation) }
        return state.status
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Records how the process ended, and its processor time, once.
  func end(_ status: ProcessStatus, processorSeconds: Double = 0) {
    let waiting = state.withLock { state in
      state.status = status
      state.processorSeconds = processorSeconds
      close(state.processDescriptor)
      state.processDescriptor = -1
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: status) }
  }

  var processorSeconds: Double { state.withLock { $0.processorSeconds } }

  var refusals: [Refusal] { state.withLock { $0.refusals } }

  func record(_ kind: Refusal.Kind, _ call: String, _ detail: String) {
    let key = RefusalKey(kind: kind, call: call, detail: detail)
    state.withLock { state in
      if let place = state.places[key] {
        state.refusals[place].count += 1
      } else if state.refusals.count < SandboxedProcess.refusalLimit {
        state.places[key] = state.refusals.count
        state.refusals.append(Refusal(kind: kind, call: call, detail: detail))
      }
    }
  }
}
