internal import RuleMatching

/// Decides which grams, groups of four bytes, lead to which filters.
///
/// The scanner looks at every `stride`-th place of a URL. A literal that is entered with `stride`
/// consecutive grams is met at one of them wherever it stands. A literal shorter than `3 + stride`
/// bytes is entered with grams that reach one byte beyond it, one for each byte that may stand
/// there. A larger stride means fewer places to look at, but more grams; a literal too short for
/// the stride even so makes its filter run on every URL.
///
/// Picks the window of a literal whose grams are rarest in real URLs and lead to the fewest filters
/// so far.
struct GramPlan {
  /// A gram that leads to a filter.
  struct Entry {
    var gram: UInt32
    /// The filter's index among those the plan was made for.
    var filter: Int
    /// The gram's offset in the filter's window, below the stride.
    var offset: Int
  }

  /// The part of a filter's literal that is looked for: `3 + stride` bytes.
  struct Window {
    /// The run that the window lies in.
    var run: LiteralRun
    /// The window's first byte, counted from the run's; −1 if it begins one byte before the run, which it
    /// never does where the stride is 1.
    var start: Int

    /// Consecutive single characters of the run that may be compared, up to four.
    struct Row {
      var first: Int
      var count: Int
      /// What they are worth by themselves.
      var gain: Int
    }

    /// Finds the rows that are within reach of the window's grams.
    func findRows(_ rows: inout [Row]) {
      rows.removeAll(keepingCapacity: true)
      let reach = GramEntry.checkPlaces
      let begin = max(0, start + reach.lowerBound)
      let isPlain = run.several.isEmpty
      for first in begin..<min(run.text.count, start + reach.upperBound + 1) {
        var end = first
        while end < run.text.count, end - first < GramEntry.longestCheck,
          isPlain || run.several[end] == nil
        {
          end += 1
        }
        guard end > first else { continue }
        var gain = end - first
        if end - first == FilterIndex.gramLength {
          var text: UInt32 = 0
          for offset in 0..<4 { text |= UInt32(run.text[first + offset]) << UInt32(8 * offset) }
          // Full rows get 6 points if common in URLs, up to 15 if rare: one for each halving of
          // their share.
          gain += UInt16(clamping: GramFrequency.ofURLs.share(of: text)).leadingZeroBitCount
        }
        rows.append(Row(first: first, count: end - first, gain: gain))
      }
    }

    /// Returns what to compare once the gram at an offset of the window was met: up to four
    /// consecutive single characters, and their place from the window's start.
    ///
    /// Picks the row with the most bytes outside of the gram, and of those the one rarest in URLs.
    func check(at offset: Int, _ rows: [Row]) -> (bytes: ArraySlice<UInt8>, place: Int) {
      let gram = start + offset
      let gramEnd = gram + FilterIndex.gramLength
      var best = 0..<0
      var bestGain = Int.min
      for row in rows {
        let end = row.first + row.count
        // Bytes outside of the gram count most: those in it match anyway, but for a gram's hash
        // collision.
        let inside = max(0, min(end, gramEnd) - max(row.first, gram))
        let gain = 12 * (row.count - inside) + row.gain
        if gain > bestGain { (best, bestGain) = (row.first..<end, gain) }
      }
      return (run.text[best], best.lowerBound - start)
    }

    /// Returns the bit of the byte next to the gram at an offset, before or behind it, of which fewer URLs
    /// have both; all bits if the run says nothing of either.
    func neighbour(at offset: Int) -> UInt32 {
      let gram = start + offset
      let previous = byte(at: gram - 1)
      let next = byte(at: gram + FilterIndex.gramLength)
      switch (previous, next) {
      case (nil, nil): return GramBucket.anyNeighbour
      case (nil, let next?): return GramBucket.bit(next: next)
      case (let previous?, nil): return GramBucket.bit(previous: previous)
      case (let previous?, let next?):
        let isRarer = share(at: gram - 1) < share(at: gram + 1)
        return isRarer ? GramBucket.bit(previous: previous) : GramBucket.bit(next: next)
      }
    }

    /// Returns the only byte that the run has at a place; nil if there are several or none.
    private func byte(at place: Int) -> UInt8? {
      run.text.indices.contains(place) && run.several[place] == nil ? run.text[place] : nil
    }

    /// Returns how many of 1024 URLs contain the gram at a place of the run.
    private func share(at place: Int) -> Int {
      GramFrequency.ofURLs.share(of: GramPlan.gram(run.text, at: place))
    }
  }

  /// How many places of a URL the scanner moves on at a time; 0 if there are no literals.
  private(set) var stride = 0
  /// log₂ of the number of bits in the gram filter.
  private(set) var filterBits = BitFilter.bits(for: 0)
  private(set) var entries: [Entry] = []
  /// The window of each filter; `nil` for those that run on every URL.
  private(set) var windows: [Window?]
  /// For each window, and each place of it, the entry of the gram there, which leads to no record yet.
  ///
  /// Made once per place: a filter with a gram for each byte that may stand next to its text has the same
  /// entry for all of them.
  private(set) var checks: [GramEntry] = []
  /// For each of them the bits that it sets in its gram's ``RuleMatching/GramBucket``.
  private(set) var neighbours: [UInt32] = []
  /// Where those of each filter begin.
  private(set) var firstChecks: [Int] = []

  /// A row of this many single characters has a window at every stride.
  private static let alwaysFound = FilterIndex.gramLength - 1 + FilterIndex.strides.upperBound - 2

  /// The bytes that may stand next to a literal in a folded text: any character, 0 for the end of
  /// the URL, and 0xFF, which hides what follows a byte above 127.
  private static let surroundings: [UInt8] = (0..<128).filter { !(65...90 ~= $0) } + [0xFF]
  /// The most grams for one place of a window.
  private static let mostGrams = 32

  /// Plans the index of filters, given each one's literals.
  init(runs: [[LiteralRun]]) {
    windows = Array(repeating: nil, count: runs.count)
    let lengths = runs.map { $0.map { $0.text.count }.max() ?? 0 }
    let usable = lengths.filter { $0 >= FilterIndex.gramLength }
    guard !usable.isEmpty else { return }
    stride =
      FilterIndex.strides.min {
        (Self.cost(of: $0, usable), -$0) < (Self.cost(of: $1, usable), -$1)
      } ?? 1
    var filed = GramUses(most: Self.counts(at: stride, usable).entries)
    var costs: [Int] = []
    var rows: [Window.Row] = []
    firstChecks.reserveCapacity(runs.count)
    for (filter, filterRuns) in runs.enumerated() {
      firstChecks.append(checks.count)
      guard let window = rarestWindow(filterRuns, filed, &costs) else { continue }
      windows[filter] = window
      window.findRows(&rows)
      for offset in 0..<stride {
        Self.forEachGram(window.run, window.start + offset) { gram in
          filed.add(gram)
          entries.append(Entry(gram: gram, filter: filter, offset: offset))
        }
        let check = window.check(at: offset, rows)
        checks.append(GramEntry(offset: offset, check: check.bytes, place: check.place))
        neighbours.append(window.neighbour(at: offset))
      }
    }
    if entries.isEmpty { stride = 0 }
    filterBits = BitFilter.bits(for: entries.count)
  }

  /// Returns the bit filter of all grams in the plan.
  func filter() -> BitFilter {
    var filter = BitFilter(bits: filterBits)
    for entry in entries { filter.insert(FilterIndex.hash(gram: entry.gram)) }
    return filter
  }

  // MARK: The stride

  /// Estimates the steps for a URL at a stride, for literals of the given lengths.
  ///
  /// A place costs 4 steps to look at and 30 more if it passes the bit filter, a filter that always
  /// runs costs 60; 160 bytes stand for a typical URL.
  private static func cost(of stride: Int, _ lengths: [Int]) -> Double {
    let places = 160.0 / Double(stride)
    let (entries, always) = counts(at: stride, lengths)
    let passes = BitFilter.shareOfPasses(entries: entries, bits: BitFilter.bits(for: entries))
    return places * (4 + 30 * passes) + 60 * Double(always)
  }

  /// Counts the grams that literals of the given lengths have at a stride, and those that always run.
  private static func counts(at stride: Int, _ lengths: [Int]) -> (entries: Int, always: Int) {
    var entries = 0
    var always = 0
    for length in lengths {
      let missing = FilterIndex.gramLength - 1 + stride - length
      // A window reaches at most one byte beyond its literal at either end.
      if missing > 2 {
        always += 1
      } else {
        entries += stride + max(0, missing) * (surroundings.count - 1)
      }
    }
    return (entries, always)
  }

  // MARK: The window

  /// Picks the window of a filter whose grams cost least; `nil` if there is none.
  ///
  /// `costs` is memory for the costs of a run's places, each of which lies in several windows.
  private func rarestWindow(
    _ runs: [LiteralRun],
    _ filed: GramUses,
    _ costs: inout [Int]
  ) -> Window? {
    let unknown = -1
    // A run's place and not the run, whose references would be counted each time.
    var best: (run: Int, start: Int)?
    var bestCost = Int.max
    // Windows inside a run first: one that reaches beyond it takes a hundred times the grams.
    for overhang in 0...1 where best == nil {
      for (number, run) in runs.enumerated() {
        costs.removeAll(keepingCapacity: true)
        for _ in 0..<run.text.count + 2 * overhang { costs.append(unknown) }
        for start in Self.starts(run, overhang: overhang, stride: stride)
        where Self.hasCheck(run, start) {
          var cost = 0
          for place in start..<start + stride {
            if costs[place + overhang] == unknown {
              costs[place + overhang] = Self.costOfGrams(run, place, filed) ?? .max
            }
            let ofPlace = costs[place + overhang]
            // Every place of the window must have grams, or the literal is missed at some
            // alignments.
            cost = ofPlace == .max ? .max : cost + ofPlace
            if cost >= bestCost { break }
          }
          if cost < bestCost {
            bestCost = cost
            best = (number, start)
          }
        }
      }
    }
    return best.map { Window(run: runs[$0.run], start: $0.start) }
  }

  /// Returns where a run's windows may begin that reach at most `overhang` bytes beyond it at either end.
  ///
  /// The scanner looks at no place before the URL. If it moves on by one byte, a window is the gram at one place: one
  /// that begins before the run would be missed where the run stands at the URL's beginning.
  private static func starts(_ run: LiteralRun, overhang: Int, stride: Int) -> Range<Int> {
    let first = stride == 1 ? 0 : -overhang
    let last = run.text.count + overhang - (FilterIndex.gramLength - 1 + stride)
    return first..<max(first, last + 1)
  }

  /// Whether a certain byte is within reach of a window, which its entries need for their check.
  private static func hasCheck(_ run: LiteralRun, _ start: Int) -> Bool {
    if run.several.isEmpty { return true }
    let reach = GramEntry.checkPlaces
    let first = max(0, start + reach.lowerBound)
    let end = min(run.text.count, start + reach.upperBound + 1)
    return first < end && (first..<end).contains { run.several[$0] == nil }
  }

  /// Returns what indexing a filter under the grams at a place costs real URLs; `nil` if there
  /// would be too many grams.
  private static func costOfGrams(_ run: LiteralRun, _ place: Int, _ filed: GramUses) -> Int? {
    if run.several.isEmpty, place >= 0, place + FilterIndex.gramLength <= run.text.count {
      return costOfGram(gram(run.text, at: place), filed)
    }
    var cost = 0
    var count = 0
    forEachGram(run, place) { gram in
      count += 1
      cost += costOfGram(gram, filed)
    }
    return count == 0 ? nil : cost
  }

  @inline(__always)
  private static func costOfGram(_ gram: UInt32, _ filed: GramUses) -> Int {
    // Filters under one gram share its look-up; each adds a check. Crowds beyond eight count as eight.
    GramFrequency.ofURLs.share(of: gram) * (8 + min(8, filed.count(of: gram)))
  }

  /// Returns the four bytes of a text from a place on.
  @inline(__always)
  fileprivate static func gram(_ text: [UInt8], at place: Int) -> UInt32 {
    UInt32(text[place]) | UInt32(text[place + 1]) << 8 | UInt32(text[place + 2]) << 16
      | UInt32(text[place + 3]) << 24
  }

  /// Calls `body` with each gram that the literal may show at a place; with none if there are too
  /// many.
  private static func forEachGram(_ run: LiteralRun, _ place: Int, _ body: (UInt32) -> Void) {
    let end = place + FilterIndex.gramLength
    if run.several.isEmpty, place >= 0, end <= run.text.count {
      return body(gram(run.text, at: place))
    }
    guard gramCount(run, place) > 0 else { return }
    func characters(_ place: Int) -> [UInt8] {
      run.text.indices.contains(place) ? run.characters(at: place) : surroundings
    }
    let (second, third, fourth) = (
      characters(place + 1), characters(place + 2), characters(place + 3)
    )
    for a in characters(place) {
      for b in second {
        for c in third {
          let three = UInt32(a) | UInt32(b) << 8 | UInt32(c) << 16
          for d in fourth { body(three | UInt32(d) << 24) }
        }
      }
    }
  }

  /// Returns how many grams a literal may show at a place; 0 if too many.
  private static func gramCount(_ run: LiteralRun, _ place: Int) -> Int {
    var count = 1
    var limit = mostGrams
    for place in place..<place + FilterIndex.gramLength {
      if run.text.indices.contains(place) {
        count *= run.several[place]?.count ?? 1
      } else {
        count *= surroundings.count
        limit *= surroundings.count
      }
      guard count <= limit else { return 0 }
    }
    // Two unknown bytes would make ten thousand grams.
    return count <= mostGrams * surroundings.count ? count : 0
  }

  /// Whether a literal has a window at every stride.
  ///
  /// Asked before the stride is known, to write a search program only for filters that may need it.
  static func isAlwaysFound(_ run: LiteralRun) -> Bool {
    let row = run.longestRow
    if row >= alwaysFound { return true }
    return FilterIndex.strides.allSatisfy { stride in
      starts(run, overhang: 1, stride: stride).contains { start in
        hasCheck(run, start) && (start..<start + stride).allSatisfy { gramCount(run, $0) > 0 }
      }
    }
  }
}

/// How many filters are indexed under each gram so far, about.
///
/// Grams share a count where their hashes fall together: one in eight at most, and every second one in the longest
/// lists. A gram then looks more crowded than it is, up to twice as costly; so it does if a list's author uses it
/// eight times.
private struct GramUses {
  private var counts: [UInt8]
  private let shift: UInt32

  /// Counts up to so many grams.
  init(most: Int) {
    // Eight places or more for each gram, and a million at most, which the processor's caches still hold.
    let bits = min(20, max(8, Int.bitWidth - (8 * most).leadingZeroBitCount))
    counts = Array(repeating: 0, count: 1 << bits)
    shift = UInt32(32 - bits)
  }

  mutating func add(_ gram: UInt32) {
    let place = place(of: gram)
    if counts[place] < .max { counts[place] += 1 }
  }

  func count(of gram: UInt32) -> Int { Int(counts[place(of: gram)]) }

  @inline(__always)
  private func place(of gram: UInt32) -> Int {
    Int(truncatingIfNeeded: (gram &* 0x9E37_79B1) &>> shift)
  }
}
