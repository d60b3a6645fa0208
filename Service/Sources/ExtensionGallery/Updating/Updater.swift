public import Foundation

/// Looks for updates by itself, for as long as the service runs.
public struct Updater: Sendable {
  private let installer: ExtensionInstaller
  private let now: @Sendable () -> Date
  private let random: @Sendable () -> Double

  /// Takes what it works with.
  ///
  /// - Parameters:
  ///   - installer: What installs.
  ///   - now: The clock.
  ///   - random: Numbers from 0 up to but not including 1.
  public init(
    installer: ExtensionInstaller,
    now: @escaping @Sendable () -> Date = { Date() },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.installer = installer
    self.now = now
    self.random = random
  }

  /// Looks for updates if it is time, and notes when the next time is.
  ///
  /// Updates that ask for more than the version before wait for the user.
  ///
  /// - Returns: The outcome; nil where it is not time yet.
  /// - Throws: What keeps the state from being read or written, and cancellation.
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

  /// Goes on until its task is cancelled.
  ///
  /// - Parameters:
  ///   - pause: How often it is asked whether it is time; short beside the interval, since a
  ///     machine that slept does not count the time.
  ///   - report: Gets each look's results, or what kept it from being done.
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
