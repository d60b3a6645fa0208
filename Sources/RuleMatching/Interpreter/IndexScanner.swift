// Hot: one pass over the URL for each index. Bounded by the URL's length; what hits costs its
// records and programs. `Benchmarks` has the figures.

/// Finds the filters of one index that match a URL.
struct IndexScanner {
  let image: Image
  let index: FilterIndexView
  let runner: ProgramRunner

  /// Hands the postings of all filters that match to the sink, except those that run on every URL.
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
  }

  // MARK: Postings

  /// Tries a filter when the sink wants any of its postings, and hands over those it wants.
  @inline(__always)
  private func tryFilter<Sink: PostingSink>(
    postings start: Int,
    several: Bool,
    isAlternative: Bool,
    _ sink: inout Sink,
    _ matches: () -> Bool
  ) {
    if several {
      _ = tryFilterOfSeveral(postings: start, isAlternative: isAlternative, &sink, matches)
      return
    }
    var offset = start
    let number = image.varint(&offset)
    guard sink.wants(number), matches() else { return }
    // The rule is read only when it is asked for.
    let rule = index.postingsHaveRules ? image.varint(&offset) : 0
    sink.take(Posting(number: number, rule: rule), isAlternative: isAlternative)
  }

  /// The same for several postings, which their count stands in front of.
  ///
  /// - Returns: The offset behind the postings.
  func tryFilterOfSeveral<Sink: PostingSink>(
    postings start: Int,
    isAlternative: Bool,
    _ sink: inout Sink,
    _ matches: () -> Bool
  ) -> Int {
    var offset = start
    let count = Int(image.varint(&offset))
    let first = offset
    var isTried = false
    var posting = Posting(number: 0, rule: 0)
    for _ in 0..<count {
      readPosting(&offset, &posting)
      if !isTried, sink.wants(posting.number) {
        isTried = true
        guard matches() else { return skipPostings(first, count) }
        sink.take(posting, isAlternative: isAlternative)
      } else if isTried, sink.wants(posting.number) {
        sink.take(posting, isAlternative: isAlternative)
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
      image.skipVarint(&offset)
    }
    return offset
  }

  // MARK: Filter records

  /// Tries a filter whose gram was met and whose check passed, or that runs on every URL.
  ///
  /// The filter's window begins at `window` in the URL, or in front of it.
  func tryFilterRecord<Sink: PostingSink>(
    _ record: Int,
    window: Int,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    let head = image.filterRecordHead(record)
    var offset = record &+ 1
    var programStart = 0
    if head.hasLead {
      programStart = window &+ 1 &- Int(image.varint(&offset))
    }
    let runsFromStart = head.runsFromStart
    let runsOnce = head.runsOnce
    let stamp = runsOnce ? Int(image.varint(&offset)) : 0
    let isCaseSensitive = head.isCaseSensitive
    let gapStart = memory.gapStart(
      head.gapAnchorNumber,
      isCaseSensitive: isCaseSensitive
    )
    let start = runsFromStart ? gapStart : programStart
    if start < gapStart || start > text.count { return }
    if runsOnce ? memory.hasRun(stamp) : memory.matched.contains(record) { return }
    let program = Int(image.varint(&offset))
    let view = text.view(isCaseSensitive: isCaseSensitive)
    let several = head.hasSeveralPostings
    let isAlternative = head.isAlternative
    tryFilter(postings: offset, several: several, isAlternative: isAlternative, &sink) {
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

  // MARK: Filters that run on every URL

  /// Calls a function with the record of each filter that runs on every URL.
  func eachAlwaysRun(_ body: (Int) -> Void) {
    var offset = index.alwaysRun
    for _ in 0..<image.varint(&offset) {
      body(index.filterRecords &+ Int(image.varint(&offset)))
    }
  }

  /// Tries the filters that run on every URL.
  func scanAlwaysRun<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    eachAlwaysRun { tryFilterRecord($0, window: 0, text, &memory, &sink) }
  }

  /// Whether a filter that runs on every URL matches.
  func alwaysRunMatches(
    _ record: Int,
    _ text: borrowing URLText,
    _ memory: inout ScanMemory
  ) -> Bool {
    let head = image.filterRecordHead(record)
    let isCaseSensitive = head.isCaseSensitive
    let start = memory.gapStart(
      head.gapAnchorNumber,
      isCaseSensitive: isCaseSensitive
    )
    guard start <= text.count else { return false }
    var offset = record &+ 1
    if head.runsOnce { _ = image.varint(&offset) }
    let program = Int(image.varint(&offset))
    let view = text.view(isCaseSensitive: isCaseSensitive)
    return runner.matches(program, view, from: start, &memory.threads)
  }

  /// Calls a function with the postings of a filter that runs on every URL.
  func eachPosting(of record: Int, _ body: (Posting) -> Void) {
    let head = image.filterRecordHead(record)
    var offset = record &+ 1
    if head.runsOnce { _ = image.varint(&offset) }
    _ = image.varint(&offset)
    let several = head.hasSeveralPostings
    var posting = Posting(number: 0, rule: 0)
    for _ in 0..<(several ? image.varint(&offset) : 1) {
      readPosting(&offset, &posting)
      body(posting)
    }
  }
}
