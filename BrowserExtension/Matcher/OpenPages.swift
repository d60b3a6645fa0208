import WebURL

#if canImport(RuleMatching)
import RuleMatching
#endif

/// The pages of the last loads, with what every open list says about them.
///
/// What `PageMemory` is to lists that stay; here lists come and go, and then all is found out
/// again.
struct OpenPages {
  /// Tabs and frames load at once, more of them than in a log.
  private static let capacity = 24

  /// What a list hides on a page apart from the loads' types, under a number of its own.
  ///
  /// On most pages all loads hide the same, and finding out what it is costs more than deciding.
  private struct Hiding {
    var filters: [Int]
    var lowerSlot: Int64
    var upperSlot: Int64
    var number: UInt32
  }

  private struct Entry {
    var page = KnownPage()
    /// The state of each open list, in their order.
    var states: [PageState] = []
    /// What loads have hidden so far, for each list.
    var hidings: [[Hiding]] = []
    /// When it was the present one last.
    var turn: UInt32 = 0
  }

  private var entries: [Entry] = []
  private var current = 0
  private var turn: UInt32 = 0
  private var lastHiding: UInt32 = 0

  /// Whether there is a present page.
  var isEmpty: Bool { entries.isEmpty }

  /// Forgets all pages, because the lists are others now.
  mutating func forget() { entries.removeAll() }

  /// Whether a load from a host goes to the site of the present page.
  func isFirstParty(_ host: Span<UInt8>) -> Bool {
    entries[current].page.site.isFirstParty(loadHost: host)
  }

  /// What a list says about the present page.
  func state(ofList number: Int) -> PageState { entries[current].states[number] }

  /// Turns to a page; `false` if a text is not an absolute URL, and then no page is known.
  mutating func turn(
    topURL: Span<UInt8>,
    frameURL: Span<UInt8>,
    _ lists: [OpenList],
    _ scratch: inout MatchScratch
  ) -> Bool {
    turn &+= 1
    for number in entries.indices
    where entries[number].page.isWritten(topURL: topURL, frameURL: frameURL) {
      current = number
      entries[number].turn = turn
      return true
    }
    if entries.count < Self.capacity {
      current = entries.count
      entries.append(Entry())
    } else {
      current = entries.indices.min { entries[$0].turn < entries[$1].turn } ?? 0
    }
    guard entries[current].page.parse(topURL: topURL, frameURL: frameURL) else {
      forget()
      return false
    }
    entries[current].turn = turn
    let page = entries[current].page
    let bytes = page.bytes
    while entries[current].states.count < lists.count {
      entries[current].states.append(PageState())
    }
    entries[current].hidings = Array(repeating: [], count: lists.count)
    for number in lists.indices {
      lists[number].list.update(
        &entries[current].states[number],
        topURL: bytes.span.extracting(page.topURL),
        frameURL: bytes.span.extracting(page.frameURL),
        &scratch
      )
    }
    return true
  }

  /// The number of what a list hides with the decision that it has just made on the present page.
  ///
  /// Equal numbers stand for the same rules.
  mutating func hiding(
    ofList number: Int,
    _ decision: ListDecision,
    _ scratch: borrowing MatchScratch
  ) -> UInt32 {
    let filters = scratch.hidingFilters
    for hiding in entries[current].hidings[number]
    where hiding.lowerSlot == decision.lowerSlot && hiding.upperSlot == decision.upperSlot
      && hiding.filters == filters
    {
      return hiding.number
    }
    lastHiding &+= 1
    // A page whose loads all hide something else is not worth more memory.
    if entries[current].hidings[number].count >= 16 { entries[current].hidings[number].removeAll() }
    entries[current].hidings[number].append(
      Hiding(
        filters: filters,
        lowerSlot: decision.lowerSlot,
        upperSlot: decision.upperSlot,
        number: lastHiding
      )
    )
    return lastHiding
  }
}
