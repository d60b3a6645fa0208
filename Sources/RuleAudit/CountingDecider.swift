internal import ResourceLoads
internal import RuleMatching
internal import WebURL

// Hot: every request of a log comes through `decide`. It allocates nothing once the page is known;
// examples are taken from the chunk's text when the chunk is through, for the rules that it met.

/// Decides loads and counts the rules that matched.
///
/// What it decides is what `ContentBlocker.outcome` decides.
struct CountingDecider: ~Copyable {
  /// Everything about a load but its URLs.
  struct Load {
    var resourceType: ResourceType
    /// `nil` when it follows from the URLs.
    var loadType: LoadType?
    var loadContext: LoadContext
    var requestMethod: RequestMethod?
  }

  private let lists: [CompiledRuleList]
  private var scratch = MatchScratch()
  private var pages: PageCache
  private var page: CachedPage?
  private var counters: [ListCounters]
  private var sites = SiteTable()
  private var outcomes = Outcomes()
  private var rows = ChunkRows()
  private var chunk: Int32 = -1

  init(_ lists: [CompiledRuleList]) {
    self.lists = lists
    pages = PageCache(listCount: lists.count)
    counters = lists.map { ListCounters($0) }
    for list in lists { scratch.prepare(for: list) }
  }

  /// Takes over the page of the next loads, in the form that a browser writes URLs in.
  mutating func setPage(top: [UInt8], frame: [UInt8]) {
    if let page, page.top == top, page.frame == frame { return }
    if let known = pages.find(top: top, frame: frame) {
      page = known
      return
    }
    if pages.isFull { countOutGroups() }
    page = pages.add(
      top: top,
      frame: frame,
      site: sites.number(ofPage: top),
      lists: lists,
      &scratch
    )
  }

  /// Decides a load of the page, whose URL is written as a browser writes it.
  mutating func decide(_ url: Span<UInt8>, _ load: Load, line: Int) {
    guard let page else { return }
    let row = rows.add(url, line: line)
    var flags = Flags()
    var sum = Tally()
    var firstParty = FirstPartyKind.other
    if url.starts(withASCII: "data:") {
      flags.isUnchecked = true
      for number in lists.indices { counters[number].outcomes.add(flags, firstParty) }
    } else {
      let loadType: LoadType
      if let given = load.loadType {
        loadType = given
      } else {
        loadType = page.party.isFirstParty(loadURL: url) ? .firstParty : .thirdParty
      }
      let properties = LoadProperties(
        resourceType: load.resourceType,
        loadType: loadType,
        loadContext: load.loadContext,
        requestMethod: load.requestMethod
      )
      if loadType == .firstParty { firstParty = load.resourceType.firstPartyKind }
      scratch.assign(url)
      for number in lists.indices {
        let decision = lists[number].decide(properties, page.states[number], &scratch)
        let group = pages.group(of: page, lists[number], number: number, scratch)
        flags.formUnion(
          counters[number].count(
            decision,
            scratch.matchedEntries,
            group,
            ListCounters.Place(
              row: row,
              chunk: chunk,
              site: page.site,
              firstParty: firstParty
            ),
            &sum
          )
        )
      }
      if flags.blockerCount == 1 {
        for number in lists.indices { counters[number].countOnlyBlocker() }
      } else if flags.isRescued, !flags.isBlocked {
        for number in lists.indices { counters[number].countRescuers() }
      }
    }
    outcomes.add(flags, firstParty)
    sites.count(page.site, flags, firstParty, sum, row, chunk)
  }

  // MARK: Chunks

  mutating func beginChunk(log: Int) {
    chunk &+= 1
    rows.removeAll(log: log)
  }

  /// Takes the examples of what the chunk met, while its rows are known.
  mutating func endChunk() {
    for number in counters.indices { counters[number].takeExamples(rows, chunk) }
    for group in pages.groups { group.takeExamples(rows, chunk) }
    sites.takeExamples(rows, chunk)
  }

  /// Counts the groups out and forgets the pages, so that neither grows without bound.
  private mutating func countOutGroups() {
    for group in pages.groups { group.takeExamples(rows, chunk) }
    for number in lists.indices {
      for group in pages.groups(of: number) { counters[number].add(group) }
    }
    pages.removeAll()
    page = nil
  }

  /// Everything that was found.
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
  /// What a first-party load of the type is to its page.
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

/// What happened to one load.
struct Flags {
  var isUnchecked = false
  var isBlocked = false
  var isWithoutCookies = false
  var isUpgraded = false
  var isHiding = false
  /// Whether a list would have blocked the load without one of its ignore rules.
  var isRescued = false
  /// How many rules block the load.
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

/// The rows of a chunk, so that their URLs can be had again while the chunk is worked on.
struct ChunkRows {
  private var urls: [UInt8] = []
  private var marks: [(start: Int, line: Int)] = []
  private var log = 0

  mutating func removeAll(log: Int) {
    self.log = log
    urls.removeAll(keepingCapacity: true)
    marks.removeAll(keepingCapacity: true)
  }

  /// Adds a row; its number in the chunk.
  @inline(__always)
  mutating func add(_ url: Span<UInt8>, line: Int) -> Int32 {
    marks.append((urls.count, line))
    unsafe url.withUnsafeBufferPointer { unsafe urls.append(contentsOf: $0) }
    return Int32(truncatingIfNeeded: marks.count &- 1)
  }

  func example(_ row: Int32) -> Example {
    let row = Int(row)
    let end = row + 1 < marks.count ? marks[row + 1].start : urls.count
    return Example(log: log, line: marks[row].line, url: Array(urls[marks[row].start..<end]))
  }
}

extension Span<UInt8> {
  fileprivate func starts(withASCII word: StaticString) -> Bool {
    guard count >= word.utf8CodeUnitCount else { return false }
    let start = unsafe word.utf8Start
    for offset in 0..<word.utf8CodeUnitCount where unsafe self[offset] != start[offset] {
      return false
    }
    return true
  }
}
