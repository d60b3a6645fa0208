import ExtensionMessages
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The process of one extension: from its only request to its answer, or for a browser's session.
///
/// The generated entry point calls ``run(_:)`` and nothing else:
///
///     @main enum ExtensionEntryPoint {
///       static func main() { ExtensionProcess.run { RequestHandler() } }
///     }
///
/// The process reads the request, creates the principal class and begins the request on a thread of
/// its own while the main run loop runs. When the handler has completed, attachments are loaded,
/// shared defaults are written, the answer is sent, the completion handler is called, and the
/// process exits. Timeouts are the host's: a handler that never answers keeps the process alive
/// until the host ends it, by SIGTERM or by closing the channel.
///
/// A process that is started for a browser's session handles events until the host ends it.
///
/// Exit status: 0 after an answer or a cancellation was sent, even for an unreadable request; 1 if
/// it could not be sent or the host exited; 2 if there is no channel.
public enum ExtensionProcess {
  /// Runs the extension; does not return.
  ///
  /// - Parameter makePrincipal: Creates the principal class; called after the request has arrived, and
  ///   for each event of a session.
  public static func run(
    _ makePrincipal: @escaping @MainActor @Sendable () -> any NSExtensionRequestHandling
  ) -> Never {
    // If the host exits, writing must fail instead of raising a signal.
    signal(SIGPIPE, SIG_IGN)
    HandlerOutput.writeLines()
    let channel: Channel
    let request: ExtensionRequest
    do {
      channel = try Channel()
    } catch {
      HandlerOutput.tell(ErrorReport(of: error).description)
      end(2)
    }
    do {
      switch try channel.receive() {
      case .request(let received): request = received
      case .session(let session):
        prepare(channel, session.groupContainers)
        BrowserSession.run(channel, makePrincipal)
      case .reply, .event:
        throw ExtensionMessageError(.notAMessage, "the first message is no request")
      case nil: throw ExtensionMessageError(.truncated, "there is none")
      }
    } catch {
      let report = ErrorReport(.badRequest, "The request could not be read: \(error)")
      HandlerOutput.tell(report.description)
      end(send(.cancel(report), on: channel) ? 0 : 1)
    }
    prepare(channel, request.groupContainers)
    let termination = Termination {}
    listen(to: channel)
    begin(request, makePrincipal) { outcome in
      // Loading attachments may take long, and the handler must get its thread back meanwhile.
      let box = Unshared(outcome)
      Task.detached { await finish(box.value, on: channel, termination) }
    }
    runMainLoop()
  }

  private static func prepare(_ channel: Channel, _ groupContainers: [String: String]) {
    ApplicationGroups.set(groupContainers)
    ApplicationGroups.synchronizeDefaults()
    HostConnection.open(channel)
  }

  private static func begin(
    _ request: ExtensionRequest,
    _ makePrincipal: @escaping @MainActor @Sendable () -> any NSExtensionRequestHandling,
    finish: @escaping @Sendable (NSExtensionContext.Outcome) -> Void
  ) {
    let thread = Thread {
      let context = NSExtensionContext(inputItems: [NSExtensionItem(request.item)], finish: finish)
      // Some classes are bound to the main thread.
      let principal = DispatchQueue.main.sync {
        MainActor.assumeIsolated { Unshared(makePrincipal()) }
      }.value
      principal.beginRequest(with: context)
      // Handlers that answer later must stay alive although nothing else retains them.
      keep(principal, context)
    }
    // As large as the main thread's, since handlers parse their lists here.
    thread.stackSize = 8 << 20
    thread.name = "extension request"
    thread.start()
  }

  private static let kept = Mutex<[Unshared<AnyObject>]>([])

  private static func keep(_ objects: AnyObject...) {
    let boxes = objects.map { Unshared($0) }
    kept.withLock { $0 += boxes }
  }

  /// Delivers replies, and ends the process when the host exits.
  private static func listen(to channel: Channel) {
    guard channel.endsWithHost else { return }
    let thread = Thread {
      while true {
        let message: MessageToExtension?
        do {
          message = try channel.receive()
        } catch {
          HandlerOutput.tell("The host's message could not be read: \(error)")
          end(1)
        }
        switch message {
        case .reply(let reply): HostConnection.receive(reply)
        case .request, .session, .event: HandlerOutput.tell("A second request was ignored.")
        // If the answer is being sent, the sender ends the process.
        case nil: if hasAnswered.withLock({ $0 }) { return } else { end(1) }
        }
      }
    }
    thread.name = "extension host"
    thread.start()
  }

  /// Waits for the next event of a session, and delivers replies; `nil` when the host exits.
  static func nextEvent(of channel: Channel) -> BrowserEvent? {
    while true {
      do {
        switch try channel.receive() {
        case .event(let value):
          if let event = BrowserEvent(value) { return event }
        case .reply(let reply): HostConnection.receive(reply)
        case .request, .session: HandlerOutput.tell("A second session was ignored.")
        case nil: return nil
        }
      } catch {
        HandlerOutput.tell("The host's message could not be read: \(error)")
        end(1)
      }
    }
  }

  private static let hasAnswered = Mutex(false)

  private static func finish(
    _ outcome: NSExtensionContext.Outcome,
    on channel: Channel,
    _ termination: Termination
  ) async {
    var handler: (@Sendable (Bool) -> Void)?
    let message: MessageFromExtension
    switch outcome {
    case .cancelled(let error):
      message = .cancel(ErrorReport(of: error))
    case .completed(let items, let completion):
      handler = completion
      var answer = ExtensionAnswer(items: nil)
      if let items {
        var loading = ItemLoading()
        let (loaded, notes) = await loading.items(of: items)
        answer = ExtensionAnswer(items: loaded, notes: notes)
      }
      message = .answer(answer)
    }
    ApplicationGroups.synchronizeDefaults()
    // The host may close the channel as soon as it has the answer.
    hasAnswered.withLock { $0 = true }
    let isSent = send(message, on: channel)
    HostConnection.close()
    if let handler, isSent {
      await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .background).async {
          termination.run(handler)
          continuation.resume()
        }
      }
      ApplicationGroups.synchronizeDefaults()
    }
    end(isSent ? 0 : 1)
  }

  private static func send(_ message: MessageFromExtension, on channel: Channel) -> Bool {
    do {
      try channel.send(message)
      return true
    } catch let error as ExtensionMessageError {
      let report = ErrorReport(.answerTooLarge, "The answer cannot be sent: \(error)")
      HandlerOutput.tell(report.description)
      return (try? channel.send(.cancel(report))) != nil
    } catch {
      HandlerOutput.tell("The answer cannot be sent: \(error.localizedDescription)")
      return false
    }
  }

  static func runMainLoop() -> Never {
    // Without a source, the run loop would return at once and spin.
    let century = Timer(timeInterval: 3_155_760_000, repeats: true) { _ in }
    RunLoop.main.add(century, forMode: .default)
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  static func end(_ status: Int32) -> Never {
    fflush(nil)
    // Not `exit`, which tears down state that the handler's threads may still use.
    _exit(status)
  }
}

/// Tells a running completion handler that the process is ending.
final class Termination: Sendable {
  private let running = Mutex<(@Sendable (Bool) -> Void)?>(nil)
  private let source: Unshared<any DispatchSourceSignal>

  /// Watches for SIGTERM.
  ///
  /// - Parameter willEnd: Called before the process ends.
  init(_ willEnd: @escaping @Sendable () -> Void) {
    // The dispatch source still sees ignored signals, which do not kill the process.
    signal(SIGTERM, SIG_IGN)
    source = Unshared(DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global()))
    source.value.setEventHandler { [weak self] in
      if let handler = self?.running.withLock({ $0 }) { handler(true) }
      willEnd()
      ExtensionProcess.end(1)
    }
    source.value.resume()
  }

  /// Runs a completion handler.
  func run(_ handler: @escaping @Sendable (Bool) -> Void) {
    running.withLock { $0 = handler }
    handler(false)
    running.withLock { $0 = nil }
  }
}
