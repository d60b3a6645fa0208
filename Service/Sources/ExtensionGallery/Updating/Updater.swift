public import Foundation

/// Checks for updates automatically, as long as the service runs.
public struct Updater: Sendable {
  private let installer: ExtensionInstaller
  private let now: @Sendable () -> Date
  private let random: @Sendable () -> Double

  /// Creates an updater.
  ///
  /// - Parameters:
  ///   - installer: Performs the updates.
  ///   - now: The clock.
  ///   - random: Returns random numbers in 0..<1.
  public init(
    installer: ExtensionInstaller,
    now: @escaping @Sendable () -> Date = { Date() },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.installer = installer
    self.now = now
    self.random = random
  }

  /// Checks for updates if a check is due, and schedules the next.
  ///
  /// Updates that request more than the installed version wait for the user.
  ///
  /// - Returns: The results; nil if no check is due.
  /// - Throws: Errors in reading or writing the state, and cancellation.
  public func runIfDue() async throws -> [UpdateResult]? {
    guard try installer.file.read().schedule.isDue(now()) else { return nil }
    var failure: (any Error)?
    var results: [UpdateResult] = []
    do {
      results = try await installer.update()
    } catch let error as CancellationError {
      throw error
    } catch {
      failure = error
    }
    let isSuccess = failure == nil && !results.contains(where: \.isFailure)
    let (time, number) = (now(), random())
    try await installer.file.locked { state in
      state.schedule.note(success: isSuccess, now: time, random: number)
      try installer.file.write(state)
    }
    if let failure { throw failure }
    return results
  }

  /// Runs until its task is cancelled.
  ///
  /// - Parameters:
  ///   - pause: How often to see whether a check is due; short compared to the interval, since time
  ///     asleep does not count.
  ///   - report: Called with each check's results or error.
  public func run(
    pause: Duration = .seconds(300),
    report: @Sendable (Result<[UpdateResult], any Error>) async -> Void
  ) async {
    while !Task.isCancelled {
      do {
        if let results = try await runIfDue() { await report(.success(results)) }
      } catch is CancellationError {
        return
      } catch {
        await report(.failure(error))
      }
      do { try await Task.sleep(for: pause) } catch { return }
    }
  }
}
