import HTTPTypes
import HostTestSupport
import Hummingbird
import Logging
import NIOCore

/// A server on loopback that answers as a test says, for as long as a body runs.
enum TestServer {
  typealias Answer = @Sendable (Request) async throws -> Response

  /// Runs a body that is told the server's address, such as `http://127.0.0.1:4711`.
  static func serve<Value: Sendable>(
    _ answer: @escaping Answer,
    _ body: @escaping @Sendable (String) async throws -> Value
  ) async throws -> Value {
    let (ports, continuation) = AsyncStream<Int>.makeStream()
    let router = Router()
    for path in ["/", "**"] as [RouterPath] {
      router.get(path) { request, _ in try await answer(request) }
    }
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let application = Application(
      router: router,
      configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
      logger: logger
    )
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask(executorPreference: ServerExecutor()) {
        try await application.runService(gracefulShutdownSignals: [])
        return nil
      }
      group.addTask {
        for await port in ports { return try await body("http://127.0.0.1:\(port)") }
        return nil
      }
      defer { group.cancelAll() }
      while let value = try await group.next() {
        if let value { return value }
      }
      throw MissingValue()
    }
  }

  static func text(_ text: String, _ headers: HTTPFields = [:]) -> Response {
    Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
  }
}
