internal import Automata
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import WebURL

/// Loads that a rule matches, each of which the engine has confirmed.
struct RuleExamples {
  /// A load.
  struct Example: Hashable {
    var url: String
    var page: String
    var type: String
  }

  private(set) var examples: [Example] = []

  /// The most examples of a rule.
  private static let countLimit = 3
  /// The longest pattern to look for examples of, in bytes.
  private static let patternLimit = 2_000
  /// Types to try for a rule that names none.
  private static let usualTypes: [ResourceType] = [.image, .script, .topDocument, .childDocument]

  /// Looks for loads.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - text: Its JSON text.
  init(of rule: Rule, text: [UInt8]) {
    guard rule.trigger.urlFilter.text.utf8.count <= Self.patternLimit,
      let list = try? ContentRuleList(
        identifier: "rule",
        encodedContentRuleList: Array("[".utf8) + text + Array("]".utf8)
      )
    else { return }
    var blocker = ContentBlocker(lists: [list])
    for url in Self.urls(rule.trigger.urlFilter) where examples.count < Self.countLimit {
      if let example = Self.confirmed(url, rule, &blocker) { examples.append(example) }
    }
  }

  /// Returns URLs that a pattern should match.
  private static func urls(_ filter: URLFilter) -> [String] {
    urls(Array(filter.text.utf8), isCaseSensitive: filter.isCaseSensitive)
  }

  private static func urls(_ pattern: [UInt8], isCaseSensitive: Bool) -> [String] {
    let parsed = URLFilterParser.parse(pattern.span, isCaseSensitive: isCaseSensitive)
    guard case .success(let parsed) = parsed else { return [] }
    if parsed.matchesEverything { return ["https://example.com/"] }
    let automaton = NFA(terms: parsed.terms[...])
    var urls: [String] = []
    for shape in URLShape.all {
      if let url = shape.example(of: automaton), !urls.contains(url) { urls.append(url) }
    }
    return urls
  }

  /// Returns a load of a URL that the rule matches, by the engine.
  private static func confirmed(
    _ text: String,
    _ rule: Rule,
    _ blocker: inout ContentBlocker
  ) -> Example? {
    guard let url = WebURL(text), url.description == text else { return nil }
    let flags = rule.trigger.flags
    let types =
      flags.resourceTypes.isEmpty
      ? usualTypes : ResourceType.words.map(\.type).filter { flags.resourceTypes.contains($0) }
    for type in types.prefix(4) {
      guard let word = ResourceType.words.first(where: { $0.type == type })?.word else { continue }
      for page in pages(of: rule, for: url).prefix(4) {
        guard let pageURL = WebURL(page) else { continue }
        let isFrame = rule.trigger.condition?.subject == .frameURL
        let load = ResourceLoad(
          url: url,
          topURL: isFrame ? WebURL("https://page.example/") : pageURL,
          frameURL: isFrame ? pageURL : nil,
          resourceType: type,
          loadContext: flags.loadContexts == .childFrame ? .childFrame : nil,
          requestMethod: flags.requestMethod ?? .get
        )
        let explanation = blocker.explanation(for: load, sources: [], detail: .hiding)
        let isMatch =
          explanation.matches.contains { $0.rule == 0 } || explanation.decision.attachedSheets > 0
        guard isMatch else { continue }
        return Example(
          url: text,
          page: type == .topDocument ? "" : load.topURL.description,
          type: "\(word)"
        )
      }
    }
    return nil
  }

  /// Returns pages on which a rule may act.
  private static func pages(of rule: Rule, for url: WebURL) -> [String] {
    let own = [url.scheme == "http" || url.scheme == "ws" ? "http" : "https"]
      .map { "\($0)://\(url.host?.description ?? "example.com")/" }
    let other = ["https://page.example/"]
    guard let condition = rule.trigger.condition, !condition.isNegated else {
      return rule.trigger.flags.loadTypes == .firstParty ? own : other + own
    }
    var pages: [String] = []
    for entry in condition.entries.prefix(2) {
      switch condition.subject {
      case .domain:
        pages.append("https://\(entry.hasPrefix("*") ? String(entry.dropFirst()) : entry)/")
      case .topURL, .frameURL:
        pages += urls(Array(entry.utf8), isCaseSensitive: condition.isCaseSensitive).prefix(2)
      }
    }
    return pages + own
  }
}
