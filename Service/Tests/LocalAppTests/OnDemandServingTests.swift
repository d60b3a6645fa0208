import Foundation
import Synchronization
import Testing

@testable import LocalApp

@Suite("Serving on demand")
struct OnDemandServingTests {
  /// A server that can be ended from outside, and counts how often it was started.
  private final class Server: Sendable {
    private let state = Mutex<(starts: Int, stops: [CheckedContinuation<Void, any Error>])>((0, []))
    var starts: Int { state.withLock { $0.starts } }

    func run(_ onStart: @Sendable (URL) async -> Void) async throws {
      let number = state.withLock { state in
        state.starts += 1
        return state.starts
      }
      await onStart(URL(filePath: "/\(number)"))
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { stop in
          state.withLock { $0.stops.append(stop) }
          if Task.isCancelled { self.stop(CancellationError()) }
        }
      } onCancel: {
        stop(CancellationError())
      }
    }

    func stop(_ error: (any Error)? = nil) {
      let stops = state.withLock { state in
        defer { state.stops = [] }
        return state.stops
      }
      for stop in stops { error.map { stop.resume(throwing: $0) } ?? stop.resume() }
    }

    /// Waits until the server serves, so that it can be ended.
    func waitForStart() async throws {
      while state.withLock({ $0.stops.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  private struct Broken: Error {}

  @Test("one server for all who ask, and another after it has ended", arguments: [true, false])
  func restarts(isFailure: Bool) async throws {
    let server = Server()
    let serving = OnDemandServing { { try await server.run($0) } }
    #expect(server.starts == 0)
    async let one = serving.address()
    async let two = serving.address()
    #expect(try await [one, two].map(\.path) == ["/1", "/1"])
    try await server.waitForStart()
    server.stop(isFailure ? Broken() : nil)
    // Its end is noticed soon, without anybody asking.
    var path = "/1"
    for _ in 0..<1000 where path == "/1" {
      try await Task.sleep(for: .milliseconds(1))
      path = try await serving.address().path
    }
    #expect(path == "/2" && server.starts == 2)
    await serving.end()
    #expect(try await serving.address().path == "/3")
    await serving.end()
  }

  @Test("a start that failed is tried again by the next who asks")
  func failedStart() async throws {
    let tries = Mutex(0)
    let server = Server()
    let serving = OnDemandServing {
      let number = tries.withLock { tries in
        tries += 1
        return tries
      }
      if number == 1 { throw Broken() }
      return { try await server.run($0) }
    }
    await #expect(throws: Broken.self) { try await serving.address() }
    #expect(try await serving.address().path == "/1")
    await serving.end()
    await serving.end()
  }
}
