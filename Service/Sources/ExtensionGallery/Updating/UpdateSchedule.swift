public import Foundation

/// When updates are looked for.
public struct UpdateSchedule: Equatable, Sendable, Codable {
  /// Seconds between two looks that went well.
  public static let interval: TimeInterval = 12 * 3600
  /// Seconds after the first look that failed; doubled with each further one, up to the interval.
  public static let firstRetry: TimeInterval = 300
  /// The part of a time by which it is drawn earlier or later, so that not all users ask at once.
  public static let jitter = 0.1

  /// When to look again; nil before the first time.
  public private(set) var next: Date?
  /// The last time that all went well.
  public private(set) var lastSuccess: Date?
  /// How many looks in a row have failed.
  public private(set) var failures = 0

  /// Begins with a look at once.
  public init() {}

  /// Whether it is time.
  ///
  /// A clock that was set back by more than an interval does not hold it up.
  public func isDue(_ now: Date) -> Bool {
    guard let next else { return true }
    return next <= now || next > now.addingTimeInterval(Self.interval * (1 + Self.jitter) + 1)
  }

  /// Notes how a look went, and draws the next time with a number from 0 up to but not including 1.
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
