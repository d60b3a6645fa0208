internal import BlockingWork
internal import ExtensionMessages
public import Foundation
internal import Synchronization

/// Reads strangers' documents in sandboxed processes that can do nothing else.
///
/// A few processes are kept for further documents, and replaced after ``documentsPerProcess``,
/// since a document that takes over its process could lie about all that follow. A crash or a
/// timeout fails only the document at hand.
public final class DocumentReader: Sendable {
  /// The shared reader, whose program is in this program's folder.
  public static let shared = DocumentReader()

  private struct State {
    var idle: [(process: ReaderProcess, documents: Int, number: Int)] = []
    var places: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
    var lastNumber = 0
    var started = 0
  }

  private let program: URL
  private let deadline: Double
  private let state: Mutex<State>

  /// The number of documents after which a process is replaced.
  static let documentsPerProcess = 25
  /// Seconds after which an idle process is ended.
  private static let patience = 10

  /// How many processes have been started.
  var startedProcesses: Int { state.withLock { $0.started } }

  /// Creates a reader; processes are started on demand.
  ///
  /// - Parameters:
  ///   - program: The reader program; by default the one in this program's folder.
  ///   - processes: How many run at a time.
  ///   - deadline: The timeout of one document, in seconds.
  public init(program: URL? = nil, processes: Int = 2, deadline: Double = 60) {
    self.program =
      program
      ?? (Bundle.main.executableURL ?? URL(filePath: "/proc/self/exe")).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "tickbird-reader")
    self.deadline = deadline
    state = Mutex(State(places: max(1, processes)))
  }

  /// Reads a subscription list.
  ///
  /// - Throws: ``LinkError`` with code `.badSubscriptions`, `.notRead` or `.readerMissing`.
  public func subscriptions(
    opml bytes: [UInt8],
    limits: LinkLimits = LinkLimits()
  ) async throws -> SubscriptionList {
    let request = ReadingRequest(kind: .subscriptions, bytes: bytes, limits: limits)
    switch try await read(request, "the list") {
    case .subscriptions(let list): return list
    case .refused(let error): throw error
    default: throw LinkError(.notRead, "the list could not be read: the reader gave another answer")
    }
  }

  /// Reads a feed.
  ///
  /// - Throws: ``LinkError`` with code `.notAFeed`, `.notRead` or `.readerMissing`.
  func feed(
    _ fetched: LinkFetcher.Document,
    limits: LinkLimits
  ) async throws -> FeedDocument {
    switch try await feedOrPage(fetched, limits: limits) {
    case .feed(let document): return document
    case .page(_, let error), .refused(let error): throw error
    case .subscriptions:
      throw LinkError(
        .notRead,
        "\(fetched.address) could not be read: the reader gave another answer"
      )
    }
  }

  /// Reads a feed, or a page that names feeds.
  ///
  /// - Throws: ``LinkError`` with code `.notRead` or `.readerMissing`.
  func feedOrPage(
    _ fetched: LinkFetcher.Document,
    limits: LinkLimits
  ) async throws -> ReadingAnswer {
    try await read(
      ReadingRequest(
        kind: .feed,
        bytes: fetched.body,
        address: fetched.address,
        contentType: fetched.contentType,
        limits: limits
      ),
      fetched.address
    )
  }

  private func read(_ request: ReadingRequest, _ name: String) async throws -> ReadingAnswer {
    guard request.bytes.count <= request.limits.documentBytes else {
      let code: LinkError.Code = request.kind == .feed ? .notAFeed : .badSubscriptions
      throw LinkError(
        code,
        "\(name): \(request.bytes.count) bytes exceed the limit of \(request.limits.documentBytes)"
      )
    }
    await takePlace()
    defer { freePlace() }
    let (process, documents) = try await self.process()
    do {
      let body = try await blocking { () throws in
        try process.exchange(request.value.encoded(limits: DocumentProcess.requests))
      }
      let value = try MessageValue(encoded: body, limits: DocumentProcess.answers)
      guard let answer = ReadingAnswer(value, limits: request.limits) else {
        throw ReaderFailure(reason: "sent an invalid answer")
      }
      if documents + 1 < Self.documentsPerProcess { keep(process, documents + 1) }
      return answer
    } catch {
      let reason = (error as? ReaderFailure)?.reason ?? "sent an invalid answer (\(error))"
      let how = await process.end()
      throw LinkError(.notRead, "\(name) could not be read: the reader \(reason)\(how)")
    }
  }

  private func process() async throws -> (ReaderProcess, Int) {
    let idle = state.withLock { state in
      let idle = state.idle.popLast()
      if idle == nil { state.started += 1 }
      return idle
    }
    if let idle { return (idle.process, idle.documents) }
    let (program, deadline) = (program, deadline)
    return (try await blocking { try ReaderProcess(program: program, deadline: deadline) }, 0)
  }

  private func keep(_ process: ReaderProcess, _ documents: Int) {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.idle.append((process, documents, state.lastNumber))
      return state.lastNumber
    }
    Task.detached { [weak self] in
      try? await Task.sleep(for: .seconds(Self.patience))
      // Dropping the last reference ends the process, unless it is in use again by now.
      self?.state.withLock { state in state.idle.removeAll { $0.number == number } }
    }
  }

  private func takePlace() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.places > 0 {
          state.places -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  private func freePlace() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.places += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
