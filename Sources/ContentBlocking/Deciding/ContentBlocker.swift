internal import ContentRules
internal import LoadDeciding
public import ResourceLoads
internal import RuleMatching
public import WebURL

/// Decides loads by several rule lists.
///
/// Lists do not see each other's ignore actions; their results are merged in the order of the
/// lists.
///
///     var blocker = ContentBlocker(lists: [ads, cookies])
///     for load in loads {
///       let decision = blocker.decision(for: load)
///       if decision.isBlocked { … }
///     }
///
/// Caches what lists say about the last few pages and frames, so that the next load of a page costs
/// only its own URL. A value for one thread; the lists are shared.
///
/// > Source: the rule language, sections 7 and 8. WebKit: `ContentExtensionsBackend`.
public struct ContentBlocker: ~Copyable {
  /// The lists, in the order in which they decide.
  ///
  /// > Deviation: WebKit's order is that of a hash table and differs between runs.
  public let lists: [ContentRuleList]
  /// Permissions to redirect loads and change headers, by list identifier.
  ///
  /// Without a permission that matches the load's URL, `redirect` and `modify-headers` are listed
  /// among the actions but do nothing.
  public var permissions: [String: Permission] = [:]

  var decider: LoadDecider
  /// Counts rules that hide something; created on first use.
  var hidingCounter: HidingCounter?

  // In a log of loads of 500 sites, eight pages catch two of three loads that are not of the same
  // page as the load before. Searching them costs less than deciding a URL.
  private static let pages = 8

  /// A permission that an embedder gives to a list.
  public struct Permission: Sendable {
    /// Loads with a URL that matches any of these may be redirected and have their headers changed.
    public var patterns: [URLMatchPattern]
    /// The base URL for paths of `extension-path` redirects.
    public var extensionBaseURL: WebURL?

    /// Creates a permission.
    public init(patterns: [URLMatchPattern], extensionBaseURL: WebURL? = nil) {
      self.patterns = patterns
      self.extensionBaseURL = extensionBaseURL
    }

    /// Whether any pattern matches the load's URL.
    func permits(_ load: ResourceLoad) -> Bool { patterns.contains { $0.matches(load.url) } }
  }

  /// Creates a blocker with the given lists.
  public init(lists: [ContentRuleList]) {
    self.lists = lists
    decider = LoadDecider(lists.map { $0.compiled }, pages: Self.pages)
  }

  /// Decides a load.
  ///
  /// - Complexity: O(*n*) for *n* bytes of URL, plus what hits, for each list.
  public mutating func decision(for load: ResourceLoad) -> LoadDecision {
    decision(for: load, includesHiding: true)
  }

  /// Decides a load; without `includesHiding`, leaves out the thousands of actions that hide
  /// something.
  package mutating func decision(for load: ResourceLoad, includesHiding: Bool) -> LoadDecision {
    guard case .checked(let properties) = prepare(load) else { return LoadDecision() }
    var merger = DecisionMerger(load: load)
    for (number, list) in lists.enumerated() {
      let decision = decider.decide(properties, list: number)
      let actions = decider.appliedActions(decision, list: number, includesHiding: includesHiding)
      merger.add(
        actions,
        decision,
        of: list,
        number: number,
        permission: permissions[list.identifier]
      )
    }
    return merger.finished()
  }

  /// Decides a load's outcome: blocked, without cookies, upgraded.
  ///
  /// The fast path: allocates nothing once the page is cached. Ignores permissions.
  public mutating func outcome(for load: ResourceLoad) -> Outcome {
    guard case .checked(let properties) = prepare(load) else { return Outcome() }
    return outcome(properties)
  }

  /// Decides the outcome of a load whose URLs are given as text.
  ///
  /// Equals parsing the URLs and calling ``outcome(for:)``, but a load of a cached page allocates
  /// nothing, unless its URL is not in serialised form or it is a page itself.
  ///
  ///     blocker.outcome(url: "https://ads.test/a.js", topURL: page, resourceType: .script)
  ///
  /// The parameters are those of ``ResourceLoad``; an empty text means that it is absent.
  ///
  /// - Returns: `nil` if a text is not an absolute URL.
  /// - Complexity: O(*n*) for *n* bytes of text, plus what hits, for each list. Parses a page or
  ///   frame only if it is not cached.
  public mutating func outcome(
    url: String,
    topURL: String? = nil,
    frameURL: String? = nil,
    resourceType: ResourceType,
    loadContext: LoadContext? = nil,
    requestMethod: RequestMethod? = .get,
    loadType: LoadType? = nil
  ) -> Outcome? {
    let traits = LoadTraits(
      resourceType: resourceType,
      loadType: loadType,
      loadContext: loadContext,
      requestMethod: requestMethod
    )
    return url.withBytes { url in
      // One call for each case: a default text would be copied, and asked for its bytes.
      if let topURL, let frameURL {
        topURL.withBytes { topURL in
          frameURL.withBytes { outcome(url, topURL, $0, traits) }
        }
      } else if let topURL {
        topURL.withBytes { outcome(url, $0, nil, traits) }
      } else if let frameURL {
        frameURL.withBytes { outcome(url, nil, $0, traits) }
      } else {
        outcome(url, nil, nil, traits)
      }
    }
  }

  /// Decides the outcome of a load whose URLs are given as bytes.
  ///
  /// Like ``outcome(url:topURL:frameURL:resourceType:loadContext:requestMethod:loadType:)`` for
  /// strings; the bytes are borrowed for the call. Ill-formed UTF-8 is percent-encoded as
  /// ``WebURL/init(utf8:base:)-(Span<UInt8>,_)`` describes.
  ///
  /// - Returns: `nil` if a text is not an absolute URL.
  public mutating func outcome(
    url: Span<UInt8>,
    topURL: Span<UInt8>? = nil,
    frameURL: Span<UInt8>? = nil,
    resourceType: ResourceType,
    loadContext: LoadContext? = nil,
    requestMethod: RequestMethod? = .get,
    loadType: LoadType? = nil
  ) -> Outcome? {
    let traits = LoadTraits(
      resourceType: resourceType,
      loadType: loadType,
      loadContext: loadContext,
      requestMethod: requestMethod
    )
    return outcome(url, topURL, frameURL, traits)
  }

  private mutating func outcome(
    _ url: Span<UInt8>,
    _ topURL: Span<UInt8>?,
    _ frameURL: Span<UInt8>?,
    _ traits: LoadTraits
  ) -> Outcome? {
    switch decider.prepare(url: url, topURL: topURL, frameURL: frameURL, traits) {
    case .invalid: return nil
    case .unchecked: return Outcome()
    case .checked(let properties): return outcome(properties)
    }
  }

  /// Selects the page of a load and sets its URL.
  mutating func prepare(_ load: ResourceLoad) -> LoadDecider.Prepared {
    decider.prepare(
      matchedURL: load.url.utf8.span,
      host: load.url.hostRange,
      topURL: load.topURL.utf8.span,
      frameURL: load.frameURL.utf8.span,
      load.traits
    )
  }

  /// Decides the prepared load.
  private mutating func outcome(_ properties: LoadProperties) -> Outcome {
    var outcome = Outcome()
    for number in lists.indices {
      let decision = decider.decide(properties, list: number)
      outcome.isBlocked = outcome.isBlocked || decision.isBlocked
      outcome.blocksCookies = outcome.blocksCookies || decision.blocksCookies
      outcome.makesHTTPS = outcome.makesHTTPS || decision.makesHTTPS
    }
    return outcome
  }

  /// The outcome of a load, without reasons.
  public struct Outcome: Hashable, Sendable {
    /// Whether the load fails.
    public var isBlocked = false
    /// Whether the load goes without cookies.
    public var blocksCookies = false
    /// Whether a `make-https` rule applies; what it does depends on the URL.
    public var makesHTTPS = false

    /// Creates an outcome without effect.
    public init() {}
  }

  /// Returns all rules of a list that match a load, dropped ones included, by slot; those that hide
  /// something only with `includesHiding`.
  mutating func matchedEntries(
    for load: ResourceLoad,
    list number: Int,
    includesHiding: Bool
  ) -> (entries: [MatchedEntry], decision: ListDecision) {
    guard case .checked(let properties) = prepare(load) else { return ([], ListDecision()) }
    let decision = decider.decide(properties, list: number)
    return (decider.matchedEntries(list: number, includesHiding: includesHiding), decision)
  }

  /// Adds what a load hides to what is known of its page.
  ///
  /// - Returns: The number of rules that hide something because of the load, without the global
  ///   sheets.
  /// - Complexity: That of deciding the load; what a frame's loads share is looked up once.
  @discardableResult
  public mutating func addHiding(of load: ResourceLoad, to page: inout PageHiding) -> Int {
    guard case .checked(let properties) = prepare(load) else { return 0 }
    var count = 0
    for number in lists.indices {
      let decision = decider.decide(properties, list: number)
      let own = decider.matchedEntries.filter { $0.kind == .cssDisplayNone }
      let key = PageHiding.Key(
        list: number,
        frame: load.frameURL,
        top: load.topURL,
        filters: decider.hidingFilters,
        rules: own.map { $0.rule },
        decision: decision
      )
      if let known = page.count(of: key) {
        count += known
      } else {
        count += page.add(own + decider.hidingEntries(list: number), of: key)
      }
    }
    return count
  }
}

extension String {
  /// Calls a function with the text's UTF-8.
  ///
  /// What `utf8Span` gives, without a call of the library for a text that is stored as UTF-8, as all are but
  /// those that Objective-C has made.
  @inline(__always)
  fileprivate func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    unsafe utf8.withContiguousStorageIfAvailable { body(unsafe $0.span) }
      ?? body(utf8Span.span)
  }
}
