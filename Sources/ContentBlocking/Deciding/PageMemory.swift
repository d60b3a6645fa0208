internal import ResourceLoads
internal import RuleMatching
internal import WebURL

/// The pages that a blocker has met of late, with what every list says about them.
///
/// Loads go back and forth between the frames of a page, and between pages that are open at once.
struct PageMemory {
  /// The most pages besides the present one.
  ///
  /// In a log of 500 sites' loads, seven hold two of three pages that are not the one before. Looking
  /// for one costs less than a load's URL does.
  static let capacity = 7

  private struct Entry {
    var page = KnownPage()
    /// What each list says.
    var states: [PageState]
    /// What is known of the rules of each list that hide something; empty until it is asked for.
    var hiding: [HidingTable.Page] = []
  }

  private let listCount: Int
  private var current: Entry
  private var others: [Entry] = []
  /// For each of the others when it was the present one last.
  private var turns: [UInt64] = []
  private var turn: UInt64 = 0

  init(listCount: Int) {
    self.listCount = listCount
    current = Entry(states: Array(repeating: PageState(), count: listCount))
  }

  /// What a list says about the present page.
  func state(ofList number: Int) -> PageState { current.states[number] }

  /// Whether a document was named for the frame of the present page that is not the page's own.
  var showsOtherDocument: Bool { current.page.showsOtherDocument }

  /// Whether a load from a host goes to the site of the present page.
  func loadType(ofHost host: Span<UInt8>) -> LoadType {
    current.page.site.isFirstParty(loadHost: host) ? .firstParty : .thirdParty
  }

  /// Turns to a page given by serialised URLs.
  mutating func turn(
    topURL: Span<UInt8>,
    frameURL: Span<UInt8>,
    _ lists: [ContentRuleList],
    _ scratch: inout MatchScratch
  ) {
    if current.page.has(topURL: topURL, frameURL: frameURL) { return }
    for number in others.indices
    where others[number].page.has(topURL: topURL, frameURL: frameURL) {
      return turn(to: number)
    }
    turnToOldest()
    current.page.assign(topURL: topURL, frameURL: frameURL)
    update(lists, &scratch)
  }

  /// Turns to a page given by texts; `false` if one is not an absolute URL, and then there is no
  /// page.
  mutating func turn(
    topText: Span<UInt8>,
    frameText: Span<UInt8>?,
    _ lists: [ContentRuleList],
    _ scratch: inout MatchScratch
  ) -> Bool {
    if current.page.isWritten(topURL: topText, frameURL: frameText) { return true }
    for number in others.indices
    where others[number].page.isWritten(topURL: topText, frameURL: frameText) {
      turn(to: number)
      return true
    }
    turnToOldest()
    guard current.page.parse(topURL: topText, frameURL: frameText) else { return false }
    update(lists, &scratch)
    return true
  }

  /// Decides the load that the scratch holds by one list.
  mutating func decide(
    _ properties: LoadProperties,
    _ list: ContentRuleList,
    number: Int,
    _ scratch: inout MatchScratch
  ) -> ListDecision {
    // Taken out and put back, for a copy would count the references of its arrays up and down.
    var state = PageState()
    swap(&state, &current.states[number])
    let decision = list.compiled.decide(properties, state, &scratch)
    swap(&state, &current.states[number])
    return decision
  }

  // MARK: Pages

  private mutating func turn(to number: Int) {
    turn += 1
    turns[number] = turn
    swap(&current, &others[number])
  }

  /// Puts the present page aside, for a free entry or that of the page put aside longest ago.
  private mutating func turnToOldest() {
    if others.count < Self.capacity {
      others.append(Entry(states: Array(repeating: PageState(), count: listCount)))
      turns.append(0)
      turn(to: others.count - 1)
    } else {
      turn(to: turns.indices.min { turns[$0] < turns[$1] } ?? 0)
    }
  }

  /// How many rules of a list hide something on the present page, after a decision.
  mutating func hidingCount(
    _ table: HidingTable,
    _ decision: ListDecision,
    number: Int,
    _ scratch: borrowing MatchScratch
  ) -> Int {
    if current.hiding.isEmpty {
      current.hiding = Array(repeating: HidingTable.Page(), count: listCount)
    }
    // Taken out and put back, as a state is.
    var page = HidingTable.Page()
    swap(&page, &current.hiding[number])
    let count = table.count(decision, current.states[number], &page, scratch)
    swap(&page, &current.hiding[number])
    return count
  }

  /// Lets all lists know the present page.
  private mutating func update(_ lists: [ContentRuleList], _ scratch: inout MatchScratch) {
    for number in current.hiding.indices { current.hiding[number].reset() }
    let page = current.page
    let bytes = page.bytes
    for number in lists.indices {
      lists[number].compiled.update(
        &current.states[number],
        topURL: bytes.span.extracting(page.topURL),
        frameURL: bytes.span.extracting(page.frameURL),
        &scratch
      )
    }
  }
}
