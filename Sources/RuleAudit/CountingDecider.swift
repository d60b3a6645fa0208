internal import ContentBlocking
internal import LoadDeciding
internal import ResourceLoads
internal import RuleMatching
internal import WebURL

// Hot: every request of a log is decided by `decide`, which allocates nothing once the page is
// cached. Examples are taken from the chunk's text at its end, for the rules that it met.

/// Decides loads and counts the rules that matched.
struct CountingDecider: ~Copyable {
  /// What is cached for a page besides the states of lists.
  private struct Page {
    var identity: UInt64 = 0
    var site = 0
    /// By list.
    var groups: [PageGroups] = []
  }

  /// The groups that a list hid on the page, by the numbers of their sets.
  private typealias PageGroups = [(set: UInt32, group: HidingGroup)]

  /// Logs alternate between the frames of a page and between pages that were open at once.
  private static let pageCount = 512

  private var decider: LoadDecider
  private var pages: [Page] = []
  private var groups: HidingGroups
  private var counters: [ListCounters]
  private var sites = SiteTable()
  private var outcomes = Outcomes()
  private var rows = ChunkRows()
  private var chunk: Int32 = -1

  init(_ lists: [CompiledRuleList]) {
    decider = LoadDecider(lists, pages: Self.pageCount)
    groups = HidingGroups(listCount: lists.count)
    counters = lists.map { ListCounters($0) }
  }

  /// Decides a load.
  mutating func decide(_ load: ResourceLoad, line: Int) {
    let prepared = decider.prepare(
      matchedURL: load.url.utf8.span,
      host: load.url.hostRange,
      topURL: load.topURL.utf8.span,
      frameURL: load.frameURL.utf8.span,
      load.traits
    )
    _ = count(prepared, line: line)
  }

  /// Decides a load whose URLs are given as text; returns `false` if one is not absolute.
  mutating func decide(
    url: Span<UInt8>,
    topURL: Span<UInt8>,
    frameURL: Span<UInt8>,
    _ traits: LoadTraits,
    line: Int
  ) -> Bool {
    count(decider.prepare(url: url, topURL: topURL, frameURL: frameURL, traits), line: line)
  }

  private mutating func count(_ prepared: LoadDecider.Prepared, line: Int) -> Bool {
    switch prepared {
    case .invalid: return false
    case .unchecked:
      var flags = Flags()
      flags.isUnchecked = true
      for number in counters.indices { counters[number].outcomes.add(flags, .other) }
      outcomes.add(flags, .other)
      sites.count(pages[page()].site, flags, .other, Tally(), 0, chunk)
    case .checked(let properties): count(properties, line: line)
    }
    return true
  }

  private mutating func count(_ properties: LoadProperties, line: Int) {
    let row = rows.add(decider, line: line)
    let page = page()
    var flags = Flags()
    var sum = Tally()
    let firstParty: FirstPartyKind =
      properties.loadType == .firstParty ? properties.resourceType.firstPartyKind : .other
    for number in counters.indices {
      let decision = decider.decide(properties, list: number)
      flags.formUnion(
        counters[number].count(
          decision,
          decider.matchedEntries,
          group(list: number, page),
          ListCounters.Place(
            row: row,
            chunk: chunk,
            site: pages[page].site,
            firstParty: firstParty
          ),
          &sum
        )
      )
    }
    if flags.blockerCount == 1 {
      for number in counters.indices { counters[number].countOnlyBlocker() }
    } else if flags.isRescued, !flags.isBlocked {
      for number in counters.indices { counters[number].countRescuers() }
    }
    outcomes.add(flags, firstParty)
    sites.count(pages[page].site, flags, firstParty, sum, row, chunk)
  }

  /// Returns the entry of the present page, whose site is known.
  @inline(__always)
  private mutating func page() -> Int {
    let page = decider.page
    if page.entry < pages.count, pages[page.entry].identity == page.identity { return page.entry }
    while pages.count <= page.entry { pages.append(Page()) }
    pages[page.entry].identity = page.identity
    pages[page.entry].site = sites.number(of: decider.site)
    pages[page.entry].groups = Array(repeating: [], count: counters.count)
    return page.entry
  }

  /// Returns the group that a list hides whatever the load, for the last decision.
  @inline(__always)
  private mutating func group(list number: Int, _ page: Int) -> HidingGroup {
    // The set before any cut by ignore rules, which are counted per load.
    let set = decider.hidingSet(list: number, ListDecision())
    for known in pages[page].groups[number] where known.set == set { return known.group }
    if groups.isFull { countOutGroups() }
    let group = groups.group(decider.hidingEntries(list: number), list: number)
    pages[page].groups[number].append((set, group))
    return group
  }

  /// The number of loads that a list blocked.
  var blocked: Int { outcomes.blocked }

  // MARK: Chunks

  mutating func beginChunk(log: Int) {
    chunk &+= 1
    rows.removeAll(log: log)
  }

  /// Takes the examples for the chunk's rules, while its rows are known.
  mutating func endChunk() {
    for number in counters.indices { counters[number].takeExamples(rows, chunk) }
    for group in groups.all { group.takeExamples(rows, chunk) }
    sites.takeExamples(rows, chunk)
  }

  /// Adds the groups to the counters and clears them, which bounds their memory.
  private mutating func countOutGroups() {
    for group in groups.all { group.takeExamples(rows, chunk) }
    for number in counters.indices {
      for group in groups.ofList(number) { counters[number].add(group) }
    }
    groups.removeAll()
    for page in pages.indices {
      for number in pages[page].groups.indices { pages[page].groups[number].removeAll() }
    }
  }

  /// Returns all findings.
  mutating func finish() -> Findings {
    countOutGroups()
    return Findings(
      outcomes: outcomes,
      sites: sites.found,
      lists: counters.map { $0.found(sites: sites.names) }
    )
  }
}

extension ResourceType {
  /// Returns what a first-party load of the type is to its page.
  @inline(__always)
  fileprivate var firstPartyKind: FirstPartyKind {
    switch self {
    case .topDocument, .childDocument: .document
    case .script: .script
    case .styleSheet: .styleSheet
    default: .other
    }
  }
}

/// The outcome of one load.
struct Flags {
  var isUnchecked = false
  var isBlocked = false
  var isWithoutCookies = false
  var isUpgraded = false
  var isHiding = false
  /// Whether a list would have blocked the load without one of its ignore rules.
  var isRescued = false
  /// The number of rules that block the load.
  var blockerCount = 0

  mutating func formUnion(_ other: Flags) {
    isBlocked = isBlocked || other.isBlocked
    isWithoutCookies = isWithoutCookies || other.isWithoutCookies
    isUpgraded = isUpgraded || other.isUpgraded
    isHiding = isHiding || other.isHiding
    isRescued = isRescued || other.isRescued
    blockerCount &+= other.blockerCount
  }
}

extension Outcomes {
  @inline(__always)
  mutating func add(_ flags: Flags, _ firstParty: FirstPartyKind) {
    requests &+= 1
    unchecked &+= flags.isUnchecked ? 1 : 0
    blocked &+= flags.isBlocked ? 1 : 0
    withoutCookies &+= flags.isWithoutCookies ? 1 : 0
    upgraded &+= flags.isUpgraded ? 1 : 0
    hiding &+= flags.isHiding ? 1 : 0
    let isAffected =
      flags.isBlocked || flags.isWithoutCookies || flags.isUpgraded || flags.isHiding
    unaffected &+= isAffected ? 0 : 1
    if flags.isBlocked { self.firstParty.add(firstParty) }
  }
}

/// The rows of a chunk, to look up their URLs while the chunk is processed.
struct ChunkRows {
  private var urls: [UInt8] = []
  private var marks: [(start: Int, line: Int)] = []
  private var log = 0

  mutating func removeAll(log: Int) {
    self.log = log
    urls.removeAll(keepingCapacity: true)
    marks.removeAll(keepingCapacity: true)
  }

  /// Adds the row of the prepared load; returns its number in the chunk.
  @inline(__always)
  mutating func add(_ decider: borrowing LoadDecider, line: Int) -> Int32 {
    marks.append((urls.count, line))
    decider.appendURL(to: &urls)
    return Int32(truncatingIfNeeded: marks.count &- 1)
  }

  /// Returns the first and the last example, with those of a chunk if they are before or behind: chunks
  /// of a log come in order, but those of numbered rows in any.
  func examples(
    _ touch: ChunkTouch,
    _ first: Example?,
    _ last: Example?
  ) -> (first: Example?, last: Example?) {
    (
      first.map { isRow(touch.first, before: $0) } ?? true ? example(touch.first) : first,
      last.map { !isRow(touch.last, before: $0) } ?? true ? example(touch.last) : last
    )
  }

  private func isRow(_ row: Int32, before example: Example) -> Bool {
    (log, marks[Int(row)].line) < (example.log, example.line)
  }

  func example(_ row: Int32) -> Example {
    let row = Int(row)
    let end = row + 1 < marks.count ? marks[row + 1].start : urls.count
    return Example(log: log, line: marks[row].line, url: Array(urls[marks[row].start..<end]))
  }
}
