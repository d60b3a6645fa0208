internal import RuleMatching

/// Which groups of four bytes lead to which filters.
///
/// The scanner looks at every `stride`-th place of a URL. A literal that is entered with `stride`
/// consecutive grams is met at one of them wherever it stands, so it must be `3 + stride` bytes
/// long. The larger the stride, the fewer places are looked at; the few literals that are too
/// short for it run on every URL instead.
///
/// Of the windows of a literal the one is taken whose grams are rarest: in URLs at large, by a
/// table of what most URLs contain, and in the list itself, so that no gram leads to many filters.
struct GramPlan {
  /// A gram and the filters that it leads to.
  struct Gram {
    var gram: UInt32
    var references: [(filter: Int, distance: Int)]
  }

  /// 0 when there is nothing to look for.
  private(set) var stride = 0
  /// log₂ of the number of bits in the gram filter.
  private(set) var filterBits = 6
  private(set) var grams: [Gram] = []
  /// Filters, by their place, that have no literal long enough.
  private(set) var unindexed: [Int] = []

  /// How many literals too short for a stride are worth a smaller one.
  ///
  /// Halving the stride costs each URL about as much as two filters that always run.
  private static let worthSmallerStride = 2
  /// Bits of the gram filter for each gram: about one place in thirty is looked up in vain.
  private static let bitsPerGram = 16
  /// 2¹⁸ bits are 32 KiB, a first-level data cache.
  private static let maximumFilterBits = 18

  /// The cost of a window that cannot be looked up; far from overflowing.
  private static let unusable = Int.max / 2

  /// A literal of so many bytes is looked up whatever the stride.
  static let longestWindow = FilterIndex.gramLength - 1 + 4

  /// Plans for filters with the given literals each.
  init(runs: [[LiteralRun]]) {
    let longest = runs.map { $0.map(\.text.count).max() ?? 0 }
    guard longest.contains(where: { $0 >= FilterIndex.gramLength }) else {
      unindexed = Array(runs.indices)
      return
    }
    stride = 4
    for candidate in [4, 2, 1] {
      stride = candidate
      let needed = FilterIndex.gramLength - 1 + candidate
      let short = longest.count { $0 < needed && $0 >= FilterIndex.gramLength }
      if short < Self.worthSmallerStride { break }
    }
    let window = FilterIndex.gramLength - 1 + stride
    var uses: [UInt32: Int] = [:]
    for filter in runs {
      for run in filter {
        for place in 0...(run.text.count - FilterIndex.gramLength) {
          Self.forEachGram(run, place) { uses[$0, default: 0] += 1 }
        }
      }
    }
    var numbers: [UInt32: Int] = [:]
    for (filter, filterRuns) in runs.enumerated() {
      guard let best = Self.rarestWindow(filterRuns, window, stride, uses) else {
        unindexed.append(filter)
        continue
      }
      for offset in 0..<stride {
        let distance = best.run.place + best.place + offset
        Self.forEachGram(best.run, best.place + offset) { gram in
          if let number = numbers[gram] {
            grams[number].references.append((filter, distance))
          } else {
            numbers[gram] = grams.count
            grams.append(Gram(gram: gram, references: [(filter, distance)]))
          }
        }
      }
    }
    if grams.isEmpty { stride = 0 }
    while filterBits < Self.maximumFilterBits, 1 << filterBits < grams.count * Self.bitsPerGram {
      filterBits += 1
    }
  }

  /// The gram filter's bytes.
  func filter() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (1 << filterBits) / 8)
    for gram in grams {
      let bit = FilterIndex.filterBit(gram: gram.gram, shift: UInt32(32 - filterBits))
      bytes[Int(bit >> 3)] |= 1 << UInt8(bit & 7)
    }
    return bytes
  }

  /// How many grams the alternatives at one place of a literal may make.
  private static let mostGrams = 32

  /// Calls a function with each gram that a literal may show at a place; with none when there
  /// would be too many.
  private static func forEachGram(_ run: LiteralRun, _ place: Int, _ body: (UInt32) -> Void) {
    if run.several.isEmpty {
      let text = run.text
      body(
        UInt32(text[place]) | UInt32(text[place + 1]) << 8 | UInt32(text[place + 2]) << 16
          | UInt32(text[place + 3]) << 24
      )
      return
    }
    var grams: [UInt32] = [0]
    for index in 0..<FilterIndex.gramLength {
      let characters = run.characters(at: place + index)
      guard grams.count * characters.count <= mostGrams else { return }
      grams = grams.flatMap { gram in
        characters.map { gram | UInt32($0) << UInt32(8 * index) }
      }
    }
    for gram in grams { body(gram) }
  }

  private static func rarestWindow(
    _ runs: [LiteralRun],
    _ window: Int,
    _ stride: Int,
    _ uses: [UInt32: Int]
  ) -> (run: LiteralRun, place: Int)? {
    var best: (run: LiteralRun, place: Int)?
    var bestCost = unusable
    for run in runs where run.text.count >= window {
      for place in 0...(run.text.count - window) {
        var cost = 0
        for offset in 0..<stride {
          var count = 0
          forEachGram(run, place + offset) { gram in
            count += 1
            cost += (uses[gram] ?? 0) + (GramFrequency.isCommon(gram) ? 1_000 : 0)
          }
          // A window with a place that cannot be looked up is of no use.
          if count == 0 { cost = unusable }
          if cost >= bestCost { break }
        }
        if cost < bestCost {
          bestCost = cost
          best = (run, place)
        }
      }
    }
    return best
  }
}
