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
/// A blocker caches what it found out about the last few pages and frames, so that a page's next
/// load costs its own URL only. It is a value for one thread; the lists are shared.
///
/// > Source: the rule language, sections 7 and 8. WebKit: `ContentExtensionsBackend`.
public struct ContentBlocker: ~Copyable {
  /// The lists, in the order in which they are asked.
  ///
  /// > Deviation: WebKit's order is that of a hash table and differs between runs.
  public let lists: [ContentRuleList]
  /// Lets lists redirect loads and change headers; by identifier.
  ///
  /// Without an entry whose patterns match the load's URL, `redirect` and `modify-headers` are
  /// listed among the actions but do nothing.
  public var permissions: [String: Permission] = [:]

  var decider: LoadDecider
  /// How many rules hide something, once that was asked for.
  var hidingCounter: HidingCounter?

  // In a log of 500 sites' loads, eight pages hold two of three that are not the one before. Looking
  // for one costs less than a load's URL does.
  private static let pages = 8

  /// What an embedder lets a list do.
  public struct Permission: Sendable {
    /// The loads whose URLs match any of these may be redirected and their headers changed.
    public var patterns: [URLMatchPattern]
    /// What paths of `extension-path` redirects are resolved against.
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

  /// Decides a load, and leaves out the actions that hide something unless they are asked for: there
  /// are thousands of them for each load.
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

  /// Decides a load as far as its fate goes: blocked, without cookies, upgraded.
  ///
  /// This is the engine's fast way: it allocates nothing once the page is known. Ignores
  /// permissions.
  public mutating func outcome(for load: ResourceLoad) -> Outcome {
    guard case .checked(let properties) = prepare(load) else { return Outcome() }
    return outcome(properties)
  }

  /// Decides a load whose URLs are given as text, as far as its fate goes.
  ///
  /// The same as parsing the URLs and asking ``outcome(for:)``, but for the memory: a load on one of
  /// the last pages allocates nothing, unless its URL is one that the parser must rewrite or it is a
  /// page itself.
  ///
  ///     blocker.outcome(url: "https://ads.test/a.js", topURL: page, resourceType: .script)
  ///
  /// The parameters are those of ``ResourceLoad``; an empty text is one that is absent.
  ///
  /// - Returns: `nil` if a text is not an absolute URL.
  /// - Complexity: O(*n*) for *n* bytes of text, plus what hits, for each list. A page or frame is
  ///   parsed when it is none of the last few.
  public mutating func outcome(
    url: String,
    topURL: String? = nil,
    frameURL: String? = nil,
    resourceType: ResourceType,
    loadContext: LoadContext? = nil,
    requestMethod: RequestMethod? = .get,
    loadType: LoadType? = nil
  ) -> Outcome? {
    let topURL = topURL ?? ""
    let frameURL = frameURL ?? ""
    return outcome(
      url: url.utf8Span.span,
      topURL: topURL.utf8Span.span,
      frameURL: frameURL.utf8Span.span,
      resourceType: resourceType,
      loadContext: loadContext,
      requestMethod: requestMethod,
      loadType: loadType
    )
  }

  /// Decides a load whose URLs are given as bytes, as far as its fate goes.
  ///
  /// As ``outcome(url:topURL:frameURL:resourceType:loadContext:requestMethod:loadType:)`` does with
  /// strings; the bytes are borrowed for the call. Bytes that are not UTF-8 are percent-encoded as
  /// ``WebURL/init(utf8:base:)-(Span<UInt8>,_)`` says.
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
    switch decider.prepare(url: url, topURL: topURL, frameURL: frameURL, traits) {
    case .invalid: return nil
    case .unchecked: return Outcome()
    case .checked(let properties): return outcome(properties)
    }
  }

  /// Turns to the page of a load, and takes over its URL.
  mutating func prepare(_ load: ResourceLoad) -> LoadDecider.Prepared {
    decider.prepare(
      matchedURL: load.url.utf8.span,
      host: load.url.hostRange,
      topURL: load.topURL.utf8.span,
      frameURL: load.frameURL.utf8.span,
      load.traits
    )
  }

  /// Decides the load that was prepared.
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

  /// The fate of a load, without its reasons.
  public struct Outcome: Hashable, Sendable {
    /// Whether the load fails.
    public var isBlocked = false
    /// Whether the load goes without cookies.
    public var blocksCookies = false
    /// Whether a `make-https` rule applies; what it does depends on the URL.
    public var makesHTTPS = false

    /// Creates an outcome that does nothing.
    public init() {}
  }

  /// All rules of a list whose triggers match a load, dropped ones included, by slot; those that
  /// hide something with `includesHiding` alone.
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
  /// - Returns: How many rules hide something because of the load, the global sheets apart.
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
