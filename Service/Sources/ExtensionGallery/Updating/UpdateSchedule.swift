public import Foundation

/// Schedules checks for updates.
public struct UpdateSchedule: Equatable, Sendable, Codable {
  /// Seconds between successful checks.
  public static let interval: TimeInterval = 12 * 3600
  /// The backoff after the first failed check, in seconds; it doubles with each further failure, up
  /// to the interval.
  public static let firstRetry: TimeInterval = 300
  /// The jitter: the fraction of the delay by which it is randomly changed, so that not all users
  /// check at once.
  public static let jitter = 0.1

  /// When to check next; nil before the first check.
  public private(set) var next: Date?
  /// When a check last succeeded completely.
  public private(set) var lastSuccess: Date?
  /// The number of consecutive failures.
  public private(set) var failures = 0

  /// Creates a schedule whose first check is due immediately.
  public init() {}

  /// Returns whether a check is due.
  ///
  /// A clock that was set back by more than an interval does not delay it.
  public func isDue(_ now: Date) -> Bool {
    guard let next else { return true }
    return next <= now || next > now.addingTimeInterval(Self.interval * (1 + Self.jitter) + 1)
  }

  /// Records the result of a check, and schedules the next, with a random number in 0..<1.
  public mutating func note(success: Bool, now: Date, random: Double) {
    failures = success ? 0 : min(failures + 1, 1000)
    if success { lastSuccess = now }
    let pause =
      success
      ? Self.interval
      : min(Self.interval, Self.firstRetry * pow(2, Double(min(failures, 30) - 1)))
    next = now.addingTimeInterval(pause * (1 + Self.jitter * (2 * random - 1)))
  }
}
