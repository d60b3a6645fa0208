internal import CLibrary
internal import BlockingWork
internal import ExtensionMessages
public import Foundation
internal import Synchronization

/// Serves the host's socket.
///
/// Each client has its own thread, so that one that is slow, or sends garbage, delays nobody. The
/// socket is in a folder that only the user can enter, and clients of other users are also rejected
/// explicitly.
public final class HostServer: Sendable {
  private let host: AppExtensionHost
  private let path: String
  private let listener: Descriptor
  private let wakeUp: WakeUp
  private let clients = Mutex<[Int: ClientConnection]>([:])
  private let isStopping = Mutex(false)

  /// Listens at a path.
  ///
  /// The host's lock proves that no other service runs, so an existing socket was left by one that
  /// was killed, and is replaced.
  ///
  /// - Throws: ``HostError`` with code `.file` or `.system`.
  public init(_ host: AppExtensionHost, socket: URL) throws(HostError) {
    self.host = host
    path = socket.path
    wakeUp = try WakeUp()
    let folder = try Folder(making: socket.deletingLastPathComponent().path)
    try folder.makePrivate()
    let name = socket.lastPathComponent
    guard try folder.kind(of: name) != .folder else {
      throw HostError(.file, "\(path) is a folder; remove it")
    }
    try folder.removeFile(name)
    do throws(ErrorReport) {
      listener = Descriptor(try HostSocket.listen(at: path))
    } catch {
      throw HostError(.system, error.description)
    }
    unsafe chmod(path, 0o600)
  }

  /// Serves clients until ``stop()`` is called.
  public func run() async {
    await blocking { self.acceptClients() }
    for client in clients.withLock({ Array($0.values) }) { client.stop() }
    unsafe unlink(path)
  }

  /// Ends ``run()``; may be called from any thread.
  public func stop() {
    isStopping.withLock { $0 = true }
    wakeUp.wake()
  }

  private func acceptClients() {
    var number = 0
    while !isStopping.withLock({ $0 }) {
      let interests = [(listener.number, Int16(POLLIN)), (wakeUp.descriptor, Int16(POLLIN))]
      guard poll(interests, milliseconds: nil)[0] != 0 else { continue }
      let descriptor = accept(listener.number, nil, nil)
      guard descriptor >= 0 else {
        // Without a free descriptor the client stays in the backlog.
        if errno == EMFILE || errno == ENFILE || errno == ENOMEM { usleep(100_000) }
        continue
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let socket = Descriptor(descriptor)
      guard HostSocket.isOwn(descriptor),
        clients.withLock({ $0.count }) < host.configuration.clients,
        let connection = try? ClientConnection(socket, to: host)
      else { continue }
      number += 1
      let key = number
      clients.withLock { $0[key] = connection }
      Task.detached { [self] in
        await blocking { connection.run() }
        clients.withLock { $0[key] = nil }
      }
    }
  }
}

/// One client of the socket.
private final class ClientConnection: Sendable {
  private struct Shared {
    var replies: [[UInt8]] = []
    var tasks: [Int: Task<Void, Never>] = [:]
    var isStopping = false
  }

  /// A larger message could not contain a list that compiles.
  private static let limits = ExtensionMessageLimits(bytes: 64 << 20)
  private static let mostCalls = 64
  private static let mostBacklog = 64 << 20
  /// The timeout for the rest of a message, and for the client to read a reply, in milliseconds.
  private static let patience: Int64 = 60_000

  private let socket: Descriptor
  private let host: AppExtensionHost
  private let wakeUp: WakeUp
  private let shared = Mutex(Shared())

  init(_ socket: Descriptor, to host: AppExtensionHost) throws {
    self.socket = socket
    self.host = host
    wakeUp = try WakeUp()
  }

  func stop() {
    shared.withLock { $0.isStopping = true }
    wakeUp.wake()
  }

  /// Serves the client until it disconnects or breaks a rule.
  func run() {
    defer {
      let tasks = shared.withLock { shared in
        shared.isStopping = true
        return shared.tasks.values.map { $0 }
      }
      for task in tasks { task.cancel() }
      // Calls in progress keep the socket open.
      shutdown(socket.number, Int32(SHUT_RDWR))
    }
    var stream = FramedStream(socket, limits: Self.limits)
    var lastProgress = System.milliseconds
    var number = 0
    while true {
      let (replies, isStopping) = shared.withLock { shared in
        defer { shared.replies = [] }
        return (shared.replies, shared.isStopping)
      }
      if isStopping { return }
      for reply in replies { stream.enqueue(reply) }
      guard stream.backlog <= Self.mostBacklog else { return }
      let isWaiting = stream.isInsideFrame || stream.backlog > 0
      if !isWaiting { lastProgress = System.milliseconds }
      let ready = poll(
        [(socket.number, stream.events), (wakeUp.descriptor, Int16(POLLIN))],
        milliseconds: isWaiting ? lastProgress + Self.patience - System.milliseconds : nil
      )
      if ready[1] != 0 { wakeUp.clear() }
      if ready[0] != 0 { lastProgress = System.milliseconds }
      if isWaiting, System.milliseconds - lastProgress >= Self.patience { return }
      if ready[0] & Int16(POLLOUT) != 0, !stream.send() { return }
      guard ready[0] & ~Int16(POLLOUT) != 0 else { continue }
      guard stream.receive() else { return }
      do throws(ExtensionMessageError) {
        while let body = try stream.next() {
          let value = try MessageValue(encoded: body, limits: Self.limits)
          guard case .call(let call) = try MessageFromExtension(value) else { return }
          number += 1
          guard begin(call, number) else { return }
        }
      } catch {
        return
      }
    }
  }

  /// Answers a call in a task of its own, so that a slow one does not delay the next.
  private func begin(_ call: HostCall, _ number: Int) -> Bool {
    shared.withLock { shared in
      guard shared.tasks.count < Self.mostCalls else { return false }
      shared.tasks[number] = Task.detached { [self] in
        let result = await host.reply(to: call)
        let frame = Self.frame(HostReply(id: call.id, result: result))
        self.shared.withLock { shared in
          shared.tasks[number] = nil
          shared.replies.append(frame)
        }
        wakeUp.wake()
      }
      return true
    }
  }

  private static func frame(_ reply: HostReply) -> [UInt8] {
    if let body = try? MessageToExtension.reply(reply).value.encoded(limits: limits) {
      return ExtensionFrames.frame(body)
    }
    let error = HostReply(
      id: reply.id,
      result: .failure(.internalError("the reply is too large to be sent"))
    )
    return (try? MessageToExtension.reply(error).value.encoded()).map(ExtensionFrames.frame) ?? []
  }
}
