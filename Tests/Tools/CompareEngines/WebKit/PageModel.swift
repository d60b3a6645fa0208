import ContentBlocking
import ReferenceMatcher
import ResourceLoads
import WebURL

/// Predicts with the engine what becomes of the loads of a page, by section 8 of the rule language.
struct PageModel: ~Copyable {
  /// What happens to one load.
  struct Fate {
    var isBlocked = false
    var isUpgraded = false
    var hasCookies = true
    /// Where it goes.
    var url: WebURL
  }

  /// Selectors that hide in one document.
  struct Sheet {
    var selectors: Set<String> = []
    var attached: Set<Int> = []

    mutating func add(_ decision: LoadDecision) {
      for list in decision.hiddenSelectors { selectors.formUnion(Self.split(list)) }
      for (number, list) in decision.lists.enumerated() where list.attachesGlobalSheet {
        attached.insert(number)
      }
    }

    static func split(_ list: String) -> [String] {
      list.split(separator: ",").map { part in
        String(part.drop { $0 == " " })
      }
    }
  }

  private var blocker: ContentBlocker
  let globalSelectors: [String?]

  /// Compiles the lists; `nil` if one is refused.
  init?(_ lists: [[JSONValue]]) {
    var compiled: [ContentRuleList] = []
    for (number, rules) in lists.enumerated() {
      guard
        let list = try? ContentRuleList(
          identifier: String(number),
          encodedContentRuleList: Array(JSONValue.array(rules).text.utf8)
        )
      else { return nil }
      compiled.append(list)
    }
    globalSelectors = compiled.map(\.globalSelectors)
    blocker = ContentBlocker(lists: compiled)
  }

  /// Checks a document's load; `sheet` is that of the new document.
  mutating func documentLoad(
    _ url: WebURL,
    frame: WebURL?,
    method: RequestMethod,
    isTop: Bool,
    top: WebURL
  ) -> (url: WebURL, fate: Fate, sheet: Sheet) {
    var bare = url
    bare.setFragment(nil)
    var load = ResourceLoad(
      url: bare,
      topURL: isTop ? bare : top,
      resourceType: isTop ? .topDocument : .childDocument,
      loadContext: isTop ? .topFrame : .childFrame,
      requestMethod: method
    )
    if let frame = frame ?? WebURL("about:blank") { load.frameURL = frame }
    var sheet = Sheet()
    var fate = check(load, &sheet)
    // The document keeps the fragment.
    if let fragment = url.fragment { fate.url.setFragment(fragment) }
    return (fate.url, fate, sheet)
  }

  /// Checks a subresource of a document.
  mutating func subresource(
    _ planned: PagePlan.Load,
    top: WebURL,
    document: WebURL,
    isTopFrame: Bool,
    method: RequestMethod,
    _ sheet: inout Sheet
  ) -> Fate {
    func load(_ url: WebURL, _ type: ResourceType) -> ResourceLoad {
      ResourceLoad(
        url: url,
        topURL: top,
        frameURL: document,
        resourceType: type,
        loadContext: isTopFrame ? .topFrame : .childFrame,
        requestMethod: method
      )
    }
    var url = planned.url
    // Requests to other origins whose answers a script may read lose their credentials before they
    // are checked.
    if Self.readable.contains(planned.kind), url.origin != document.origin {
      _ = url.setUsername("")
      _ = url.setPassword("")
    }
    var first = load(url, planned.type)
    // Their types do not distinguish them from other loads.
    switch planned.kind {
    case "track": first.url.setFragment(nil)
    case "xhr-sync": first.url = url
    default: break
    }
    var fate = check(first, &sheet)
    // These are checked as what they are and then as any other load, with the fragment and without.
    guard planned.type == .ping || planned.type == .cspReport else { return fate }
    for keepsFragment in [true, false] where !fate.isBlocked {
      var other = load(fate.url, .other)
      if keepsFragment { other.url = fate.url }
      let again = check(other, &sheet)
      fate.isBlocked = again.isBlocked
      fate.isUpgraded = fate.isUpgraded || again.isUpgraded
      fate.hasCookies = fate.hasCookies && again.hasCookies
      fate.url = again.url
    }
    return fate
  }

  private static let readable: Set = [
    "xhr", "xhr-sync", "event-source", "preload-fetch", "module", "import", "track",
  ]

  private mutating func check(_ load: ResourceLoad, _ sheet: inout Sheet) -> Fate {
    let decision = blocker.decision(for: load)
    sheet.add(decision)
    return Fate(
      isBlocked: decision.isBlocked,
      isUpgraded: decision.newURL != nil,
      hasCookies: !decision.blocksCookies,
      url: decision.isBlocked ? load.url : decision.newURL ?? load.url
    )
  }
}
