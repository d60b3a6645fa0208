/// The middle and the tail of a set of figures.
public struct Distribution: Codable, Equatable, Sendable {
  /// Half of the figures are at most this.
  public var p50: Double
  /// 90 of 100 figures are at most this.
  public var p90: Double
  /// 99 of 100 figures are at most this.
  public var p99: Double
  /// The largest figure.
  public var max: Double

  /// Sums figures up; all zero when there are none.
  public init(_ figures: [Double]) {
    let sorted = figures.sorted()
    func quantile(_ share: Double) -> Double {
      guard !sorted.isEmpty else { return 0 }
      // The nearest rank: the smallest figure that at least this share of the figures reaches.
      let rank = Int((share * Double(sorted.count)).rounded(.up))
      return sorted[Swift.max(0, rank - 1)]
    }
    p50 = quantile(0.5)
    p90 = quantile(0.9)
    p99 = quantile(0.99)
    max = sorted.last ?? 0
  }

  /// The median of figures; zero without any.
  public static func median(_ figures: [Double]) -> Double {
    guard !figures.isEmpty else { return 0 }
    let sorted = figures.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
