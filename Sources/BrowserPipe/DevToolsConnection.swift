internal import CLibrary

/// A browser without a window, driven by the DevTools protocol over a pipe.
///
///     let browser = try DevToolsConnection(program: BrowserProgram.path())
///     let version = try browser.call("Browser.getVersion")
///     browser.close()
///
/// For one thread. Events are given to ``onEvent`` while an
/// answer or a time is waited for; the handler may send commands and must not wait for their answers.
///
/// > Source: the Chrome DevTools Protocol.
package final class DevToolsConnection {
  /// A JSON object.
  package typealias Object = [String: JSONValue]

  /// Receives events: the method, its parameters, and the session that it belongs to.
  package var onEvent: ((_ method: String, _ params: Object, _ session: String?) -> Void)?

  private let process: BrowserProcess
  private var buffer: [UInt8] = []
  private var searched = 0
  private var lastNumber = 0
  /// Who waits for an answer, by its number.
  private var waiting: [Int: (Result<Object, BrowserFailure>) -> Void] = [:]

  /// The most bytes of a message.
  private static let messageLimit = 256 << 20
  /// How long an answer may take.
  package static let usualPatience = Duration.seconds(30)

  /// Starts a browser.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: Further arguments.
  /// - Throws: ``BrowserFailure`` if it cannot be started.
  package init(program: String, arguments: [String] = []) throws(BrowserFailure) {
    process = try BrowserProcess(program: program, arguments: arguments + ["about:blank"])
    do throws(BrowserFailure) { _ = try call("Browser.getVersion") } catch {
      process.end()
      guard error.code == .gone else { throw error }
      throw BrowserFailure(
        .cannotStart,
        "\(program) ended at once; start it by hand with --headless to see why"
      )
    }
  }

  /// Ends the browser, and removes all that it has written.
  package func close() {
    waiting.removeAll()
    process.end()
  }

  // MARK: Commands

  /// Sends a command; the closure receives its answer.
  ///
  /// - Throws: ``BrowserFailure`` if the browser is gone.
  package func send(
    _ method: String,
    _ params: Object = [:],
    session: String? = nil,
    answer: ((Result<Object, BrowserFailure>) -> Void)? = nil
  ) throws(BrowserFailure) {
    lastNumber += 1
    var message: Object = [
      "id": .integer(lastNumber), "method": .string(method), "params": .object(params),
    ]
    message["sessionId"] = session.map { .string($0) }
    if let answer { waiting[lastNumber] = answer }
    try write(JSONValue.object(message).bytes + [0])
  }

  /// Sends a command and returns its answer.
  ///
  /// - Throws: ``BrowserFailure`` if the browser refuses it, is gone, or does not answer in time.
  package func call(
    _ method: String,
    _ params: Object = [:],
    session: String? = nil,
    within patience: Duration = usualPatience
  ) throws(BrowserFailure) -> Object {
    let box = AnswerBox()
    try send(method, params, session: session) { box.result = $0 }
    let deadline = ContinuousClock.now + patience
    try wait(until: deadline) { box.result != nil }
    guard let result = box.result else {
      throw BrowserFailure(.noAnswer, "the browser does not answer \(method)")
    }
    do throws(BrowserFailure) { return try result.get() } catch {
      throw BrowserFailure(error.code, "\(method): \(error.message)")
    }
  }

  private final class AnswerBox {
    var result: Result<Object, BrowserFailure>?
  }

  /// Handles what the browser says until a condition holds, or a time has come.
  ///
  /// - Throws: ``BrowserFailure`` if the browser is gone, or the user wants to end.
  package func wait(
    until deadline: ContinuousClock.Instant,
    _ holds: () -> Bool = { false }
  ) throws(BrowserFailure) {
    while !holds() {
      try Interruption.check()
      let rest = deadline - .now
      if let message = try nextMessage() {
        handle(message)
        // A page that never stops talking ends no later than others.
        guard rest > .zero else { return }
        continue
      }
      guard rest > .zero else { return }
      // Short, so that an interruption is noticed soon.
      let milliseconds = min(
        100,
        rest.components.seconds * 1_000 + rest.components.attoseconds / 1_000_000_000_000_000 + 1
      )
      try read(within: Int32(truncatingIfNeeded: milliseconds))
    }
  }

  private func handle(_ message: Object) {
    if let number = message["id"]?.integer {
      guard let answer = waiting.removeValue(forKey: number) else { return }
      if let error = message["error"] {
        answer(.failure(BrowserFailure(.refused, error["message"]?.string ?? "refused")))
      } else {
        answer(.success(message["result"]?.object ?? [:]))
      }
    } else if let method = message["method"]?.string {
      onEvent?(method, message["params"]?.object ?? [:], message["sessionId"]?.string)
    }
  }

  // MARK: Pipes

  private func write(_ bytes: [UInt8]) throws(BrowserFailure) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        return unsafe CLibrary.write(process.input, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw BrowserFailure(.gone, "the browser is gone") }
      written += count
    }
  }

  /// Reads what is there, after waiting for some milliseconds at most.
  private func read(within milliseconds: Int32) throws(BrowserFailure) {
    var question = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&question, 1, milliseconds) > 0 else { return }
    let size = 1 << 20
    var failed = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let result = unsafe CLibrary.read(process.output, buffer.baseAddress, size)
      if result < 0, errno == EINTR { return count = 0 }
      failed = result <= 0
      count = max(0, result)
    }
    guard !failed else { throw BrowserFailure(.gone, "the browser is gone") }
    buffer += bytes
    guard buffer.count <= Self.messageLimit else {
      throw BrowserFailure(.gone, "the browser sends a message of more than 256 MiB")
    }
  }

  /// Takes the next whole message out of the buffer.
  private func nextMessage() throws(BrowserFailure) -> Object? {
    guard let end = buffer[searched...].firstIndex(of: 0) else {
      searched = buffer.count
      return nil
    }
    let message = JSONValue(Array(buffer[..<end]))
    buffer.removeFirst(end + 1)
    searched = 0
    guard let object = message?.object else {
      throw BrowserFailure(.gone, "the browser sends what is not JSON")
    }
    return object
  }
}
