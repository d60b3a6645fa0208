internal import RuleMatching
internal import WebURL

/// A page and frame with what every list says about it.
final class CachedPage {
  let top: [UInt8]
  /// Tells which loads go to the page's site.
  let party: PageSite
  let frame: [UInt8]
  let site: Int
  var states: [PageState]
  /// For each list, what it hides whatever the load, by the filters that matched.
  var groups: [[(filters: [Int], group: HidingGroup)]]

  init(
    top: [UInt8],
    frame: [UInt8],
    site: Int,
    states: [PageState],
    groups: [[(filters: [Int], group: HidingGroup)]]
  ) {
    self.top = top
    party = PageSite(topURL: top.span)
    self.frame = frame
    self.site = site
    self.states = states
    self.groups = groups
  }
}

/// The pages that were met of late.
///
/// Logs go back and forth between the frames of a page and between pages that were open at once.
struct PageCache {
  private struct Key: Hashable {
    var top: ByteKey
    var frame: ByteKey
  }

  /// The most rules in groups, and about the most in pages: 12 MiB of each.
  private static let entryLimit = 1 << 20

  /// The most pages; fewer when a page has many rules.
  private var pageLimit = 512

  private var pages: [Key: CachedPage] = [:]
  private var order: [Key] = []
  private var nextVictim = 0
  private var groupsOfLists: [[Int: [HidingGroup]]]
  private var groupCount = 0
  private var entryCount = 0
  init(listCount: Int) { groupsOfLists = Array(repeating: [:], count: listCount) }

  /// Whether groups must be counted out before a page is added.
  var isFull: Bool { groupCount >= 256 || entryCount >= Self.entryLimit }

  func find(top: [UInt8], frame: [UInt8]) -> CachedPage? {
    pages[Key(top: ByteKey(top), frame: ByteKey(frame))]
  }

  mutating func add(
    top: [UInt8],
    frame: [UInt8],
    site: Int,
    lists: [CompiledRuleList],
    _ scratch: inout MatchScratch
  ) -> CachedPage {
    let key = Key(top: ByteKey(top), frame: ByteKey(frame))
    let page: CachedPage
    if nextVictim >= pageLimit { nextVictim = 0 }
    if order.count < pageLimit {
      page = CachedPage(top: top, frame: frame, site: site, states: [], groups: [])
      order.append(key)
      page.states = lists.map { _ in PageState() }
    } else {
      // The memory of the page that has been there longest serves the new one.
      let victim = pages.removeValue(forKey: order[nextVictim])
      page = CachedPage(
        top: top,
        frame: frame,
        site: site,
        states: victim?.states ?? lists.map { _ in PageState() },
        groups: []
      )
      victim?.states = []
      order[nextVictim] = key
      nextVictim += 1
    }
    for number in lists.indices {
      lists[number].update(
        &page.states[number],
        topURL: top.span,
        frameURL: frame.span,
        &scratch
      )
      page.groups.append([])
    }
    pages[key] = page
    return page
  }

  /// The group of what a list hides whatever the load, for the load that was decided last.
  mutating func group(
    of page: CachedPage,
    _ list: CompiledRuleList,
    number: Int,
    _ scratch: borrowing MatchScratch
  ) -> HidingGroup {
    for known in page.groups[number] where known.filters == scratch.hidingFilters {
      return known.group
    }
    let entries = list.hidingEntries(page.states[number], scratch)
    pageLimit = min(pageLimit, max(4, Self.entryLimit / (1 + entries.count)))
    let group = group(entries, list: number)
    page.groups[number].append((scratch.hidingFilters, group))
    return group
  }

  /// All groups.
  var groups: some Sequence<HidingGroup> {
    groupsOfLists.joined().flatMap(\.value)
  }

  func groups(of list: Int) -> [HidingGroup] { groupsOfLists[list].flatMap(\.value) }

  /// Forgets all pages and groups.
  mutating func removeAll() {
    pages = [:]
    order = []
    nextVictim = 0
    groupsOfLists = Array(repeating: [:], count: groupsOfLists.count)
    groupCount = 0
    entryCount = 0
  }

  /// The group of the given rules, which most pages share.
  private mutating func group(_ entries: [MatchedEntry], list: Int) -> HidingGroup {
    // The sum is only to tell most of the different ones apart at once.
    var sum = entries.count
    for entry in entries { sum = sum &* 31 &+ Int(entry.rule) }
    if let known = groupsOfLists[list][sum]?.first(where: { $0.isOf(entries) }) { return known }
    let group = HidingGroup(entries)
    groupsOfLists[list][sum, default: []].append(group)
    groupCount += 1
    entryCount += entries.count
    return group
  }
}
