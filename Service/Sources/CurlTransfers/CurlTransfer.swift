internal import BlockingWork
internal import CLibrary
internal import ChildPrograms
internal import Synchronization

/// A request made by a `curl` process of its own.
///
/// Follows no redirects, ignores the user's curl configuration, and counts bytes as they arrive.
/// Foundation's `URLSession` on Linux crashes on a redirect to an address such as `//:99999/`; here
/// a server can at most crash curl.
public final class CurlTransfer: Sendable {
  private enum Stage {
    case new
    case running(ChildProgram)
    case cancelled
    case done
  }

  private let request: CurlRequest
  private let resolver: any NameResolving
  private let stage = Mutex(Stage.new)

  /// Prepares a request, which can be run once.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - resolver: Resolves the host's addresses.
  public init(_ request: CurlRequest, resolver: any NameResolving = SystemResolver()) {
    self.request = request
    self.resolver = resolver
  }

  /// Runs the request, and waits until curl has ended.
  ///
  /// - Parameter receive: Called with the parts of the body, on a thread of its own; an error
  ///   aborts the transfer.
  /// - Returns: The answer without its body.
  /// - Throws: ``CurlFailure``, the error of `receive`, or `CancellationError`.
  public func run(
    _ receive: @escaping @Sendable (ArraySlice<UInt8>) throws -> Void
  ) async throws -> CurlAnswer {
    try await withTaskCancellationHandler {
      try await blocking { try self.transfer(receive) }
    } onCancel: {
      stage.withLock { stage in
        if case .done = stage { return }
        // It has nothing to clean up, and SIGTERM may be ignored by inheritance.
        if case .running(let curl) = stage { curl.send(SIGKILL) }
        stage = .cancelled
      }
    }
  }

  private func transfer(
    _ receive: (ArraySlice<UInt8>) throws -> Void
  ) throws -> CurlAnswer {
    let program = try CurlProgram.find()
    let destination = try Destination(request, resolver)
    let input = try DescriptorPipe(holding: Array(try request.configuration(destination).utf8))
    let body = try DescriptorPipe()
    let words = try DescriptorPipe()
    let start = ContinuousClock.now
    let curl = try stage.withLock { stage in
      if case .cancelled = stage { throw CancellationError() }
      let curl = try Self.start(
        program,
        request.arguments,
        input: input.reading,
        body: body.writing,
        words: words.writing
      )
      stage = .running(curl)
      return curl
    }
    input.close()
    body.closeWriting()
    words.closeWriting()
    var dump: [UInt8] = []
    var failure: (any Error)?
    do {
      try read(body, words, into: &dump, since: start, receive)
    } catch {
      failure = error
      curl.send(SIGKILL)
    }
    let end = curl.wait()
    let isCancelled = stage.withLock { stage in
      if case .cancelled = stage { return true }
      stage = .done
      return false
    }
    if isCancelled { throw CancellationError() }
    if let failure { throw failure }
    guard end == .exited(0) else {
      throw CurlFailure(
        end: end,
        lines: dump.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) },
        request: request,
        isLate: ContinuousClock.now - start >= .seconds(request.seconds)
      )
    }
    guard var answer = CurlAnswer(dump: dump) else {
      throw CurlFailure(.noAnswer, "the server did not answer in HTTP")
    }
    try destination.check(answer)
    answer.isLocal = destination.isLocal
    return answer
  }

  private static func start(
    _ program: String,
    _ arguments: [String],
    input: Int32,
    body: Int32,
    words: Int32
  ) throws(CurlFailure) -> ChildProgram {
    do throws(SystemError) {
      return try ChildProgram(program, arguments, input: input, output: body, errors: words)
    } catch {
      throw CurlFailure(.noCurl, "curl cannot be started: \(error)")
    }
  }

  /// Reads both pipes concurrently to their ends, since curl blocks when one is full.
  private func read(
    _ body: DescriptorPipe,
    _ words: DescriptorPipe,
    into dump: inout [UInt8],
    since start: ContinuousClock.Instant,
    _ receive: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    // curl enforces the timeout; this is a fallback.
    let end = start + .seconds(min(max(request.seconds, 0), 1e6) + 10)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var left = request.bodyLimit
    var isOpen = (body: true, words: true)
    while isOpen.body || isOpen.words {
      guard ContinuousClock.now < end else { throw CurlFailure.deadline(request) }
      // poll ignores negative descriptors.
      var events = [
        pollfd(fd: isOpen.body ? body.reading : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen.words ? words.reading : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&events, 2, 1_000) > 0 else { continue }
      if events[0].revents != 0 {
        let part = try body.read(&buffer)
        isOpen.body = !part.isEmpty
        guard part.count <= left else { throw CurlFailure.bodyTooLarge(request) }
        left -= part.count
        if !part.isEmpty { try receive(part) }
      }
      if events[1].revents != 0 {
        let part = try words.read(&buffer)
        isOpen.words = !part.isEmpty
        guard dump.count + part.count <= request.headLimit else {
          throw CurlFailure.headTooLarge(request)
        }
        dump += part
      }
    }
  }
}
