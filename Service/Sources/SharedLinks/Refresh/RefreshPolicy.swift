public import Foundation

/// When a feed is fetched next.
public enum RefreshPolicy {
  /// Seconds between fetches that go well, unless the feed or server wishes for more.
  public static let interval = 30.0 * 60
  /// The longest that a feed's or server's wish for rare fetches is heard.
  public static let longestInterval = 24.0 * 3600
  /// Seconds after the first failure.
  public static let firstDelay = 5.0 * 60
  /// The most seconds after many failures, before they are spread.
  public static let longestDelay = 24.0 * 3600
  /// By what part of itself a delay is lengthened at most.
  public static let spread = 0.25
  /// The longest `Retry-After` that is heard.
  public static let longestRetryAfter = 7.0 * 24 * 3600

  /// The time of the next fetch after one that went well.
  public static func next(after now: Date, minutesToLive: Int?, maximumAge: Double?) -> Date {
    let wish = max(minutesToLive.map { Double($0) * 60 } ?? 0, maximumAge ?? 0)
    return now.addingTimeInterval(max(interval, min(wish, longestInterval)))
  }

  /// The time of the next fetch after failures.
  ///
  /// The delay doubles from ``firstDelay`` to ``longestDelay``, and is lengthened by up to a quarter:
  /// by how much follows from the feed's address and the number of failures alone, so that feeds of
  /// one server that failed together do not come back together. `Retry-After` lengthens it and never
  /// shortens it.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - failures: How many fetches have failed in a row, this one included; at least 1.
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
    // FNV-1a: any hash that is the same in every process will do.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(address)#\(failures)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let part = Double(hash >> 11) / Double(1 << 53)
    let spreadDelay = delay * (1 + spread * part)
    return now.addingTimeInterval(max(spreadDelay, min(retryAfter ?? 0, longestRetryAfter)))
  }
}
