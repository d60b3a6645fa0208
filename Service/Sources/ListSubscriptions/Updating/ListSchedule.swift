public import Foundation

/// Schedules the next update of a list.
public enum ListSchedule {
  /// Seconds between updates of a list whose author says nothing.
  public static let interval = 4.0 * 86_400
  /// The shortest and the longest interval that an author may ask for, in seconds.
  public static let bounds = 3_600.0...(30 * 86_400.0)
  /// Seconds between looks at a list that is a file of this machine.
  public static let fileInterval = 60.0
  /// The delay after the first failure, in seconds; it doubles with each further one.
  public static let firstDelay = 15.0 * 60
  /// The longest delay after failures, in seconds, before jitter.
  public static let longestDelay = 86_400.0
  /// The jitter: the largest fraction of itself by which a time is lengthened.
  public static let spread = 0.1
  /// The longest `Retry-After` that is respected, in seconds.
  public static let longestRetryAfter = 7 * 86_400.0

  /// How far ahead of the clock a past try may be, in seconds, before the clock counts as set back.
  static let clockTolerance = 3_600.0

  /// Returns whether a time has come.
  ///
  /// A clock that was ahead once may have scheduled it years away: who was tried in the future is due.
  ///
  /// - Parameters:
  ///   - next: The time; nil for at once.
  ///   - tried: When it was tried last.
  ///   - now: The current time.
  /// - Returns: Whether it has come.
  static func hasCome(_ next: Date?, tried: Date?, now: Date) -> Bool {
    guard let next, next > now else { return true }
    return tried.map { $0 > now.addingTimeInterval(clockTolerance) } ?? false
  }

  /// Returns the time of the next update after a success.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - expires: The seconds that the author asks for.
  ///   - id: The list's id, from which the jitter follows.
  /// - Returns: A time within ``bounds``, lengthened by the jitter.
  public static func next(after now: Date, expires: Double?, id: String) -> Date {
    let wish = expires ?? interval
    let seconds = min(max(wish.isFinite ? wish : interval, bounds.lowerBound), bounds.upperBound)
    return now.addingTimeInterval(seconds * (1 + spread * fraction(id, 0)))
  }

  /// Returns the time of the next try after failures.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - failures: The consecutive failures, including this one; at least 1.
  ///   - retryAfter: The seconds that a server asked for.
  ///   - id: The list's id, from which the jitter follows.
  /// - Returns: The time before which the list is not due.
  public static func next(
    after now: Date,
    failures: Int,
    retryAfter: Double?,
    id: String
  ) -> Date {
    let doublings = min(max(failures - 1, 0), 20)
    let delay = min(firstDelay * Double(1 << doublings), longestDelay)
    let spreadDelay = delay * (1 + spread * fraction(id, failures))
    return now.addingTimeInterval(max(spreadDelay, min(retryAfter ?? 0, longestRetryAfter)))
  }

  /// Returns a number in 0..<1 that is the same in all processes.
  private static func fraction(_ id: String, _ number: Int) -> Double {
    // FNV-1a; any hash that is stable across processes would do.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(id)#\(number)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // The high bits of a short text's hash hardly differ.
    hash ^= hash >> 33
    hash = hash &* 0xFF51_AFD7_ED55_8CCD
    hash ^= hash >> 33
    return Double(hash >> 11) / Double(1 << 53)
  }
}
