public import Foundation

/// Schedules the next fetch of a feed.
public enum RefreshPolicy {
  /// Seconds between successful fetches, unless the feed or server asks for more.
  public static let interval = 30.0 * 60
  /// The cap on the interval that a feed or server may ask for.
  public static let longestInterval = 24.0 * 3600
  /// The backoff after the first failure, in seconds.
  public static let firstDelay = 5.0 * 60
  /// The cap on the backoff, in seconds, before jitter.
  public static let longestDelay = 24.0 * 3600
  /// The jitter: the largest fraction of itself by which a delay is lengthened.
  public static let spread = 0.25
  /// How far ahead of the clock a past try may be, in seconds, before the clock counts as set back.
  static let clockTolerance = 3_600.0
  /// The cap on `Retry-After`, in seconds.
  public static let longestRetryAfter = 7.0 * 24 * 3600

  /// Returns the time of the next fetch after a success.
  public static func next(after now: Date, minutesToLive: Int?, maximumAge: Double?) -> Date {
    let wish = max(minutesToLive.map { Double($0) * 60 } ?? 0, maximumAge ?? 0)
    return now.addingTimeInterval(max(interval, min(wish, longestInterval)))
  }

  /// Returns the time of the next fetch after a failure: exponential backoff with jitter.
  ///
  /// The delay doubles from ``firstDelay`` to ``longestDelay``. The jitter, at most ``spread``, is
  /// derived from the feed's address and the number of failures, so that feeds of one server that
  /// failed together do not return together. `Retry-After` can lengthen the delay, never shorten
  /// it.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - failures: The consecutive failures, including this one; at least 1.
  ///   - retryAfter: The seconds that the server asked for.
  ///   - address: The feed's address.
  /// - Returns: The time before which the feed is not due.
  public static func next(
    after now: Date,
    failures: Int,
    retryAfter: Double?,
    address: String
  ) -> Date {
    let doublings = min(max(failures - 1, 0), 20)
    let delay = min(firstDelay * Double(1 << doublings), longestDelay)
    // FNV-1a; any hash that is stable across processes would do.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(address)#\(failures)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let part = Double(hash >> 11) / Double(1 << 53)
    let spreadDelay = delay * (1 + spread * part)
    return now.addingTimeInterval(max(spreadDelay, min(retryAfter ?? 0, longestRetryAfter)))
  }
}
