/// The processor time that an extension's processes took lately.
struct ProcessorUse: Sendable {
  private var minutes: [(minute: Int64, seconds: Double)] = []

  private static let span: Int64 = 60
  private static let minute: Int64 = 60_000

  /// Counts what one process took.
  ///
  /// - Parameters:
  ///   - seconds: Its processor time.
  ///   - now: Milliseconds of a clock that nobody sets.
  mutating func add(_ seconds: Double, at now: Int64) {
    let minute = now / Self.minute
    // One entry a minute, so that many short processes take no memory.
    minutes.removeAll { $0.minute <= minute - Self.span }
    if minutes.last?.minute == minute {
      minutes[minutes.count - 1].seconds += seconds
    } else {
      minutes.append((minute, seconds))
    }
  }

  /// How many milliseconds it takes until less than a limit was used within an hour; nil if that is
  /// so now.
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
