package import ResourceLoads
package import RuleMatching
package import WebURL

// Hot: every load of the library, of the browser's matcher and of an audited log is decided here.
// Allocates nothing once the page is cached.

/// Decides loads by compiled lists.
///
/// It selects the load's page, determines the party and how much of the URL rules see, and asks
/// each list:
///
///     var decider = LoadDecider(lists, pages: 8)
///     switch decider.prepare(url: url, topURL: page, frameURL: nil, traits) {
///     case .checked(let properties): decider.decide(properties, list: 0).isBlocked
///     case .unchecked, .invalid: …
///     }
///
/// A value for one thread; the lists are shared.
package struct LoadDecider: ~Copyable {
  /// The lists, in the order in which they decide.
  package var lists: [CompiledRuleList] { lent.all }
  private var lent: LentLists
  private var pages: PageCache
  private var scratch = MatchScratch()

  /// The result of preparing a load.
  package enum Prepared {
    /// A text is not an absolute URL.
    case invalid
    /// Rules do not apply to the load.
    case unchecked
    /// The lists can decide the load.
    case checked(LoadProperties)
  }

  /// A reference to a page, for callers that keep data about it.
  package struct PageReference: Hashable, Sendable {
    /// The number of the page's entry, below the number of pages that are cached.
    package var entry: Int
    /// A number unique among the pages of this decider, from 1; 0 if there is no page.
    package var identity: UInt64
  }

  /// Creates a decider.
  ///
  /// - Parameters:
  ///   - lists: The lists.
  ///   - pages: The number of pages to cache, at least one.
  package init(_ lists: [CompiledRuleList], pages: Int) {
    lent = LentLists(lists)
    self.pages = PageCache(capacity: pages)
    for list in lists { scratch.prepare(for: list) }
  }

  // MARK: Lists

  /// Appends a list, and clears the cache of pages.
  package mutating func append(_ list: CompiledRuleList) {
    scratch.prepare(for: list)
    lent.append(list)
    pages.removeAll()
  }

  /// Removes a list, and clears the cache of pages.
  package mutating func remove(list number: Int) {
    lent.remove(at: number)
    pages.removeAll()
  }

  // MARK: Pages

  /// Selects the page of the next loads; returns `false`, and selects none, if a text is not an
  /// absolute URL.
  package mutating func turn(topText: Span<UInt8>, frameText: Span<UInt8>?) -> Bool {
    pages.isPresent(topText: topText, frameText: frameText)
      || pages.turn(topText: topText, frameText: frameText, lent.all, &scratch)
  }

  /// Selects the page of the next loads, given by serialised URLs.
  package mutating func turn(topURL: Span<UInt8>, frameURL: Span<UInt8>) {
    pages.turn(topURL: topURL, frameURL: frameURL, lent.all, &scratch)
  }

  /// A reference to the present page.
  package var page: PageReference { pages.reference }

  /// The site of the present page.
  package var site: PageSite { pages.site }

  // MARK: Loads

  /// Selects the page of a load that is given as text, and sets its URL.
  ///
  /// An empty text counts as absent; see ``LoadDefaults``.
  package mutating func prepare(
    url: Span<UInt8>,
    topURL: Span<UInt8>?,
    frameURL: Span<UInt8>?,
    _ traits: LoadTraits
  ) -> Prepared {
    let type = traits.resourceType
    if LoadDefaults.isItsOwnPage(type) { return prepareNavigation(url, frameURL, traits) }
    guard turn(topURL, frameURL, type) else { return .invalid }
    var isFrameNamed = false
    if let frameURL { isFrameNamed = !frameURL.isEmpty }
    return prepare(
      url: url,
      traits,
      showsOtherDocument: isFrameNamed && pages.showsOtherDocument
    )
  }

  /// Sets the URL, given as text, of a load of the present page.
  package mutating func prepare(url: Span<UInt8>, _ traits: LoadTraits) -> Prepared {
    prepare(url: url, traits, showsOtherDocument: pages.showsOtherDocument)
  }

  /// Selects the page of a load that is given by serialised URLs, and sets its URL.
  ///
  /// - Parameters:
  ///   - matchedURL: The part of the URL that rules see; see ``LoadDefaults/matched(_:_:)``.
  ///   - host: The range of its host.
  ///   - topURL: The URL of the page.
  ///   - frameURL: The URL of the frame's document.
  ///   - traits: Everything else.
  /// - Returns: The result; never ``Prepared/invalid``.
  package mutating func prepare(
    matchedURL: Span<UInt8>,
    host: Range<Int>,
    topURL: Span<UInt8>,
    frameURL: Span<UInt8>,
    _ traits: LoadTraits
  ) -> Prepared {
    turn(topURL: topURL, frameURL: frameURL)
    guard LoadDefaults.isChecked(matchedURL) else { return .unchecked }
    scratch.assign(matchedURL)
    return .checked(
      properties(
        traits,
        host: matchedURL.extracting(host),
        showsOtherDocument: pages.showsOtherDocument
      )
    )
  }

  @inline(__always)
  private mutating func prepare(
    url: Span<UInt8>,
    _ traits: LoadTraits,
    showsOtherDocument: Bool
  ) -> Prepared {
    if let parts = WebURL.parts(ofPlainlySerialized: url) {
      let end = LoadDefaults.matchedCount(
        of: url,
        traits.resourceType,
        fragmentStart: parts.fragmentStart
      )
      scratch.assign(url.extracting(0..<end))
      return .checked(
        properties(
          traits,
          host: url.extracting(parts.host),
          showsOtherDocument: showsOtherDocument
        )
      )
    }
    guard let parsed = WebURL(utf8: url) else { return .invalid }
    let bytes = parsed.utf8.span
    guard LoadDefaults.isChecked(bytes) else { return .unchecked }
    let end = LoadDefaults.matchedCount(of: bytes, traits.resourceType)
    scratch.assign(bytes.extracting(0..<end))
    return .checked(
      properties(
        traits,
        host: bytes.extracting(parsed.hostRange),
        showsOtherDocument: showsOtherDocument
      )
    )
  }

  /// Prepares the load of a page itself.
  private mutating func prepareNavigation(
    _ text: Span<UInt8>,
    _ frameText: Span<UInt8>?,
    _ traits: LoadTraits
  ) -> Prepared {
    var isFrameNamed = false
    if let frameText { isFrameNamed = !frameText.isEmpty }
    if !isFrameNamed, let parts = WebURL.parts(ofPlainlySerialized: text) {
      let end = LoadDefaults.matchedCount(
        of: text,
        traits.resourceType,
        fragmentStart: parts.fragmentStart
      )
      let url = text.extracting(0..<end)
      return prepare(matchedURL: url, host: parts.host, topURL: url, frameURL: url, traits)
    }
    guard let parsed = WebURL(utf8: text) else { return .invalid }
    let url = LoadDefaults.matched(parsed, traits.resourceType)
    var frame = url
    if let frameText, !frameText.isEmpty {
      guard let named = WebURL(utf8: frameText) else { return .invalid }
      frame = named
    }
    return prepare(
      matchedURL: url.utf8.span,
      host: url.hostRange,
      topURL: url.utf8.span,
      frameURL: frame.utf8.span,
      traits
    )
  }

  /// Selects a page and frame; an empty text counts as absent.
  @inline(__always)
  private mutating func turn(
    _ topURL: Span<UInt8>?,
    _ frameURL: Span<UInt8>?,
    _ type: ResourceType
  ) -> Bool {
    if let topURL, !topURL.isEmpty { return turn(topURL, frameURL, type) }
    let blank = Self.initialDocument
    return turn(blank.span, frameURL, type)
  }

  @inline(__always)
  private mutating func turn(
    _ topURL: Span<UInt8>,
    _ frameURL: Span<UInt8>?,
    _ type: ResourceType
  ) -> Bool {
    if let frameURL, !frameURL.isEmpty { return turn(topText: topURL, frameText: frameURL) }
    guard LoadDefaults.beginsFrame(type) else { return turn(topText: topURL, frameText: nil) }
    let blank = Self.initialDocument
    return turn(topText: topURL, frameText: blank.span)
  }

  @inline(__always)
  private func properties(
    _ traits: LoadTraits,
    host: Span<UInt8>,
    showsOtherDocument: Bool
  ) -> LoadProperties {
    LoadProperties(
      resourceType: traits.resourceType,
      loadType: traits.loadType ?? (pages.isFirstParty(host) ? .firstParty : .thirdParty),
      loadContext: traits.loadContext
        ?? LoadDefaults.loadContext(
          of: traits.resourceType,
          showsOtherDocument: showsOtherDocument
        ),
      requestMethod: traits.requestMethod
    )
  }

  private static let initialDocument = Array("\(LoadDefaults.initialDocument)".utf8)

  // MARK: Lists' answers

  /// Decides the prepared load by one list.
  ///
  /// The functions below refer to this decision until the next one.
  package mutating func decide(_ properties: LoadProperties, list number: Int) -> ListDecision {
    lent.withList(number) { pages.decide(properties, $0, number: number, &scratch) }
  }

  /// The rules that matched, in no particular order, without those that hide whatever the load.
  package var matchedEntries: [MatchedEntry] { scratch.matchedEntries }

  /// The filters that, with the page, determine what is hidden whatever the load; see
  /// ``MatchScratch/hidingFilters``.
  package var hidingFilters: [Int] { scratch.hidingFilters }

  /// Returns the rules that matched, dropped ones included, by slot; `includesHiding` adds those
  /// that hide something.
  package func matchedEntries(list number: Int, includesHiding: Bool) -> [MatchedEntry] {
    lists[number].matchedEntries(
      pages.state(ofList: number),
      scratch,
      includesHiding: includesHiding
    )
  }

  /// Returns the actions in slot order; `includesHiding` adds those that hide something.
  package func appliedActions(
    _ decision: ListDecision,
    list number: Int,
    includesHiding: Bool
  ) -> [AppliedAction] {
    lists[number].appliedActions(
      decision,
      pages.state(ofList: number),
      scratch,
      includesHiding: includesHiding
    )
  }

  /// Returns the rules that hide whatever the load, by slot.
  package func hidingEntries(list number: Int) -> [MatchedEntry] {
    lists[number].hidingEntries(pages.state(ofList: number), scratch)
  }

  /// Returns the number of the set of rules that hide whatever the load; equal numbers mean equal
  /// sets.
  ///
  /// The set excludes rules that the decision's ignore rules drop.
  package mutating func hidingSet(list number: Int, _ decision: ListDecision) -> UInt32 {
    pages.hidingSet(
      ofList: number,
      scratch.hidingFilters,
      lowerSlot: decision.lowerSlot,
      upperSlot: decision.upperSlot
    )
  }

  /// Counts the rules that hide whatever the load; `known` is the table's cache for the present
  /// page.
  package func hidingCount(
    _ table: HidingTable,
    _ decision: ListDecision,
    list number: Int,
    _ known: inout HidingTable.Page
  ) -> Int {
    table.count(decision, pages.state(ofList: number), &known, scratch)
  }

  /// Appends the URL of the prepared load, as rules see it.
  package func appendURL(to bytes: inout [UInt8]) { scratch.appendURL(to: &bytes) }
}
