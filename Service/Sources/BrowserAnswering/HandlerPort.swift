public import ExtensionHost
internal import ExtensionMessages
internal import Foundation
public import NativeMessaging
internal import Synchronization

/// Connections to the host for a session with a handler, which last as long as the session.
public struct HandlerLink: Sendable {
  /// For events.
  public var events: any HostCalling
  /// For what the handler says, whose calls wait for long.
  public var calls: any HostCalling
  /// Ends both, and calls that wait.
  public var close: @Sendable () async -> Void

  /// Creates a link.
  public init(
    events: any HostCalling,
    calls: any HostCalling,
    close: @escaping @Sendable () async -> Void
  ) {
    self.events = events
    self.calls = calls
    self.close = close
  }
}

/// A browser's port to the handler of a Safari app extension.
///
/// Passes the browser's events on, in their order, and what the handler says back. The host opens a
/// session at the first event; if the session ends, the next event opens another one.
public final class HandlerPort: Sendable {
  /// An event for a handler, as the gate has checked it.
  struct Event: Decodable {
    var identifier: String
    /// Whose extension the caller was let in for.
    var owner: ExtensionOwner?
    var content: MessageValue
  }

  private static let mostWaiting = 1000
  private let send: @Sendable (Data) -> Void
  private let link: @Sendable () async throws -> HandlerLink
  private let long = LongMessages()
  private let queue: AsyncStream<Event>.Continuation
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let session = Mutex<Session?>(nil)

  /// Creates the port's side.
  ///
  /// - Parameters:
  ///   - port: The browser's port.
  ///   - link: Connects to the host.
  public convenience init(
    _ port: MessagePort,
    link: @escaping @Sendable () async throws -> HandlerLink
  ) {
    // A closed port is noticed by the receiving side.
    self.init(send: { try? port.send($0) }, link: link)
  }

  init(
    send: @escaping @Sendable (Data) -> Void,
    link: @escaping @Sendable () async throws -> HandlerLink
  ) {
    self.send = send
    self.link = link
    let (events, queue) = AsyncStream.makeStream(
      of: Event.self,
      bufferingPolicy: .bufferingOldest(Self.mostWaiting)
    )
    self.queue = queue
    task.withLock { $0 = Task.detached { [weak self] in await self?.run(events) } }
  }

  /// Takes an event; nothing is waited for.
  func take(_ json: Data) {
    guard let event: Event = try? MessageValue(json: json).decoded() else {
      return tell(WireError("bad-argument", "the event is not one that a handler takes"))
    }
    if case .dropped = queue.yield(event) {
      tell(WireError("over-limit", "\(Self.mostWaiting) events wait already; this one is dropped"))
    }
  }

  /// A part of a message that was too long.
  func part(_ digest: String, at offset: Int) -> Part? { long.part(digest, at: offset) }

  /// Ends the session.
  public func end() async {
    queue.finish()
    let running = task.withLock { task in
      defer { task = nil }
      return task
    }
    running?.cancel()
    await running?.value
  }

  // MARK: The session

  /// An open session.
  private struct Session {
    let name: String
    let link: HandlerLink
  }

  private func run(_ events: AsyncStream<Event>) async {
    for await event in events where !Task.isCancelled {
      // Another try, since the service may have ended, or been started, since the last event.
      for isLast in [false, true] {
        do {
          let session = try await openSession(event)
          _ = try await session.link.events.call(
            SendEvent(session: session.name, event: event.content)
          )
          break
        } catch {
          let report = error as? ErrorReport ?? (error as? HostError)?.report
          let isGone = report.map(Self.isAboutSession) ?? true
          if isGone { await close() }
          guard isLast || !isGone else { continue }
          tell(WireError(any: error))
          break
        }
      }
    }
    await close()
  }

  /// Whether the session is no more, rather than the extension at fault.
  private static func isAboutSession(_ report: ErrorReport) -> Bool {
    HostError.Code(report) == .badArgument || report.code == 4097
      || report.domain == ErrorReport.runtimeDomain
  }

  /// The open session, or a new one.
  private func openSession(_ event: Event) async throws -> Session {
    if let session = session.withLock({ $0 }) { return session }
    let link = try await link()
    let name: String
    do {
      name = try await link.events.call(
        OpenSession(identifier: event.identifier, owner: event.owner)
      )
    } catch {
      await link.close()
      throw error
    }
    let new = Session(name: name, link: link)
    session.withLock { $0 = new }
    Task.detached { [weak self] in
      while let messages = try? await link.calls.call(NextFromHandler(session: name)) {
        for message in messages { self?.say(message) }
      }
      // At once, since this process may have been the service and has to make way.
      await self?.close(name)
    }
    return new
  }

  /// Closes the session, unless it is another one by now.
  private func close(_ name: String? = nil) async {
    let old: Session? = session.withLock { session in
      guard name == nil || session?.name == name else { return nil }
      defer { session = nil }
      return session
    }
    await old?.link.close()
  }

  // MARK: To the browser

  private func say(_ message: MessageValue) {
    let json = Data(message.json.utf8)
    guard json.count > MessageLimits.outgoing else { return send(json) }
    send(long.offer(json))
  }

  private func tell(_ error: WireError) { send(error.json) }
}

/// Messages that are too long for a browser, which requests them in parts.
private final class LongMessages: Sendable {
  /// The offer of a message, in its place.
  private struct Offer: Encodable {
    let type = "long"
    let digest: String
    let size: Int
  }

  private static let mostKept = 16
  private static let mostBytes = 64 << 20
  private let kept = Mutex<[(digest: String, json: Data)]>([])

  func offer(_ json: Data) -> Data {
    let digest = json.digest
    kept.withLock { kept in
      kept.removeAll { $0.digest == digest }
      kept.append((digest, json))
      while kept.count > 1,
        kept.count > Self.mostKept || kept.reduce(0, { $0 + $1.json.count }) > Self.mostBytes
      {
        kept.removeFirst()
      }
    }
    // Strings and numbers can always be encoded.
    return (try? Offer(digest: digest, size: json.count).json()) ?? Data()
  }

  func part(_ digest: String, at offset: Int) -> Part? {
    kept.withLock { kept in
      kept.first { $0.digest == digest }.flatMap { Part(of: $0.json, at: offset) }
    }
  }
}
