internal import ExtensionMessages
internal import Foundation
internal import Synchronization

/// A browser's session with the handler of a Safari app extension.
///
/// It lasts as long as the browser's port. The handler's process is started by an event, and may end and
/// be started again meanwhile.
final class HandlerSession: Sendable {
  private struct State {
    var run: RequestRun?
    var calls: BrowserCalls
    var outgoing: [MessageValue] = []
    var bytes = 0
    var waiting: CheckedContinuation<[MessageValue]?, Never>?
    var isClosed = false
    var lastAsked = System.milliseconds
    var lastEvent: Int64 = 0
    var complaints = RateLimit(burst: 20, perSecond: 0.5)
    var printing: RateLimit
    var line: [UInt8] = []
  }

  private static let mostMessages = 1000
  private static let mostBytes = 16 << 20
  private static let longestLine = 4096

  let name = UUID().uuidString
  let identifier: String
  let owner: ExtensionOwner?
  private let log: ExtensionLog
  private let state: Mutex<State>

  init(
    _ identifier: String,
    owner: ExtensionOwner?,
    access: WebsiteAccess,
    output: Int,
    log: ExtensionLog
  ) {
    self.identifier = identifier
    self.owner = owner
    self.log = log
    let printing = RateLimit(burst: output, perSecond: Double(output) / 60)
    state = Mutex(State(calls: BrowserCalls(access), printing: printing))
  }

  /// The running process; nil if there is none.
  var run: RequestRun? {
    get { state.withLock { $0.run } }
    set { state.withLock { $0.run = newValue } }
  }

  /// Forgets a process that has ended.
  func forget(_ run: RequestRun) {
    state.withLock { if $0.run === run { $0.run = nil } }
  }

  /// When the last event came, in milliseconds of the monotonic clock.
  var lastEvent: Int64 { state.withLock { $0.lastEvent } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  // MARK: To the handler

  /// Notes an event before it is sent.
  func willSend(_ event: MessageValue) {
    state.withLock { state in
      state.lastEvent = System.milliseconds
      state.calls.learn(from: event)
    }
  }

  // MARK: To the browser

  /// Takes what the handler says.
  func say(_ message: MessageValue, from run: RequestRun?) {
    let size = (try? message.encoded().count) ?? 0
    let refusal: (String, id: Int64?, isTold: Bool)? = state.withLock { state in
      guard !state.isClosed else { return nil }
      switch state.calls.check(message) {
      case .refused(let reason, let id): return (reason, id, state.complaints.allows())
      case .passed(let checked):
        state.outgoing.append(checked)
        state.bytes += size
        hand(&state)
        return nil
      }
    }
    guard let refusal else { return }
    if refusal.isTold { log.add(refusal.0, by: .refused, of: identifier) }
    guard let id = refusal.id else { return }
    _ = try? run?.send([
      "type": .string("event"), "event": .string("result"), "id": .integer(id), "result": .null,
    ])
  }

  /// Whether there is room for more that the handler says.
  var hasRoom: Bool {
    state.withLock { state in
      state.isClosed
        || state.outgoing.count < Self.mostMessages && state.bytes < Self.mostBytes
    }
  }

  /// Takes what the process printed.
  func print(_ bytes: [UInt8]) {
    let (text, isCut): (String, Bool) = state.withLock { state in
      guard state.printing.allows(bytes.count) else { return ("", state.complaints.allows()) }
      state.line += bytes
      let end = state.line.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
      let count = end ?? (state.line.count > Self.longestLine ? state.line.count : 0)
      defer { state.line.removeFirst(count) }
      return (String(decoding: state.line[..<count], as: UTF8.self), false)
    }
    if !text.isEmpty { log.add(text, by: .printed, of: identifier) }
    if isCut { log.add("\(bytes.count) more bytes were printed", by: .host, of: identifier) }
  }

  /// Waits for messages; nil if the session has ended, or another caller waits now.
  ///
  /// A caller whose task is cancelled ends the session: the browser's port is gone.
  func next() async -> [MessageValue]? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let earlier = state.withLock { state in
          defer { state.waiting = continuation }
          return state.waiting
        }
        earlier?.resume(returning: nil)
        state.withLock { hand(&$0) }
        if Task.isCancelled { close() }
      }
    } onCancel: {
      close()
    }
  }

  /// Whether nobody has asked for messages for so many seconds.
  func isAbandoned(after seconds: Double) -> Bool {
    state.withLock { state in
      state.waiting == nil && Double(System.milliseconds - state.lastAsked) > seconds * 1000
    }
  }

  /// Ends the session, and its process.
  func close() {
    let (waiting, run) = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = nil }
      return (state.waiting, state.run)
    }
    waiting?.resume(returning: nil)
    run?.stop("the browser has gone", gently: true)
  }

  /// Gives what there is to the caller who waits.
  private func hand(_ state: inout sending State) {
    guard let waiting = state.waiting, state.isClosed || !state.outgoing.isEmpty else { return }
    let messages = state.isClosed ? nil : state.outgoing
    state.waiting = nil
    state.lastAsked = System.milliseconds
    state.outgoing = []
    state.bytes = 0
    waiting.resume(returning: messages)
  }
}
