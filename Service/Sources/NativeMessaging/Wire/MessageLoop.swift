internal import Dispatch
public import Foundation
internal import Synchronization

/// Serves a browser's requests until the port is closed.
///
/// Requests are taken up in the order in which they come. Those that are answered at once are answered
/// in that order; nobody waits for one that takes its time, so its answer may come after those of later
/// requests.
public struct MessageLoop: Sendable {
  /// How a loop ended.
  public enum End: Equatable, Sendable {
    /// The browser closed the port: it ended, or the extension was stopped or reloaded.
    case closed
    /// The stream cannot be understood or used any more, for a reason.
    case failed(MessageError)
  }

  /// The result of a request; answers are JSON in UTF-8.
  public enum Reply: Sendable {
    /// Nothing is sent.
    case none
    /// An answer that is there already.
    case now(Data)
    /// An answer that takes its time; the requests behind it do not wait.
    ///
    /// The task is cancelled when the port is closed.
    case later(@Sendable () async -> Data)
  }

  /// How many seconds late answers have to end when the port is closed.
  var endingSeconds = 5.0

  private let port: MessagePort

  /// Takes the port to be served.
  public init(_ port: MessagePort) { self.port = port }

  /// Serves requests on the calling thread, which must be none of those that tasks share.
  ///
  /// A request that is too long is answered with an error object
  /// (`{"type":"error","code":"too-large",…}`), and the loop goes on.
  ///
  /// - Parameter reply: Is given a request, the bytes of which nobody has looked at.
  /// - Returns: Why the loop ended. Late answers are cancelled by then, and have ended but for those
  ///   that do not within seconds.
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

/// The answers of a loop that take their time.
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
        // A port that is closed shows where requests are received.
        if !Task.isCancelled { try? port.send(answer) }
        // Not before the task is noted.
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
