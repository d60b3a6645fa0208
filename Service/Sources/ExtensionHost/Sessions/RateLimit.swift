/// Lets a number of things pass at once, and then so many each second.
struct RateLimit: Sendable {
  private let burst: Double
  private let perSecond: Double
  private var left: Double
  private var last: Int64

  init(burst: Int, perSecond: Double) {
    self.burst = Double(burst)
    self.perSecond = perSecond
    left = Double(burst)
    last = System.milliseconds
  }

  /// Whether so many more may pass now; if so, they count.
  mutating func allows(_ count: Int = 1, at now: Int64 = System.milliseconds) -> Bool {
    left = min(burst, left + Double(max(now - last, 0)) / 1000 * perSecond)
    last = now
    guard left >= Double(count) else { return false }
    left -= Double(count)
    return true
  }
}
