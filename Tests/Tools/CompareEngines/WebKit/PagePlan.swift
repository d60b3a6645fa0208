import CaseGenerators
import ContentBlocking
import ReferenceMatcher
import ResourceLoads
import TestSupport
import WebURL

/// A page to be loaded by WebKit: the document, its subresources, frames with their own.
struct PagePlan {
  /// One load of the page.
  struct Load {
    var kind: String
    var url: WebURL
    var type: ResourceType
    var children: [Load] = []
  }

  /// The rule lists, as values.
  var lists: [[JSONValue]]
  var page: WebURL
  /// The page before it, which is the frame URL of the page's load.
  var from: WebURL?
  var method: RequestMethod
  var loads: [Load]

  static let probes = [".ad", "#b", ".Ad", ".x", ".y"]

  /// Makes the plan of a seed; `nil` when no page comes of it.
  init?(seed: UInt64) {
    var random = RandomSource(seed: seed &* 7919 &+ 17)
    var options = CaseOptions()
    options.ruleCount = 1...8
    options.loadCount = 24
    options.identifiers = 0
    switch seed % 4 {
    case 0: options.actionWeights["css-display-none"] = 80
    case 1:
      options.actionWeights["ignore-previous-rules"] = 25
      options.actionWeights["ignore-following-rules"] = 12
    default: break
    }
    // What cannot be seen is left out, and what can be seen comes more often.
    for type in ["notify", "redirect", "modify-headers"] { options.actionWeights[type] = 1 }
    options.actionWeights["make-https"] = 15
    options.actionWeights["block-cookies"] = 20
    let generator = CaseGenerator(options: options) { WebURL($0)?.serialized == $0 }
    let made = generator.makeCase(seed: seed)
    lists = [made.rules.map(Self.withoutHidingAll)]
    if random.chance(25) {
      lists.append(generator.makeCase(seed: seed &+ 1 << 40).rules.map(Self.withoutHidingAll))
    }
    if random.chance(15) { lists[0].append(Self.fragmentRule) }
    method = random.chance(15) ? .post : .get

    func usable(_ text: String, _ schemes: [String]) -> WebURL? {
      guard let url = WebURL(text), schemes.contains(url.scheme), !(url.host ?? "").isEmpty,
        !(url.host ?? "").hasPrefix("[")
      else { return nil }
      return url
    }
    let web = ["http", "https"]
    guard let page = made.loads.compactMap({ usable($0.topURL, web) }).first,
      page.username.isEmpty
    else { return nil }
    self.page = page
    // A frame URL of its own for the page's load.
    if random.chance(20) {
      from = made.loads.compactMap { usable($0.frameURL, web) }.first
      if from?.username.isEmpty == false || from == page { from = nil }
    }
    loads = []

    var seen: Set<String> = [Self.key(page)]
    if let from { seen.insert(Self.key(from)) }
    var hasReport = false
    // WebKit's rules on mixed content come first, so a secure document has secure loads only.
    let isSecure = Self.endsUpSecure(page, lists, from, method, top: nil)
    func load(_ generated: ReferenceLoad, mustBeSecure: Bool, depth: Int) -> Load? {
      guard let kinds = Self.kinds[generated.resourceType] else { return nil }
      let kind = random.pick(kinds.names)
      guard var url = usable(generated.url, web + ["ws", "wss"]) else { return nil }
      _ = url.setScheme(mustBeSecure ? "https" : url.scheme.hasPrefix("http") ? url.scheme : "http")
      if kind == "websocket" { _ = url.setScheme(url.scheme == "https" ? "wss" : "ws") }
      if ["worker", "svg-document"].contains(kind) {
        // Of the page's own origin.
        guard depth == 0, let own = WebURL(url.path, base: page) else { return nil }
        url = own
        if mustBeSecure { _ = url.setScheme("https") }
      }
      if kind != "websocket", random.chance(10) {
        url.setFragment(random.pick(["ad", "top", "/x?y"]))
      }
      guard !url.path.isEmpty, seen.insert(Self.key(url)).inserted else { return nil }
      // `fetch` itself refuses these before anybody is asked.
      if kind == "fetch", !url.username.isEmpty || !url.password.isEmpty { return nil }
      if kind == "csp-report" {
        if hasReport { return nil }
        hasReport = true
      }
      return Load(kind: kind, url: url, type: kinds.type)
    }
    var remaining = made.loads[...]
    while loads.count < 6, let next = remaining.popFirst() {
      guard var made = load(next, mustBeSecure: isSecure, depth: 0) else { continue }
      if made.kind == "child-document" {
        var top = page
        if isSecure { _ = top.setScheme("https") }
        let isSecure = isSecure || Self.endsUpSecure(made.url, lists, nil, .get, top: top)
        while made.children.count < 2, let inner = remaining.popFirst() {
          if let inner = load(inner, mustBeSecure: isSecure, depth: 1),
            inner.kind != "child-document"
          {
            made.children.append(inner)
          }
        }
      }
      loads.append(made)
    }
    if loads.isEmpty && random.chance(70) { return nil }
  }

  private static func key(_ url: WebURL) -> String {
    // Loads that differ by scheme, credentials or fragment would be taken for each other.
    var url = url
    _ = url.setUsername("")
    _ = url.setPassword("")
    let text = url.serializedWithoutFragment
    guard let colon = text.firstIndex(of: ":") else { return text }
    return String(text[colon...])
  }

  /// Which kinds of loads have an engine type, and which of them are made.
  private static let kinds: [String: (type: ResourceType, names: [String])] = [
    "image": (.image, ["image", "image", "css-image"]),
    "script": (.script, ["script", "module", "import"]),
    "style-sheet": (.styleSheet, ["style-sheet", "css-import"]),
    "font": (.font, ["font"]), "svg-document": (.svgDocument, ["svg-document"]),
    "media": (.media, ["track"]), "fetch": (.fetch, ["fetch", "xhr", "xhr-sync"]),
    "websocket": (.webSocket, ["websocket"]), "popup": (.popup, ["popup"]),
    "other": (.other, ["beacon", "worker", "event-source", "preload-fetch"]),
    "ping": (.ping, ["ping"]), "csp-report": (.cspReport, ["csp-report"]),
    "child-document": (.childDocument, ["child-document"]),
  ]

  /// Which loads WebKit judges with their fragment.
  private static let fragmentRule: JSONValue = .object([
    "trigger": .object(["url-filter": .string("#")]),
    "action": .object(["type": .string("block")]),
  ])

  /// Without `*`, which would hide boxes whose images are then never loaded.
  private static func withoutHidingAll(_ rule: JSONValue) -> JSONValue {
    guard var members = rule.object, var action = members["action"]?.object,
      action["selector"] == .string("*")
    else { return rule }
    action["selector"] = .string(".ad")
    members["action"] = .object(action)
    return .object(members)
  }

  private static func endsUpSecure(
    _ page: WebURL,
    _ lists: [[JSONValue]],
    _ from: WebURL?,
    _ method: RequestMethod,
    top: WebURL?
  ) -> Bool {
    guard var model = PageModel(lists) else { return false }
    return model.documentLoad(
      page,
      frame: from,
      method: method,
      isTop: top == nil,
      top: top ?? page
    ).url.scheme == "https"
  }

  // MARK: Asking

  var request: JSONValue {
    var fields: [String: JSONValue] = [
      "op": .string("load"), "page": .string(page.serialized), "cookies": .boolean(true),
      "lists": .array(lists.map { .string(JSONValue.array($0).text) }),
      "probes": .array(Self.probes.map { .string($0) }),
      "subresources": .array(loads.map(\.request)),
    ]
    if let from { fields["from"] = .string(from.serialized) }
    if method == .post { fields["method"] = .string("POST") }
    return .object(fields)
  }
}

extension PagePlan.Load {
  fileprivate var request: JSONValue {
    var fields: [String: JSONValue] = ["type": .string(kind), "url": .string(url.serialized)]
    if kind == "child-document" {
      fields["subresources"] = .array(children.map(\.request))
      fields["probes"] = .array(PagePlan.probes.map { .string($0) })
    }
    return .object(fields)
  }
}
