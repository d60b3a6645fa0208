internal import CLibrary
internal import ExtensionMessages
internal import Synchronization

/// The outcome of a request.
enum RequestOutcome: Equatable, Sendable {
  case answered(ExtensionAnswer)
  case cancelled(ErrorReport)
  case failed(Failure)

  /// How an extension failed to answer.
  enum Failure: Equatable, Sendable {
    /// The process ended without an answer.
    case ended(ProcessExit)
    /// The timeout passed; its length in seconds.
    case deadline(Double)
    /// What arrived on the channel is not a message.
    case rubbish(String)
    /// The host cancelled the request.
    case stopped(String)
    /// A session's process had nothing to do for this many seconds.
    case idle(Double)
  }
}

/// A report about a finished request.
struct RequestReport: Sendable {
  var outcome: RequestOutcome
  /// How the process ended; nil if it could not even be killed.
  var exit: ProcessExit?
  /// What it printed, up to the limit.
  var printed: [UInt8] = []
  /// How many more bytes it printed.
  var unkeptOutput = 0
  /// Whether it had to be terminated after its answer.
  var hadToBeEnded = false
}

/// One process, from the first byte to its end: one request, or one browser's session.
///
/// ``run(answered:)`` blocks its thread; the other members may be used from any thread.
final class RequestRun: Sendable {
  struct Limits: Sendable {
    var deadline: Double
    var grace: Double
    var output: Int
    var messages: ExtensionMessageLimits
  }

  private struct Shared {
    var exit: ProcessExit?
    var replies: [[UInt8]] = []
    var stopReason: String?
    var isStoppedGently = false
    var openCalls = 0
    var lastSent: Int64 = 0
  }

  /// More concurrent calls, or more unread bytes of replies, count as an attack.
  private static let mostCalls = 64
  private static let mostBacklog = 16 << 20
  /// The limit on events that wait to be written to a process that does not read.
  private static let mostEvents = 1000
  /// The timeout for SIGKILL to take effect, in milliseconds.
  private static let killTime: Int64 = 10_000

  private let process: any RunningExtension
  private let channel: Descriptor
  private let output: Descriptor
  private let frame: [UInt8]
  private let limits: Limits
  private let call: @Sendable (HostCall) async -> Result<MessageValue, ErrorReport>
  private let session: SessionPart?
  private let shared = Mutex(Shared())
  private let wakeUp: WakeUp

  /// Prepares a request to a started process, or its session.
  ///
  /// - Parameters:
  ///   - first: The request, or the session's beginning.
  ///   - process: The process.
  ///   - channel: The channel's end of the host.
  ///   - output: What the process prints.
  ///   - limits: What bounds it.
  ///   - session: What is done with a session's messages; nil for a request.
  ///   - call: Executes a call of the process.
  /// - Throws: An error for a first message that cannot be encoded, or of the system.
  init(
    _ first: MessageToExtension,
    to process: any RunningExtension,
    channel: Descriptor,
    output: Descriptor,
    limits: Limits,
    session: SessionPart? = nil,
    call: @escaping @Sendable (HostCall) async -> Result<MessageValue, ErrorReport>
  ) throws {
    self.process = process
    self.channel = channel
    self.output = output
    self.limits = limits
    self.call = call
    self.session = session
    frame = ExtensionFrames.frame(try first.value.encoded())
    wakeUp = try WakeUp()
  }

  /// Cancels the request; the process is killed, or asked to end if that is done gently.
  func stop(_ reason: String, gently: Bool = false) {
    shared.withLock { shared in
      guard shared.stopReason == nil else { return }
      shared.stopReason = reason
      shared.isStoppedGently = gently
    }
    wakeUp.wake()
  }

  /// Sends an event to a session's process.
  ///
  /// - Returns: false if too many wait already, or the process is ending.
  /// - Throws: `ExtensionMessageError` for an event that is too large.
  func send(_ event: MessageValue) throws(ExtensionMessageError) -> Bool {
    let frame = ExtensionFrames.frame(try MessageToExtension.event(event).value.encoded())
    let isSent = shared.withLock { shared in
      guard shared.exit == nil, shared.stopReason == nil,
        shared.replies.count < Self.mostEvents
      else { return false }
      shared.replies.append(frame)
      shared.lastSent = System.milliseconds
      return true
    }
    wakeUp.wake()
    return isSent
  }

  /// Whether the process has ended, or was told to.
  var isEnding: Bool { shared.withLock { $0.exit != nil || $0.stopReason != nil } }

  private enum Phase {
    /// Waits until this time of the monotonic clock.
    case waiting(until: Int64)
    case ending(until: Int64, told: Bool, killed: Bool)
  }

  /// Sends the request, receives the answer, and waits for the process to end.
  ///
  /// - Parameter answered: Called with the answer or cancellation as soon as it arrives; not called
  ///   for a failure.
  /// - Returns: The report.
  func run(answered: (RequestOutcome) -> Void) -> RequestReport {
    Task.detached { [self] in
      let exit = await process.wait()
      shared.withLock { $0.exit = exit }
      wakeUp.wake()
    }
    var loop = Loop(self)
    return loop.run(answered)
  }

  /// The state of the thread that serves the process.
  private struct Loop {
    private let run: RequestRun
    private var stream: FramedStream
    private var isChannelOpen = true
    private var isOutputOpen = true
    private var phase: Phase
    private var outcome: RequestOutcome?
    private var report = RequestReport(outcome: .cancelled(.internalError("")))
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init(_ run: RequestRun) {
      self.run = run
      stream = FramedStream(run.channel, limits: run.limits.messages)
      stream.enqueue(run.frame)
      let seconds = run.session?.idle ?? run.limits.deadline
      phase = .waiting(until: System.milliseconds + Int64(seconds * 1000))
    }

    mutating func run(_ answered: (RequestOutcome) -> Void) -> RequestReport {
      var isAnnounced = false
      while true {
        // What a process does not read stays where it is counted.
        let isTaking = stream.backlog <= RequestRun.mostBacklog
        let shared = run.shared.withLock { shared in
          defer { if isTaking { shared.replies = [] } }
          return shared
        }
        if isTaking { for reply in shared.replies { stream.enqueue(reply) } }
        stayAwake(since: shared.lastSent)
        if let reason = shared.stopReason, outcome == nil {
          fail(.stopped(reason), gently: shared.isStoppedGently)
        }
        if let exit = shared.exit {
          finishReading()
          report.exit = exit
          report.outcome = outcome ?? .failed(.ended(exit))
          if !isAnnounced, !report.outcome.isFailure { answered(report.outcome) }
          return report
        }
        serve()
        if let outcome, !isAnnounced, !outcome.isFailure {
          isAnnounced = true
          answered(outcome)
        }
        guard advance() else {
          report.outcome = outcome ?? .failed(.deadline(run.limits.deadline))
          return report
        }
      }
    }

    /// Waits for an event, then reads and writes.
    private mutating func serve() {
      let hasRoom = run.session?.hasRoom() ?? true
      let events = hasRoom ? stream.events : stream.events & ~Int16(POLLIN)
      var interests = [(run.wakeUp.descriptor, Int16(POLLIN))]
      interests.append((isChannelOpen && events != 0 ? stream.descriptor.number : -1, events))
      interests.append((isOutputOpen ? run.output.number : -1, Int16(POLLIN)))
      let patience = until - System.milliseconds
      let ready = poll(interests, milliseconds: hasRoom ? patience : min(patience, 50))
      if ready[0] != 0 { run.wakeUp.clear() }
      if ready[1] & Int16(POLLOUT) != 0, !stream.send() { isChannelOpen = false }
      if ready[1] & ~Int16(POLLOUT) != 0, isChannelOpen { readChannel() }
      if ready[2] != 0 { readOutput() }
    }

    private var until: Int64 {
      switch phase {
      case .waiting(let until), .ending(let until, _, _): until
      }
    }

    /// Puts off the end of a session that is used.
    private mutating func stayAwake(since time: Int64) {
      guard let session = run.session, outcome == nil, isChannelOpen,
        case .waiting(let until) = phase
      else { return }
      phase = .waiting(until: max(until, time + Int64(session.idle * 1000)))
    }

    /// Handles timeouts.
    ///
    /// - Returns: false when nothing more can be done.
    private mutating func advance() -> Bool {
      guard System.milliseconds >= until else { return true }
      switch phase {
      case .waiting:
        let idle = isChannelOpen ? run.session?.idle : nil
        fail(idle.map { .idle($0) } ?? .deadline(run.limits.deadline))
      case .ending(_, told: false, _):
        report.hadToBeEnded = true
        tellToEnd()
      case .ending(_, told: true, killed: false): kill()
      case .ending(_, told: true, killed: true): return false
      }
      return true
    }

    private mutating func tellToEnd() {
      run.process.terminate()
      phase = .ending(until: end(after: run.limits.grace), told: true, killed: false)
    }

    private mutating func kill() {
      run.process.kill()
      phase = .ending(until: System.milliseconds + RequestRun.killTime, told: true, killed: true)
    }

    private func end(after seconds: Double) -> Int64 {
      System.milliseconds + Int64(seconds * 1000)
    }

    private mutating func fail(_ failure: RequestOutcome.Failure, gently: Bool = false) {
      guard outcome == nil else { return }
      outcome = .failed(failure)
      switch failure {
      case .deadline, .idle: tellToEnd()
      default: if gently { tellToEnd() } else { kill() }
      }
    }

    private mutating func readChannel() {
      if !stream.receive() { isChannelOpen = false }
      do throws(ExtensionMessageError) {
        while outcome == nil, let body = try stream.next() {
          let value = try MessageValue(encoded: body, limits: run.limits.messages)
          try take(MessageFromExtension(value))
        }
      } catch {
        fail(.rubbish(error.message))
      }
      // Gives the process time to end by itself, since how it ends says what happened.
      if !isChannelOpen, outcome == nil, case .waiting(let until) = phase {
        phase = .waiting(until: min(until, end(after: run.limits.grace)))
      }
    }

    private mutating func take(_ message: MessageFromExtension) throws(ExtensionMessageError) {
      switch message {
      case .browser(let content):
        guard let session = run.session else {
          throw ExtensionMessageError(.notAMessage, "there is no browser in a request")
        }
        session.say(content)
        stayAwake(since: System.milliseconds)
      case .answer(let answer): finish(.answered(answer))
      case .cancel(let error): finish(.cancelled(error))
      case .call(let call):
        let isAllowed = run.shared.withLock { shared in
          shared.openCalls += 1
          return shared.openCalls <= RequestRun.mostCalls
        }
        guard isAllowed, stream.backlog <= RequestRun.mostBacklog else {
          throw ExtensionMessageError(
            .limitExceeded,
            "more than \(RequestRun.mostCalls) calls are open"
          )
        }
        run.answer(call)
      }
    }

    private mutating func finish(_ outcome: RequestOutcome) {
      self.outcome = outcome
      phase = .ending(until: end(after: run.limits.grace), told: false, killed: false)
    }

    private mutating func readOutput() {
      let count = unsafe recv(
        run.output.number,
        &buffer,
        buffer.count,
        Int32(MSG_DONTWAIT)
      )
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count > 0 else {
        isOutputOpen = false
        return
      }
      if let session = run.session { return session.printed(Array(buffer[..<count])) }
      let kept = min(count, max(run.limits.output - report.printed.count, 0))
      report.printed += buffer[..<kept]
      report.unkeptOutput += count - kept
    }

    /// Reads what was sent before the process ended.
    private mutating func finishReading() {
      // Bounded, since a child of the process could print for ever.
      for _ in 0..<1024 {
        guard isOutputOpen, poll([(run.output.number, Int16(POLLIN))], milliseconds: 0)[0] != 0
        else { break }
        readOutput()
      }
      while isChannelOpen, outcome == nil,
        poll([(stream.descriptor.number, Int16(POLLIN))], milliseconds: 0)[0] != 0
      {
        readChannel()
      }
    }
  }

  /// Answers a call once the host has executed it.
  private func answer(_ call: HostCall) {
    Task.detached { [self] in
      let result = await self.call(call)
      let reply = MessageToExtension.reply(HostReply(id: call.id, result: result))
      let body =
        (try? reply.value.encoded())
        ?? (try? MessageToExtension.reply(
          HostReply(id: call.id, result: .failure(.internalError("the reply is too large")))
        ).value.encoded())
      shared.withLock { shared in
        shared.openCalls -= 1
        if let body { shared.replies.append(ExtensionFrames.frame(body)) }
      }
      wakeUp.wake()
    }
  }
}

extension RequestOutcome {
  var isFailure: Bool {
    if case .failed = self { true } else { false }
  }
}
