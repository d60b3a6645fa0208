public import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Synchronization

extension HTTPServerBuilder {
  /// HTTP/1 with limits for connections, in a server that may be cancelled at any time.
  public static func loopback(_ limits: ConnectionLimits) -> HTTPServerBuilder {
    HTTPServerBuilder { responder in
      LoopbackChannel(
        http: HTTP1Channel(
          responder: responder,
          // Whoever may connect could otherwise use up all descriptors without asking for anything.
          configuration: .init(additionalChannelHandlers: [limits.handler()])
        )
      )
    }
  }
}

/// HTTP/1 for connections of which some may never be served, because the server ends before.
///
/// NIO ends the process when an asynchronous channel is dropped that nobody ran, and a server that is
/// cancelled drops those that it has accepted and not taken yet.
struct LoopbackChannel: ServerChildChannel {
  /// A connection that closes in order when it is dropped.
  final class Connection: ServerChildChannelValue {
    fileprivate let stream: HTTP1Channel.Value
    private let isServed = Mutex(false)

    var channel: any Channel { stream.channel }

    fileprivate init(_ stream: HTTP1Channel.Value) { self.stream = stream }

    fileprivate func setServed() { isServed.withLock { $0 = true } }

    deinit {
      guard !isServed.withLock({ $0 }) else { return }
      Task { [stream] in try? await stream.executeThenClose { _, _ in } }
    }
  }

  let http: HTTP1Channel

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connection> {
    http.setup(channel: channel, logger: logger).map { Connection($0) }
  }

  func handle(value: Connection, logger: Logger) async {
    value.setServed()
    await http.handle(value: value.stream, logger: logger)
  }
}
