internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads

/// A rule in words, as Markdown.
enum RuleWords {
  /// Returns what a rule does to which loads, and examples.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - number: Its position in the list.
  ///   - text: Its JSON text.
  /// - Returns: Lines of Markdown.
  static func description(of rule: Rule, number: Int, text: [UInt8]) -> String {
    var lines = ["**Rule \(number)** \(sentence(rule.action))"]
    let trigger = rule.trigger
    lines.append("- **URLs** \(PatternWords.description(of: trigger.urlFilter))")
    lines.append("- **Types:** \(types(trigger.flags))")
    if trigger.flags.loadTypes == .firstParty {
      lines.append("- **Party:** only loads from the page's own site")
    } else if trigger.flags.loadTypes == .thirdParty {
      lines.append("- **Party:** only loads from other sites than the page's")
    }
    if trigger.flags.loadContexts == .topFrame {
      lines.append("- **Frames:** only loads that the page itself starts, not a frame in it")
    } else if trigger.flags.loadContexts == .childFrame {
      lines.append("- **Frames:** only loads that a frame in the page starts")
    }
    if let method = trigger.flags.requestMethod {
      lines.append("- **Method:** only documents requested by \("\(method)".uppercased())")
    }
    lines.append("- **Pages:** \(pages(trigger.condition))")
    let examples = RuleExamples(of: rule, text: text).examples
    if !examples.isEmpty {
      lines.append("")
      lines.append("Matches, by the engine:")
      for example in examples {
        let page = example.page.isEmpty ? "" : " on \(Markdown.code(example.page))"
        lines.append("- \(Markdown.code(example.url)) as \(example.type)\(page)")
      }
    } else {
      lines.append("")
      lines.append("No simple example was found of a load that it matches.")
    }
    return lines.joined(separator: "\n")
  }

  /// Returns what an action does, as the end of a sentence.
  private static func sentence(_ action: Action) -> String {
    switch action {
    case .block: "blocks loads"
    case .blockCookies: "has loads go without cookies"
    case .cssDisplayNone(let selector): "hides elements that match \(Markdown.code(selector))"
    case .ignorePreviousRules:
      "is an exception: what the rules before it in this list would do to a load is dropped"
    case .ignoreFollowingRules:
      "is an exception: what the rules behind it in this list would do to a load is dropped"
    case .makeHTTPS: "upgrades loads from http to https, and from ws to wss, on the default port"
    case .notify(let text): "tells the app \(Markdown.code(text))"
    case .redirect(let redirect):
      "redirects loads\(target(redirect)); only for web extensions that may"
    case .modifyHeaders(let change):
      "changes \(change.requestHeaders.count) headers of requests; only for web extensions that may"
    }
  }

  private static func target(_ redirect: Redirect) -> String {
    switch redirect {
    case .extensionPath(let path): " to \(Markdown.code(path)) of the extension"
    case .regexSubstitution(let text): " to \(Markdown.code(text))"
    case .transform: " to the URL with some parts changed"
    case .url(let url): " to \(Markdown.code(url))"
    }
  }

  private static func types(_ flags: TriggerFlags) -> String {
    guard !flags.resourceTypes.isEmpty else { return "all" }
    let words = ResourceType.words.filter { flags.resourceTypes.contains($0.type) }
    return Markdown.list(words.map { "\($0.word)" }, last: "and", limit: 14)
  }

  private static func pages(_ condition: Condition?) -> String {
    guard let condition else { return "all" }
    let sense = condition.isNegated ? "all but those" : "only those"
    switch condition.subject {
    case .domain:
      let domains = condition.entries.map { entry in
        entry.hasPrefix("*")
          ? "\(Markdown.code(String(entry.dropFirst()))) with all hosts below it"
          : "\(Markdown.code(entry)) exactly"
      }
      return "\(sense) of \(Markdown.list(domains))"
    case .topURL, .frameURL:
      let kind = condition.subject == .topURL ? "the page" : "the frame"
      let patterns = condition.entries.map { Markdown.code($0) }
      return "\(sense) where the URL of \(kind) matches \(Markdown.list(patterns))"
    }
  }
}
