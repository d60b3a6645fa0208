public import ContentRules
internal import RuleMatching
internal import WebURL

extension LoadDecision {
  /// The outcome in a few words: "BLOCKED", "loaded", or what is changed about it.
  public var words: String {
    guard !isBlocked else { return "BLOCKED" }
    var words: [String] = []
    if newURL != nil {
      let isRedirected = actions.contains { $0.kind == .redirect && $0.isEffective }
      words.append(isRedirected ? "redirected" : "made https")
    }
    if blocksCookies { words.append("no cookies") }
    return words.isEmpty ? "loaded" : words.joined(separator: ", ")
  }
}

extension Explanation {
  /// Describes a matching rule: its action, what of the URL it matched, and its fate.
  ///
  ///     rule 3 (ads.json:4:1) block, matched "/pixel" at 19-25; too late, rule 0 (ads.json:1:2) has
  ///     acted before
  ///
  /// - Parameters:
  ///   - match: One of ``matches``.
  ///   - action: The rule's action, if known.
  ///   - width: The most characters of the URL to quote.
  ///   - name: Returns the name of a rule of a list, such as its number and place.
  /// - Returns: A sentence on one line, without a full stop.
  public func sentence(
    about match: Match,
    action: Action?,
    quoting width: Int,
    name: (_ list: Int, _ rule: Int) -> String
  ) -> String {
    var text = "rule \(name(match.list, match.rule)) " + (action.map(Self.verb) ?? "?")
    if let range = match.urlRange, range.upperBound <= load.url.utf8.count {
      let found = String(decoding: load.url.utf8[range], as: UTF8.self)
      let shown = DisplayText.shortened(found, to: width)
      text += ", matched \"\(shown)\" at \(range.lowerBound)-\(range.upperBound)"
    } else {
      text += ", matches every URL"
    }
    switch match.fate {
    case .applied: break
    case .merged(let rule):
      text += "; merged into rule \(rule), which does the same"
    case .cancelled(let rule):
      text += "; cancelled by ignore-previous-rules of rule \(name(match.list, rule))"
    case .swallowed(let rule):
      text += "; swallowed by ignore-following-rules of rule \(name(match.list, rule))"
    case .inert: text += "; \(reason(behind: match))"
    case .tooLate(let list, let rule):
      text += "; too late, rule \(name(list, rule)) has acted before"
    }
    return text
  }

  /// Returns why a rule that is inert has no effect.
  private func reason(behind match: Match) -> String {
    let action = decision.actions.first {
      $0.list == match.list && !$0.isEffective && $0.rules.contains(match.rule)
    }
    switch action?.idleness {
    case .hasPort: return "left as it is, because the URL has a port"
    case .otherScheme: return "left as it is, because only http and ws are upgraded"
    case .loadIsBlocked: return "without effect, because the load is blocked"
    case .sameURL: return "without effect, because it leads to no other URL"
    case .notPermitted, .tooLate, nil:
      return "without effect, because only web extensions may do it"
    }
  }

  /// Describes a matching rule: its action, what of the URL it matched, and its fate.
  ///
  /// Rules are named by their numbers and places.
  ///
  ///     rule 0 (1:2) block, matched "/ads/" at 16-21; cancelled by ignore-previous-rules of rule 1 (2:2)
  ///
  /// - Parameters:
  ///   - match: One of ``matches``.
  ///   - sources: One for each list, in the blocker's order.
  /// - Returns: A sentence on one line, without a full stop.
  public func sentence(about match: Match, sources: [ListSource]) -> String {
    func rule(_ list: Int, _ rule: Int) -> Rule? {
      sources.indices.contains(list) ? sources[list].rule(at: rule) : nil
    }
    return sentence(about: match, action: rule(match.list, match.rule)?.action, quoting: 80) {
      list,
      number in
      let name = "\(number)" + (sources.count > 1 ? " of list \(list)" : "")
      guard let rule = rule(list, number) else { return name }
      let place = sources[list].position(of: rule)
      return "\(name) (\(place.line):\(place.column))"
    }
  }

  /// Returns an action as a verb with its object.
  public static func verb(_ action: Action) -> String {
    switch action {
    case .cssDisplayNone(let selector):
      "hides \(DisplayText.shortened(DisplayText.line(selector), to: 60))"
    case .notify(let text):
      "notify \"\(DisplayText.shortened(DisplayText.line(text), to: 40))\""
    default: action.word
    }
  }
}

extension Action {
  /// The word by which rule lists call the action.
  public var word: String {
    switch self {
    case .block: "block"
    case .blockCookies: "block-cookies"
    case .cssDisplayNone: "css-display-none"
    case .ignorePreviousRules: "ignore-previous-rules"
    case .ignoreFollowingRules: "ignore-following-rules"
    case .makeHTTPS: "make-https"
    case .notify: "notify"
    case .redirect: "redirect"
    case .modifyHeaders: "modify-headers"
    }
  }
}
