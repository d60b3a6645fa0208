internal import CLibrary
internal import CommandInput
package import TextOutput

/// Runs a session over standard input and output until the client ends it.
///
/// Three threads: one reads, one checks lists, and the caller's answers. No list is checked on the
/// thread that answers, so that hovering stays quick while a long list is checked.
package enum ServerLoop {
  /// What the other threads report.
  private enum Event: Sendable {
    case frame(FrameReader.Event)
    case end
    case checked(LanguageSession.Check, DocumentFindings, Duration)
  }

  /// Serves a client.
  ///
  /// - Parameters:
  ///   - checker: Checks lists.
  ///   - write: Writes bytes at once.
  /// - Returns: The status that the protocol gives: fine after `shutdown` and `exit`, refused if the
  ///   client went without them.
  /// - Throws: What `write` throws.
  package static func run(
    checker: any ListChecking,
    write: ([UInt8]) throws(OutputError) -> Void
  ) throws(OutputError) -> ExitStatus {
    let inbox = Inbox<Event>(byteLimit: FrameReader.bodyLimit)
    let jobs = Inbox<LanguageSession.Check>(byteLimit: .max)
    try start { read(into: inbox) }
    try start { check(jobs, checker, into: inbox) }
    var session = LanguageSession(checker: checker)
    while session.exitStatus == nil {
      let event = inbox.take(until: session.nextCheckTime)
      switch event {
      case .frame(.message(let body)):
        for answer in session.receive(body, now: .now) { try write(answer) }
      case .frame(.fault(let text)): try write(session.refuse(text))
      case .frame(.lost(let text)):
        try write(session.refuse(text))
        return .refused
      case .end: return .refused
      case .checked(let check, let findings, let duration):
        for answer in session.finish(check, findings, duration: duration) { try write(answer) }
      case nil: break
      }
      while let check = session.nextCheck(now: .now) { jobs.add(check, size: 0) }
    }
    return session.exitStatus ?? .refused
  }

  private static func start(_ body: @escaping @Sendable () -> Void) throws(OutputError) {
    // Reading a list needs more stack than a thread has on some systems.
    let status = startThread(stackSize: 8 << 20, body)
    guard status == 0 else {
      throw OutputError(
        message: "no thread can be started: \(systemWords(for: status)); end some programs"
      )
    }
  }

  /// Runs on the thread that reads.
  private static func read(into inbox: Inbox<Event>) {
    var frames = FrameReader()
    if let input = try? ByteInput(path: "-") {
      while let bytes = try? input.next() {
        frames.append(bytes)
        while let event = frames.next() {
          var size = 0
          if case .message(let body) = event { size = body.count }
          inbox.add(.frame(event), size: size)
          if case .lost = event { return }
        }
      }
    }
    inbox.add(.end, size: 0)
  }

  /// Runs on the thread that checks.
  private static func check(
    _ jobs: Inbox<LanguageSession.Check>,
    _ checker: any ListChecking,
    into inbox: Inbox<Event>
  ) {
    while let job = jobs.take(until: nil) {
      let start = ContinuousClock.now
      let findings = checker.check(job.text, path: job.path)
      inbox.add(.checked(job, findings, ContinuousClock.now - start), size: 0)
    }
  }
}

/// A queue between threads, bounded by the bytes in it.
private final class Inbox<Item: Sendable>: @unchecked Sendable {
  // All state is guarded by the lock.
  private let monitor = Monitor()
  private var items: [(item: Item, size: Int)] = []
  private var size = 0
  private let byteLimit: Int

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// Adds an item, after waiting until there is room; an item always fits into an empty queue.
  func add(_ item: Item, size: Int) {
    monitor.withLock {
      while !items.isEmpty, self.size + size > byteLimit { monitor.wait() }
      items.append((item, size))
      self.size += size
      monitor.broadcast()
    }
  }

  /// Returns the first item; `nil` if there is none until a time.
  func take(until time: ContinuousClock.Instant?) -> Item? {
    monitor.withLock {
      while items.isEmpty {
        guard let time else {
          monitor.wait()
          continue
        }
        let rest = time - .now
        guard rest > .zero else { return nil }
        monitor.wait(for: rest)
      }
      let (item, size) = items.removeFirst()
      self.size -= size
      monitor.broadcast()
      return item
    }
  }
}
