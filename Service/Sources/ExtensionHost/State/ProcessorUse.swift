/// The recent processor time of an extension's processes.
struct ProcessorUse: Sendable {
  private var minutes: [(minute: Int64, seconds: Double)] = []

  private static let span: Int64 = 60
  private static let minute: Int64 = 60_000

  /// Adds the processor time of one process.
  ///
  /// - Parameters:
  ///   - seconds: Its processor time.
  ///   - now: The time of a monotonic clock, in milliseconds.
  mutating func add(_ seconds: Double, at now: Int64) {
    let minute = now / Self.minute
    // One entry a minute bounds the memory for many short processes.
    minutes.removeAll { $0.minute <= minute - Self.span }
    if minutes.last?.minute == minute {
      minutes[minutes.count - 1].seconds += seconds
    } else {
      minutes.append((minute, seconds))
    }
  }

  /// Returns how many milliseconds it takes until the use within an hour is below a limit; nil if
  /// it is now.
  func wait(until limit: Double, at now: Int64) -> Int64? {
    let minute = now / Self.minute
    let counted = minutes.filter { $0.minute > minute - Self.span }
    var sum = counted.reduce(0) { $0 + $1.seconds }
    guard sum >= limit else { return nil }
    for part in counted {
      sum -= part.seconds
      if sum < limit { return (part.minute + Self.span) * Self.minute - now }
    }
    return Self.span * Self.minute
  }
}
