import Measuring
import Testing

@Suite("Measuring")
struct MeasuringTests {
  @Test(
    "quantiles are figures that as many reach",
    arguments: [
      ([], 0, 0, 0), ([5], 5, 5, 5), ([3, 1, 2, 4], 2, 4, 4),
      ((1...100).map { Double($0) }, 50, 99, 100),
    ] as [([Double], Double, Double, Double)]
  )
  func quantiles(figures: [Double], p50: Double, p99: Double, max: Double) {
    let distribution = Distribution(figures)
    #expect(distribution.p50 == p50)
    #expect(distribution.p99 == p99)
    #expect(distribution.max == max)
  }

  @Test("the median of an even number lies between the middle two")
  func medians() {
    #expect(Distribution.median([4, 1, 3, 2]) == 2.5)
    #expect(Distribution.median([3, 1, 2]) == 2)
  }

  @Test("an array that is made is an allocation, a sum is none")
  func allocations() {
    var made: [Int] = []
    var sum = 0
    #expect(Counting.allocations { made = Array(repeating: sum, count: 1_000) } >= 1)
    #expect(Counting.allocations { sum &+= 1 } == 0)
    #expect(made.count == 1_000)
  }

  @Test("processor time grows with work, and memory with what is held")
  func clocksAndMemory() throws {
    let time = Clock.threadCPU { #expect(fingerprint(repeatElement(1, count: 1_000_000)) != 0) }
    #expect(time > 100_000)
    try #require(ProcessMemory.resetPeak())
    let before = ProcessMemory.peak
    let held = [UInt8](repeating: 1, count: 64 << 20)
    #expect(ProcessMemory.peak > before + 32 << 20)
    withExtendedLifetime(held) {}
  }
}
