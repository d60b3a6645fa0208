// Hot: one pass over the URL for each index. Bounded by the URL's length; what hits costs its
// records and programs. `Benchmarks` has the figures.

/// Finds the filters of one index that match a URL.
struct IndexScanner {
  let image: Image
  let index: FilterIndexView
  let runner: ProgramRunner

  /// Hands the postings of all filters that match to the sink.
  ///
  /// A filter whose postings the sink does not want is not tried, nor one that has matched before.
  ///
  /// - Complexity: O(*n*) for *n* bytes of URL, plus the programs that are tried.
  func scan<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let scheme = SchemeLayout(text)
    memory.beginURL(scheme)
    if index.anchors & HostAnchor.atStart != 0 {
      scanAuthority(text, scheme, &memory, &sink)
    }
    if index.anchors & HostAnchor.anywhere != 0 {
      scanEmbeddedHosts(text, &memory, &sink)
    }
    if index.gramStride != 0 {
      scanGrams(text, &memory, &sink)
    }
    runAlways(text, &memory, &sink)
  }

  // MARK: Postings

  /// Tries a filter when the sink wants any of its postings, and hands over those it wants.
  @inline(__always)
  func tryFilter<Sink: PostingSink>(
    postings start: Int,
    several: Bool,
    _ sink: inout Sink,
    _ matches: () -> Bool
  ) -> Int {
    var offset = start
    let count = several ? Int(image.varint(&offset)) : 1
    let first = offset
    var isTried = false
    var posting = Posting(number: 0, rule: 0)
    for _ in 0..<count {
      readPosting(&offset, &posting)
      if !isTried, sink.wants(posting) {
        isTried = true
        guard matches() else { return skipPostings(first, count) }
        sink.take(posting)
      } else if isTried, sink.wants(posting) {
        sink.take(posting)
      }
    }
    return offset
  }

  @inline(__always)
  private func readPosting(_ offset: inout Int, _ posting: inout Posting) {
    posting.number = image.varint(&offset)
    if index.postingsHaveRules {
      posting.rule &+= image.varint(&offset)
    }
  }

  func skipPostings(_ start: Int, _ count: Int) -> Int {
    var offset = start
    for _ in 0..<(index.postingsHaveRules ? 2 * count : count) {
      _ = image.varint(&offset)
    }
    return offset
  }

  // MARK: Grams

  /// Looks up every `gramStride`-th group of four bytes.
  private func scanGrams<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let view = text.view(isCaseSensitive: false)
    var position = 0
    while position &+ 4 <= view.count {
      // In bounds by the loop's condition.
      let gram = unsafe view.gram(unchecked: position)
      let bit = FilterIndex.filterBit(gram: gram, shift: index.gramFilterShift)
      // In bounds because the validator found all 2^f bits within the section.
      let byte = unsafe image.u8(unchecked: index.gramFilter &+ Int(bit &>> 3))
      if byte &>> UInt8(truncatingIfNeeded: bit & 7) & 1 != 0 {
        lookUpGram(gram, at: position, text, &memory, &sink)
      }
      position &+= index.gramStride
    }
  }

  private func lookUpGram<Sink: PostingSink>(
    _ gram: UInt32,
    at position: Int,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let hash = FilterIndex.hash(gram: gram)
    var slot = FilterIndex.firstSlot(hash, slots: index.gramSlots)
    let fingerprint = hash & 0xFF
    while true {
      let value = image.u32(index.gramTable &+ 4 &* slot)
      if value == 0 { return }
      if value &>> 24 == fingerprint {
        var offset = index.records &+ 4 &* Int(value & 0xFF_FFFF) &- 4
        if image.u32(offset) == gram {
          offset &+= 4
          for _ in 0..<image.varint(&offset) {
            let filter = Int(image.varint(&offset))
            let distance = Int(image.varint(&offset))
            tryFilterRecord(
              index.records &+ filter,
              programStart: position &- distance,
              text,
              &memory,
              &sink
            )
          }
          return
        }
      }
      slot &+= 1
      if slot == index.gramSlots { slot = 0 }
    }
  }

  private func tryFilterRecord<Sink: PostingSink>(
    _ record: Int,
    programStart: Int,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var offset = record &+ 1
    let head = image.u8(record)
    let runsFromStart = head & FilterIndex.Head.runsFromStart != 0
    let runsOnce = head & FilterIndex.Head.runsOnce != 0
    let stamp = runsOnce ? Int(image.varint(&offset)) : 0
    let isCaseSensitive = head & FilterIndex.Head.isCaseSensitive != 0
    let gapStart = memory.gapStart(
      head &>> FilterIndex.Head.gapAnchorShift & 3,
      isCaseSensitive: isCaseSensitive
    )
    let start = runsFromStart ? gapStart : programStart
    if start < gapStart || start > text.count { return }
    if runsOnce ? memory.hasRun(stamp) : memory.matched.contains(record) { return }
    let program = Int(image.varint(&offset))
    let view = text.view(isCaseSensitive: isCaseSensitive)
    let several = head & FilterIndex.Head.hasSeveralPostings != 0
    _ = tryFilter(postings: offset, several: several, &sink) {
      guard runsOnce else {
        let isMatch = runner.matches(program, view, from: start, &memory.threads)
        if isMatch { memory.matched.insert(record) }
        return isMatch
      }
      if runsFromStart {
        memory.noteRun(stamp)
        return runner.matches(program, view, from: start, &memory.threads)
      }
      // Once the first piece has matched, no later place of it can do better.
      guard let rest = runner.firstPiece(program, view, at: start) else { return false }
      memory.noteRun(stamp)
      return runner.matchesRest(rest, view)
    }
  }

  // MARK: Filters without a usable text

  private func runAlways<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    var offset = index.alwaysRun
    for _ in 0..<image.varint(&offset) {
      let filter = Int(image.varint(&offset))
      tryFilterRecord(index.records &+ filter, programStart: 0, text, &memory, &sink)
    }
  }
}

/// Working memory for scanning one URL after the other.
struct ScanMemory {
  var threads: ThreadLists
  /// Filters that may match in several places and have done so in one.
  var matched = MatchedFilters()
  private var scheme = SchemeLayout()
  private var stamps: [UInt32]
  private var generation: UInt32 = 0

  /// Creates memory for indexes with up to so many stamps and threads.
  init(stampCount: Int, threadCount: Int) {
    threads = ThreadLists(capacity: threadCount)
    stamps = Array(repeating: 0, count: stampCount)
  }

  /// Grows the memory where a list asks for more than any before.
  mutating func reserve(stampCount: Int, threadCount: Int) {
    if stampCount > stamps.count {
      stamps = Array(repeating: 0, count: stampCount)
      generation = 0
    }
    if threadCount > threads.capacity {
      threads = ThreadLists(capacity: threadCount)
    }
  }

  /// Where the gaps of filters begin in this URL; beyond any URL where they do not.
  @inline(__always)
  func gapStart(_ anchor: UInt8, isCaseSensitive: Bool) -> Int {
    switch anchor {
    case GapAnchor.none.rawValue: 0
    case GapAnchor.behindColon.rawValue: scheme.behindColon
    default: isCaseSensitive ? scheme.behindExactHTTP : scheme.behindHTTP
    }
  }

  /// Forgets which filters ran.
  mutating func beginURL(_ scheme: SchemeLayout) {
    self.scheme = scheme
    matched.removeAll()
    generation &+= 1
    if generation == 0 {
      for index in stamps.indices { stamps[index] = 0 }
      generation = 1
    }
  }

  /// Whether a filter has run for this URL and index.
  @inline(__always)
  func hasRun(_ stamp: Int) -> Bool { stamps[stamp] == generation }

  /// Notes that a filter runs.
  @inline(__always)
  mutating func noteRun(_ stamp: Int) { stamps[stamp] = generation }
}
