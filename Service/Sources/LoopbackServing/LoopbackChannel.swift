public import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

extension HTTPServerBuilder {
  /// Creates HTTP/1 with limits on connections, for a server that may be cancelled at any time.
  public static func loopback(_ limits: ConnectionLimits) -> HTTPServerBuilder {
    HTTPServerBuilder { responder in
      LoopbackChannel(
        http: HTTP1Channel(
          responder: { request, writer, channel in
            // A connection whose next request is there already does not wait for it, so that a few that send
            // without end would keep all threads, and no other one would be answered.
            await Task.yield()
            try await responder(request, writer, channel)
          },
          // Without limits anybody on the machine could use up all descriptors without sending a
          // request.
          configuration: .init(additionalChannelHandlers: [limits.handler()])
        )
      )
    }
  }
}

/// HTTP/1 that can drop connections without serving them, because the server has ended.
///
/// NIO traps when an asynchronous channel is dropped that was never run, and a cancelled server
/// drops those that it has accepted but not yet served.
struct LoopbackChannel: ServerChildChannel {
  /// A connection that is closed properly when it is dropped.
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
    http.setup(channel: channel, logger: logger).flatMapThrowing { stream in
      let connection = Connection(stream)
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(AddressCheck(), position: .after(decoder))
      return connection
    }
  }

  func handle(value: Connection, logger: Logger) async {
    value.setServed()
    await http.handle(value: value.stream, logger: logger)
  }
}
