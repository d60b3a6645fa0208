/// Percentiles of a set of numbers.
public struct Distribution: Codable, Equatable, Sendable {
  /// The median.
  public var p50: Double
  /// The 90th percentile.
  public var p90: Double
  /// The 99th percentile.
  public var p99: Double
  /// The maximum.
  public var max: Double

  /// Summarises numbers; all zero if there are none.
  public init(_ figures: [Double]) {
    let sorted = figures.sorted()
    func quantile(_ share: Double) -> Double {
      guard !sorted.isEmpty else { return 0 }
      // The nearest rank: the smallest number that at least this share of the numbers does not
      // exceed.
      let rank = Int((share * Double(sorted.count)).rounded(.up))
      return sorted[Swift.max(0, rank - 1)]
    }
    p50 = quantile(0.5)
    p90 = quantile(0.9)
    p99 = quantile(0.99)
    max = sorted.last ?? 0
  }

  /// Returns the median of numbers; zero without any.
  public static func median(_ figures: [Double]) -> Double {
    guard !figures.isEmpty else { return 0 }
    let sorted = figures.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
