// Hot: every decision scans its URL once here; `CompiledRuleList.update` scans the page's URLs
// once. Bounded by the URL's length in bytes, plus the records and programs that its bytes lead to,
// which `CompilerLimits` bounds when a list is compiled. No allocation: all working memory is in
// `ScanMemory` and `URLText`. Guarded by `Scripts/count-instructions`, measured by `Benchmarks`;
// Documentation/Performance.md.

/// Finds the filters of one index that match a URL.
struct IndexScanner {
  let image: Image
  let index: FilterIndexView
  let runner: ProgramRunner

  /// Passes the postings of all filters that match to the sink, but for filters that always run.
  ///
  /// Skips filters whose postings the sink does not want, or that have matched this URL already.
  ///
  /// - Complexity: O(*n*) for *n* bytes of URL, plus the programs that are run.
  func scan<Sink: PostingSink>(
    _ text: borrowing URLText,
    _ memory: inout ScanMemory,
    _ sink: inout Sink
  ) {
    // Each pass is skipped if no filter of the index needs it: many lists have no grams or
    // conditions.
    memory.beginURL(text)
    // Grams are noted first and looked up last, so that their buckets come from memory meanwhile.
    let hasGrams = index.gramStride != 0
    if hasGrams { noteGrams(text, &memory) }
    if index.anchors & HostAnchor.atStart != 0 {
      scanAuthority(text, &memory, &sink)
    }
    if index.anchors & HostAnchor.anywhere != 0 {
      scanEmbeddedHosts(text, &memory, &sink)
    }
    if hasGrams { lookUpGrams(text, &memory, &sink) }
  }

  // MARK: Postings

  /// Tries a filter if the sink wants any of its postings, and passes on those that it wants.
  @inline(__always)
  private func tryFilter<Sink: PostingSink>(
    postings start: Int,
    several: Bool,
    _ sink: inout Sink,
    _ matches: () -> Bool
  ) {
    if several {
      _ = tryFilterOfSeveral(postings: start, &sink, matches)
      return
    }
    var offset = start
    let number = image.varint(&offset)
    // The sink first: it tests flags and a condition, which is cheaper than running a program.
    guard sink.wants(number), matches() else { return }
    // Most postings are refused above; the rule need not be decoded for those.
    let rule = index.postingsHaveRules ? image.varint(&offset) : 0
    sink.take(Posting(number: number, rule: rule))
  }

  /// The same for several postings, with their count in front.
  ///
  /// - Returns: The offset behind the postings.
  func tryFilterOfSeveral<Sink: PostingSink>(
    postings start: Int,
    _ sink: inout Sink,
    _ matches: () -> Bool
  ) -> Int {
    var offset = start
    let count = Int(image.varint(&offset))
    if count >= CrowdedFilters.leastPostings, let end = sink.takeCrowd(at: start, if: matches) {
      return end
    }
    let first = offset
    var isTried = false
    var posting = Posting(number: 0, rule: 0)
    // All postings are read even once the filter is known to match: rules are stored as
    // differences.
    for _ in 0..<count {
      readPosting(&offset, &posting)
      // The program runs at most once, when the first wanted posting turns up.
      if !isTried, sink.wants(posting.number) {
        isTried = true
        guard matches() else { return skipPostings(first, count) }
        sink.take(posting)
      } else if isTried, sink.wants(posting.number) {
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
      image.skipVarint(&offset)
    }
    return offset
  }

  // MARK: Filter records

  /// Tries a filter whose gram was met and whose check passed, or one that always runs.
  ///
  /// `window` is where the filter's window begins in the URL; −1 for one byte before it.
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
      // The lead is stored plus 1; see `IndexBuilder.appendFilterRecord`.
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
    // The gram may occur before the place where the filter's gap lets it begin.
    if start < gapStart || start > text.count { return }
    // Several grams of a literal, or several occurrences, may lead here for one URL.
    if runsOnce ? memory.hasRun(stamp, from: start) : memory.matched.contains(record) { return }
    let program = Int(image.varint(&offset))
    let view = text.view(isCaseSensitive: isCaseSensitive)
    let several = head.hasSeveralPostings
    tryFilter(postings: offset, several: several, &sink) {
      guard runsOnce else {
        let isMatch = runner.matches(program, view, from: start, &memory.threads)
        if isMatch { memory.matched.insert(record) }
        return isMatch
      }
      if runsFromStart {
        // Noted before it runs: from the URL's start every attempt gives the same answer.
        memory.noteRun(stamp, from: 0)
        return runner.matches(program, view, from: start, &memory.threads)
      }
      guard let rest = runner.firstPiece(program, view, at: start) else { return false }
      let isMatch = runner.matchesRest(rest, view)
      // From a later place the first piece would leave less text to search for the rest, from an earlier one more: a
      // gram that a text has several times, as `aaaaaaa` does, leads to all its places at once, in no order.
      memory.noteRun(stamp, from: isMatch ? 0 : start)
      return isMatch
    }
  }

  // MARK: Filters that run on every URL

  /// Calls `body` with the record of each filter that always runs.
  func eachAlwaysRun(_ body: (Int) -> Void) {
    IndexWalk(image: image, view: index).eachAlwaysRun(body)
  }

  /// Whether a filter that always runs matches.
  ///
  /// Takes no postings and notes no stamp: the caller asks once per URL.
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
    // Skips the stamp; a record without a window has no lead.
    if head.runsOnce { _ = image.varint(&offset) }
    let program = Int(image.varint(&offset))
    let view = text.view(isCaseSensitive: isCaseSensitive)
    return runner.matches(program, view, from: start, &memory.threads)
  }

  /// Returns the program of a filter that always runs.
  func programOfAlwaysRun(_ record: Int) -> Int {
    var offset = record &+ 1
    if image.filterRecordHead(record).runsOnce { _ = image.varint(&offset) }
    return Int(image.varint(&offset))
  }

  /// Calls `body` with each posting of a filter that always runs.
  func eachPosting(of record: Int, _ body: (Posting) -> Void) {
    IndexWalk(image: image, view: index).postings(of: record).each(body)
  }
}
