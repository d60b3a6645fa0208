package import ExtensionMessages
import Foundation
import Synchronization

/// Calls the host on behalf of the modules above.
///
/// An extension calls over the channel of its request. Any other process, such as an extension's
/// containing app, calls over the host's socket, to which it connects on the first call.
package enum HostConnection {
  private struct State {
    var isExtension = false
    var channel: Channel?
    var lastID: Int64 = 0
    var waiting: [Int64: @Sendable (Result<MessageValue, ErrorReport>) -> Void] = [:]
  }

  private static let state = Mutex(State())
  private static let connecting = DispatchQueue(label: "extension host socket")

  static func open(_ channel: Channel) {
    state.withLock { state in
      state.isExtension = true
      state.channel = channel
    }
  }

  /// Whether this process is an extension's, not an app's.
  static var isExtension: Bool { state.withLock { $0.isExtension } }

  /// Calls a function of the host; without a host the reply is an error.
  package static func call<Call: HostFunction>(
    _ call: Call,
    completion: @escaping @Sendable (Result<Call.Reply, ErrorReport>) -> Void
  ) {
    do throws(ErrorReport) {
      let call = try HostCall(id: 0, call)
      ask(call.function, call.arguments) { result in
        completion(
          result.flatMap { value in Result { () throws(ErrorReport) in try Call.reply(value) } }
        )
      }
    } catch {
      completion(.failure(error))
    }
  }

  private static func ask(
    _ function: HostCall.Function,
    _ arguments: [String: MessageValue],
    _ completion: @escaping @Sendable (Result<MessageValue, ErrorReport>) -> Void
  ) {
    if isExtension {
      send(function, arguments, completion)
    } else {
      // Connecting may block, and an app calls this on its main thread.
      connecting.async {
        do {
          try connect()
        } catch {
          completion(.failure(ErrorReport(of: error)))
          return
        }
        send(function, arguments, completion)
      }
    }
  }

  private static func send(
    _ function: HostCall.Function,
    _ arguments: [String: MessageValue],
    _ completion: @escaping @Sendable (Result<MessageValue, ErrorReport>) -> Void
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
    } catch let error as ExtensionMessageError {
      take(id)?(.failure(ErrorReport(of: error)))
    } catch {
      take(id)?(.failure(interrupted))
    }
  }

  /// Connects to the host's socket unless connected.
  private static func connect() throws(ErrorReport) {
    guard state.withLock({ $0.channel == nil }) else { return }
    let path = HostSocket.path(
      environment: ProcessInfo.processInfo.environment,
      home: FileManager.default.homeDirectoryForCurrentUser.path
    )
    let channel = Channel(socket: try HostSocket.connect(to: path))
    state.withLock { $0.channel = channel }
    let thread = Thread {
      while let message = try? channel.receive() {
        if case .reply(let reply) = message { receive(reply) }
      }
      close(failing: interrupted)
    }
    thread.name = "extension host"
    thread.start()
  }

  /// The error for a call during which the host exits.
  private static let interrupted = ErrorReport(
    domain: NSCocoaErrorDomain,
    code: 4097,
    description: "The host of extensions went away."
  )

  /// Calls a function of the host and waits for the reply.
  ///
  /// - Throws: The host's error, or the runtime's if there is no host.
  package static func call<Call: HostFunction>(
    _ call: Call
  ) async throws(ErrorReport) -> Call.Reply {
    let result = await withCheckedContinuation { continuation in
      self.call(call) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  static func receive(_ reply: HostReply) {
    take(reply.id)?(reply.result)
  }

  /// Fails all pending calls.
  static func close(
    failing error: ErrorReport = ErrorReport(.noHost, "The host answers no more.")
  ) {
    let waiting = state.withLock { state in
      state.channel = nil
      defer { state.waiting = [:] }
      return state.waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    for completion in waiting {
      completion(.failure(error))
    }
  }

  private static func take(
    _ id: Int64
  ) -> (@Sendable (Result<MessageValue, ErrorReport>) -> Void)? {
    state.withLock { $0.waiting.removeValue(forKey: id) }
  }
}
