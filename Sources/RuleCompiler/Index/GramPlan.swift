internal import RuleMatching

/// Which groups of four bytes lead to which filters.
///
/// The scanner looks at every `stride`-th place of a URL. A literal that is entered with `stride`
/// consecutive grams is met at one of them wherever it stands. A literal shorter than
/// `3 + stride` bytes is entered with grams that reach one byte beyond it, once for each byte that
/// may stand there. The larger the stride, the fewer places are looked at, and the more grams there
/// are; what no stride reaches runs on every URL.
///
/// Of the windows of a literal the one is taken whose grams are rarest in URLs at large, and lead
/// to fewest filters already.
struct GramPlan {
  /// A gram that leads to a filter.
  struct Entry {
    var gram: UInt32
    /// The filter's place among those the plan was made for.
    var filter: Int
    /// The gram's place in the filter's window.
    var offset: Int
  }

  /// Where a filter's literal is looked for.
  struct Window {
    /// The run that the window lies in.
    var run: LiteralRun
    /// The window's first byte, counted from the run's; -1 when it begins a byte in front.
    var start: Int

    /// What to check when the gram at an offset of the window was met: a row of up to four single
    /// characters, and its place from the window's start.
    ///
    /// It is the row with most bytes beyond the gram, and of those the one that URLs have most
    /// rarely.
    func check(at offset: Int) -> (bytes: ArraySlice<UInt8>, place: Int) {
      let gram = start + offset..<start + offset + FilterIndex.gramLength
      var best = 0..<0
      var bestGain = Int.min
      for place in GramEntry.checkPlaces where run.text.indices.contains(start + place) {
        let first = start + place
        var end = first
        while end < run.text.count, end - first < GramEntry.longestCheck, run.several[end] == nil {
          end += 1
        }
        let row = first..<end
        guard !row.isEmpty else { continue }
        var gain = 12 * (row.count - row.clamped(to: gram).count) + row.count
        if row.count == FilterIndex.gramLength {
          let text = row.reduce(UInt32(0)) { $0 | UInt32(run.text[$1]) << UInt32(8 * ($1 - first)) }
          gain += GramFrequency.ofURLs.share(of: text).leadingZeroBitCount - 48
        }
        if gain > bestGain { (best, bestGain) = (row, gain) }
      }
      return (run.text[best], best.lowerBound - start)
    }
  }

  /// 0 when there is nothing to look for.
  private(set) var stride = 0
  /// log₂ of the number of bits in the gram filter.
  private(set) var filterBits = BitFilter.bits(for: 0)
  private(set) var entries: [Entry] = []
  /// For each filter its window; `nil` for those that run on every URL.
  private(set) var windows: [Window?]

  /// A row of so many single characters is found whatever the stride.
  private static let alwaysFound = FilterIndex.gramLength - 1 + FilterIndex.strides.upperBound - 2

  /// What a byte next to a literal can be in a folded text: any character, the end of the URL, or
  /// what hides the text behind a byte above 127.
  private static let neighbours: [UInt8] = (0..<128).filter { !(65...90 ~= $0) } + [0xFF]
  /// How many grams a place of a window may make.
  private static let mostGrams = 32

  /// Plans for filters with the given literals each.
  init(runs: [[LiteralRun]]) {
    windows = Array(repeating: nil, count: runs.count)
    let lengths = runs.map { $0.map { $0.text.count }.max() ?? 0 }
    let usable = lengths.filter { $0 >= FilterIndex.gramLength }
    guard !usable.isEmpty else { return }
    stride =
      FilterIndex.strides.min {
        (Self.cost(of: $0, usable), -$0) < (Self.cost(of: $1, usable), -$1)
      } ?? 1
    var filed = GramUses()
    for (filter, filterRuns) in runs.enumerated() {
      guard let window = rarestWindow(filterRuns, filed) else { continue }
      windows[filter] = window
      for offset in 0..<stride {
        Self.forEachGram(window.run, window.start + offset) { gram in
          filed.add(gram)
          entries.append(Entry(gram: gram, filter: filter, offset: offset))
        }
      }
    }
    if entries.isEmpty { stride = 0 }
    filterBits = BitFilter.bits(for: entries.count)
  }

  /// The gram filter's words.
  func filter() -> BitFilter {
    var filter = BitFilter(bits: filterBits)
    for entry in entries { filter.insert(FilterIndex.hash(gram: entry.gram)) }
    return filter
  }

  // MARK: The stride

  /// About how many steps a URL takes at a stride, for literals of the given lengths.
  private static func cost(of stride: Int, _ lengths: [Int]) -> Double {
    let places = 160.0 / Double(stride)
    var entries = 0
    var always = 0
    for length in lengths {
      let missing = FilterIndex.gramLength - 1 + stride - length
      // A window reaches one byte beyond its literal at either end.
      if missing > 2 {
        always += 1
      } else {
        entries += stride + max(0, missing) * (neighbours.count - 1)
      }
    }
    let passes = BitFilter.shareOfPasses(entries: entries, bits: BitFilter.bits(for: entries))
    return places * (4 + 30 * passes) + 60 * Double(always)
  }

  // MARK: The window

  private func rarestWindow(_ runs: [LiteralRun], _ filed: GramUses) -> Window? {
    let length = FilterIndex.gramLength - 1 + stride
    var best: Window?
    var bestCost = Int.max
    // Windows within a run are tried first: the others make a hundred times the grams.
    for overhang in 0...1 where best == nil {
      // A check needs a character that is certain, and near.
      for run in runs where run.text.count + 2 * overhang >= length && run.longestRow > 0 {
        for start in -overhang...(run.text.count + overhang - length) {
          var cost = 0
          for offset in 0..<stride {
            let gram = Self.costOfGrams(run, start + offset, filed)
            // A window with a place that cannot be looked up is of no use.
            cost = gram.map { cost + $0 } ?? .max
            if cost >= bestCost { break }
          }
          if cost < bestCost {
            bestCost = cost
            best = Window(run: run, start: start)
          }
        }
      }
    }
    return best
  }

  /// What filing a filter under the grams at a place costs URLs at large; `nil` when there would be
  /// too many.
  private static func costOfGrams(_ run: LiteralRun, _ place: Int, _ filed: GramUses) -> Int? {
    var cost = 0
    var count = 0
    forEachGram(run, place) { gram in
      count += 1
      // Filters under one gram share its look-up, and each adds a check.
      cost += GramFrequency.ofURLs.share(of: gram) * (8 + min(8, filed.count(of: gram)))
    }
    return count == 0 ? nil : cost
  }

  /// Calls a function with each gram that a literal may show at a place; with none when there
  /// would be too many.
  private static func forEachGram(_ run: LiteralRun, _ place: Int, _ body: (UInt32) -> Void) {
    let end = place + FilterIndex.gramLength
    if run.several.isEmpty, place >= 0, end <= run.text.count {
      let text = run.text
      body(
        UInt32(text[place]) | UInt32(text[place + 1]) << 8 | UInt32(text[place + 2]) << 16
          | UInt32(text[place + 3]) << 24
      )
      return
    }
    guard gramCount(run, place) > 0 else { return }
    var grams: [UInt32] = [0]
    for (index, place) in (place..<end).enumerated() {
      let characters =
        run.text.indices.contains(place) ? run.characters(at: place) : neighbours
      grams = grams.flatMap { gram in
        characters.map { gram | UInt32($0) << UInt32(8 * index) }
      }
    }
    for gram in grams { body(gram) }
  }

  /// How many grams a literal may show at a place; 0 when they are too many.
  private static func gramCount(_ run: LiteralRun, _ place: Int) -> Int {
    var count = 1
    var limit = mostGrams
    for place in place..<place + FilterIndex.gramLength {
      if run.text.indices.contains(place) {
        count *= run.several[place]?.count ?? 1
      } else {
        count *= neighbours.count
        limit *= neighbours.count
      }
      guard count <= limit else { return 0 }
    }
    // Two bytes beyond the literal would be ten thousand grams.
    return count <= mostGrams * neighbours.count ? count : 0
  }

  /// Whether a literal has a window whatever the stride.
  static func isAlwaysFound(_ run: LiteralRun) -> Bool {
    let row = run.longestRow
    if row >= alwaysFound { return true }
    guard row > 0 else { return false }
    return FilterIndex.strides.allSatisfy { stride in
      let last = run.text.count + 1 - (FilterIndex.gramLength - 1 + stride)
      return last >= -1
        && (-1...last).contains { start in
          (start..<start + stride).allSatisfy { gramCount(run, $0) > 0 }
        }
    }
  }
}

/// How many filters are filed under each gram.
private struct GramUses {
  private var counts: [UInt32: Int] = [:]

  mutating func add(_ gram: UInt32) { counts[gram, default: 0] += 1 }

  func count(of gram: UInt32) -> Int { counts[gram] ?? 0 }
}
