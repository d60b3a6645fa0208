internal import ResourceLoads
internal import RuleMatching
internal import WebURL

/// An LRU cache of pages, with what every list says about each.
///
/// Loads alternate between the frames of a page, and between pages that are open at once.
struct PageCache {
  private struct Entry {
    var page = KnownPage()
    /// The state of each list.
    var states: [PageState] = []
    /// What loads have hidden so far, by list.
    var hidingSets: [HidingSets] = []
    /// The entry's own number, which it keeps.
    var number: Int
    /// A number unique among pages.
    var identity: UInt64 = 0
    /// A cheap hash that distinguishes most pages.
    var mark: UInt32 = 0
  }

  /// The most pages besides the present one.
  private let capacity: Int
  private var current = Entry(number: 0)
  private var others: [Entry] = []
  /// The marks of the other pages, contiguous so that many pages are searched quickly.
  private var marks: [UInt32] = []
  /// For each of the other pages, when it was last used.
  private var turns: [UInt64] = []
  private var turn: UInt64 = 0
  private var lastIdentity: UInt64 = 0
  private var lastHidingSet: UInt32 = 0

  /// Creates a cache of `capacity` pages, including the present one.
  init(capacity: Int) { self.capacity = max(0, capacity - 1) }

  /// A reference to the present page.
  var reference: LoadDecider.PageReference {
    LoadDecider.PageReference(entry: current.number, identity: current.identity)
  }

  /// Returns what a list says about the present page.
  func state(ofList number: Int) -> PageState { current.states[number] }

  /// Whether a document other than the page was given for the present frame.
  var showsOtherDocument: Bool { current.page.showsOtherDocument }

  /// The site of the present page.
  var site: PageSite { current.page.site }

  /// Whether a load from a host goes to the site of the present page.
  func isFirstParty(_ host: Span<UInt8>) -> Bool { current.page.site.isFirstParty(loadHost: host) }

  /// Removes all pages, because the lists have changed.
  mutating func removeAll() {
    current = Entry(number: 0)
    others.removeAll()
    marks.removeAll()
    turns.removeAll()
  }

  // MARK: Turning

  /// Selects a page given by serialised URLs.
  mutating func turn(
    topURL: Span<UInt8>,
    frameURL: Span<UInt8>,
    _ lists: [CompiledRuleList],
    _ scratch: inout MatchScratch
  ) {
    if current.page.has(topURL: topURL, frameURL: frameURL) { return }
    let mark = Self.mark(topURL, frameURL)
    for number in marks.indices
    where marks[number] == mark && others[number].page.has(topURL: topURL, frameURL: frameURL) {
      return turn(to: number)
    }
    turnToOldest()
    current.mark = mark
    current.page.assign(topURL: topURL, frameURL: frameURL)
    update(lists, &scratch)
  }

  /// Whether texts are known to be those of the present page, as they nearly always are.
  @inline(__always)
  func isPresent(topText: Span<UInt8>, frameText: Span<UInt8>?) -> Bool {
    current.page.isWritten(topURL: topText, frameURL: frameText)
  }

  /// Selects a page given by texts that are not those of the present one, see ``isPresent``; returns
  /// `false`, and selects none, if one is not an absolute URL.
  mutating func turn(
    topText: Span<UInt8>,
    frameText: Span<UInt8>?,
    _ lists: [CompiledRuleList],
    _ scratch: inout MatchScratch
  ) -> Bool {
    assert(!isPresent(topText: topText, frameText: frameText), "the page would be cached twice")
    let mark: UInt32
    if let frameText {
      mark = Self.mark(topText, frameText)
    } else {
      mark = Self.mark(topText, topText)
    }
    for number in marks.indices
    where marks[number] == mark
      && others[number].page.isWritten(topURL: topText, frameURL: frameText)
    {
      turn(to: number)
      return true
    }
    turnToOldest()
    current.mark = mark
    current.identity = 0
    guard current.page.parse(topURL: topText, frameURL: frameText) else { return false }
    update(lists, &scratch)
    return true
  }

  private mutating func turn(to number: Int) {
    turn += 1
    turns[number] = turn
    swap(&current, &others[number])
    marks[number] = others[number].mark
  }

  /// Returns the mark of a page by the bytes that it is given in; a page written in two ways has
  /// two.
  private static func mark(_ top: Span<UInt8>, _ frame: Span<UInt8>) -> UInt32 {
    mark(top) &* 0x0100_0193 ^ mark(frame)
  }

  /// Reads only a few bytes, since a mark must cost less than comparing texts.
  private static func mark(_ text: Span<UInt8>) -> UInt32 {
    guard !text.isEmpty else { return 0 }
    var mark = UInt32(truncatingIfNeeded: text.count)
    mark = mark &* 0x0100_0193 ^ UInt32(text[text.count &>> 1])
    mark = mark &* 0x0100_0193 ^ UInt32(text[text.count &- 1 &- text.count &>> 2])
    return mark &* 0x0100_0193 ^ UInt32(text[text.count &- 1])
  }

  /// Stores the present page in a free entry, or evicts the least recently used page.
  private mutating func turnToOldest() {
    if others.count < capacity {
      others.append(Entry(number: others.count + 1))
      marks.append(0)
      turns.append(0)
      turn(to: others.count - 1)
    } else if let oldest = turns.indices.min(by: { turns[$0] < turns[$1] }) {
      turn(to: oldest)
    }
  }

  /// Updates the states of all lists for the present page.
  private mutating func update(_ lists: [CompiledRuleList], _ scratch: inout MatchScratch) {
    lastIdentity += 1
    current.identity = lastIdentity
    while current.states.count < lists.count {
      current.states.append(PageState())
      current.hidingSets.append(HidingSets())
    }
    let (topURL, frameURL) = (current.page.topURL, current.page.frameURL)
    let bytes = current.page.bytes
    for number in lists.indices {
      current.hidingSets[number].removeAll()
      lists[number].update(
        &current.states[number],
        topURL: bytes.span.extracting(topURL),
        frameURL: bytes.span.extracting(frameURL),
        &scratch
      )
    }
  }

  // MARK: Deciding

  /// Decides the scratch's load by one list.
  mutating func decide(
    _ properties: LoadProperties,
    _ list: CompiledRuleList,
    number: Int,
    _ scratch: inout MatchScratch
  ) -> ListDecision {
    precondition(current.states.indices.contains(number), "no such list")
    return unsafe current.states.withUnsafeMutableBufferPointer { states in
      guard let first = states.baseAddress else { return ListDecision() }
      // Moved out and back: a copy would retain and release its arrays, as a swap would those of an
      // empty state.
      let place = unsafe first + number
      let state = unsafe place.move()
      let decision = list.decide(properties, state, &scratch)
      unsafe place.initialize(to: state)
      return decision
    }
  }

  /// Returns the number of the set of rules that a list hides by whatever the load, after a
  /// decision.
  mutating func hidingSet(
    ofList number: Int,
    _ filters: [Int],
    lowerSlot: Int64,
    upperSlot: Int64
  ) -> UInt32 {
    if let known = current.hidingSets[number].number(
      filters,
      lowerSlot: lowerSlot,
      upperSlot: upperSlot
    ) {
      return known
    }
    lastHidingSet &+= 1
    current.hidingSets[number].add(
      filters,
      lowerSlot: lowerSlot,
      upperSlot: upperSlot,
      number: lastHidingSet
    )
    return lastHidingSet
  }
}
