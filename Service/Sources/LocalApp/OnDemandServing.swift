public import Foundation

/// Something that serves on an address: started when it is asked for, and again after it has ended.
public actor OnDemandServing {
  /// Serves until it is cancelled; calls its argument with the address as soon as somebody can connect.
  public typealias Run =
    @Sendable (_ onStart: @escaping @Sendable (URL) async -> Void) async throws -> Void

  private struct Running {
    let number: Int
    let serving: Task<Void, any Error>
    let address: Task<URL, any Error>
  }

  private let make: @Sendable () async throws -> Run
  /// What is starting or serving; nil if nothing is.
  private var running: Running?
  private var number = 0

  /// Creates a value that serves nothing yet.
  ///
  /// - Parameter make: Opens what is served, once for each start.
  public init(_ make: @escaping @Sendable () async throws -> Run) { self.make = make }

  /// Returns the address of what serves, which is started if nothing does.
  ///
  /// - Throws: Errors of the start; the next call tries again.
  public func address() async throws -> URL {
    let now = running ?? start()
    do {
      return try await now.address.value
    } catch {
      forget(now.number)
      throw error
    }
  }

  /// Ends what serves.
  public func end() async {
    guard let now = running else { return }
    now.serving.cancel()
    _ = await now.serving.result
    forget(now.number)
  }

  private func start() -> Running {
    number += 1
    let number = number
    let (addresses, address) = AsyncThrowingStream<URL, any Error>.makeStream()
    let serving = Task { [make] in
      do {
        try await make()({ address.yield($0) })
        // An address of nothing must not be given to the next who asks.
        forget(number)
        address.finish()
      } catch {
        forget(number)
        address.finish(throwing: error)
        throw error
      }
    }
    let first = Task {
      for try await address in addresses { return address }
      throw CancellationError()
    }
    let now = Running(number: number, serving: serving, address: first)
    running = now
    return now
  }

  /// Forgets what has ended, unless another was started meanwhile.
  private func forget(_ number: Int) {
    if running?.number == number { running = nil }
  }
}
