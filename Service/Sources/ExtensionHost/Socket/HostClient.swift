internal import CLibrary
internal import BlockingWork
public import ExtensionMessages
internal import Foundation
internal import Synchronization

/// A connection to the host of a running service, for sequential calls.
public final class HostClient: Sendable {
  private struct State {
    var lastID: Int64 = 0
    var frames = ExtensionFrames()
  }

  /// After how many milliseconds without an answer a call says so.
  private static let silence: Int32 = 10_000

  private let socket: Descriptor
  private let path: String
  private let onSilence: @Sendable () -> Void
  private let state = Mutex(State())

  /// Connects to the socket.
  ///
  /// - Parameters:
  ///   - path: The socket.
  ///   - onSilence: Called once for each call that has no answer for ten seconds, and goes on waiting.
  /// - Throws: An `ErrorReport` with `RuntimeFault.noHost` if no service runs.
  public init(
    socket path: String,
    onSilence: @escaping @Sendable () -> Void = {}
  ) throws(ErrorReport) {
    self.path = path
    self.onSilence = onSilence
    socket = Descriptor(try HostSocket.connect(to: path))
  }

  /// Ends the connection, and with it a call that waits.
  public func interrupt() { _ = shutdown(socket.number, Int32(SHUT_RDWR)) }

  /// Calls a function and waits for its result.
  ///
  /// - Throws: The host's error; `NSCocoaErrorDomain` 4097 if the host goes away.
  public func call<Call: HostFunction>(_ call: Call) async throws(ErrorReport) -> Call.Reply {
    let call = try HostCall(id: 0, call)
    return try Call.reply(try await self.call(call.function, call.arguments))
  }

  /// Calls a function by its name and waits for its outcome.
  ///
  /// - Throws: See ``call(_:)``.
  func call(
    _ function: HostCall.Function,
    _ arguments: [String: MessageValue] = [:]
  ) async throws(ErrorReport) -> MessageValue {
    try await blocking { () throws(ErrorReport) in
      let result: Result<MessageValue, ErrorReport> = self.state.withLock { state in
        do throws(ErrorReport) {
          return .success(try self.exchange(function, arguments, &state))
        } catch {
          return .failure(error)
        }
      }
      return try result.get()
    }
  }

  private func exchange(
    _ function: HostCall.Function,
    _ arguments: [String: MessageValue],
    _ state: inout State
  ) throws(ErrorReport) -> MessageValue {
    state.lastID += 1
    let call = HostCall(id: state.lastID, function: function, arguments: arguments)
    let body: [UInt8]
    do throws(ExtensionMessageError) {
      body = try MessageFromExtension.call(call).value.encoded()
    } catch {
      throw HostError(.badArgument, "the call cannot be sent: \(error)").report
    }
    do {
      try send(ExtensionFrames.frame(body))
      var event = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&event, 1, Self.silence) == 0 { onSilence() }
      while true {
        if let body = try next(&state.frames) {
          guard case .reply(let reply) = body, reply.id == call.id else { continue }
          return try reply.result.get()
        }
        let bytes = try socket.read(1 << 16, path: path)
        guard !bytes.isEmpty else { throw ErrorReport.interrupted("the host went away") }
        state.frames.append(bytes)
      }
    } catch let error as ErrorReport {
      throw error
    } catch let error as HostError {
      throw .interrupted("the host went away: \(error.message)")
    } catch {
      throw .internalError("\(error)")
    }
  }

  private func next(_ frames: inout ExtensionFrames) throws -> MessageToExtension? {
    guard let body = try frames.next() else { return nil }
    return try MessageToExtension(MessageValue(encoded: body))
  }

  private func send(_ frame: [UInt8]) throws(HostError) {
    var start = 0
    while start < frame.count {
      let count = unsafe frame[start...].withUnsafeBytes {
        #if canImport(Glibc)
        unsafe CLibrary.send(
          socket.number,
          $0.baseAddress,
          $0.count,
          Int32(MSG_NOSIGNAL)
        )
        #else
        unsafe CLibrary.send(socket.number, $0.baseAddress, $0.count, MSG_NOSIGNAL)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw HostError(.system, "\(path) cannot be written to: \(System.reason(errno))")
      }
      start += count
    }
  }
}
