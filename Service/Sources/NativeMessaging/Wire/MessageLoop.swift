internal import Dispatch
public import Foundation
internal import Synchronization

/// Answers a browser's requests until the port is closed.
///
/// Requests are taken in the order of arrival. Immediate answers are sent in that order;
/// asynchronous ones do not delay later requests, so they may come after the answers of these.
public struct MessageLoop: Sendable {
  /// Why a loop ended.
  public enum End: Equatable, Sendable {
    /// The browser closed the port: it ended, or the extension was stopped or reloaded.
    case closed
    /// The stream cannot be decoded or used any more.
    case failed(MessageError)
  }

  /// The reply to a request; answers are JSON in UTF-8.
  public enum Reply: Sendable {
    /// No answer.
    case none
    /// An immediate answer.
    case now(Data)
    /// An asynchronous answer, which does not delay later requests.
    ///
    /// The task is cancelled when the port is closed.
    case later(@Sendable () async -> Data)
  }

  /// How many seconds asynchronous answers may take to end after the port is closed.
  var endingSeconds = 5.0

  private let port: MessagePort

  /// Creates a loop for a port.
  public init(_ port: MessagePort) { self.port = port }

  /// Serves requests on the calling thread, which must not be one of those that tasks share.
  ///
  /// A request that is too long is answered with an error object
  /// (`{"type":"error","code":"too-large",…}`), and the loop continues.
  ///
  /// - Parameter reply: Called with each request, not yet validated.
  /// - Returns: Why the loop ended. Asynchronous answers have been cancelled by then, and have
  ///   ended unless they took too long.
  public func run(_ reply: (Data) -> Reply) -> End {
    let late = LateAnswers(port)
    defer { late.cancel(waiting: endingSeconds) }
    do {
      while let event = try port.receive() {
        switch event {
        case .message(let request):
          switch reply(request) {
          case .none: continue
          case .now(let answer): try port.send(answer)
          case .later(let body): late.start(body)
          }
        case .tooLarge(let size): try port.send(Self.tooLarge(size))
        }
      }
      return .closed
    } catch let error as MessageError {
      return error.code == .closed ? .closed : .failed(error)
    } catch {
      return .failed(MessageError(.system, "\(error)"))
    }
  }

  private static func tooLarge(_ size: Int) -> Data {
    WireError(
      "too-large",
      "the request has \(size) bytes; at most \(MessageLimits.incoming) are taken",
      size: size
    ).json
  }
}

/// The asynchronous answers of a loop.
private final class LateAnswers: Sendable {
  private struct State {
    var lastNumber = 0
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let port: MessagePort
  private let state = Mutex(State())
  private let group = DispatchGroup()

  init(_ port: MessagePort) { self.port = port }

  func start(_ body: @escaping @Sendable () async -> Data) {
    group.enter()
    state.withLock { state in
      state.lastNumber += 1
      let number = state.lastNumber
      state.tasks[number] = Task.detached { [self] in
        let answer = await body()
        // A closed port is noticed by the receiving side.
        if !Task.isCancelled { try? port.send(answer) }
        // Waits until the task is registered.
        self.state.withLock { $0.tasks[number] = nil }
        group.leave()
      }
    }
  }

  func cancel(waiting seconds: Double) {
    for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    _ = group.wait(timeout: .now() + seconds)
  }
}
