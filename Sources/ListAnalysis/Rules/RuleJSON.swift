internal import ContentRules
internal import ResourceLoads

/// A rule as JSON, for rules that are made of others.
enum RuleJSON {
  /// Returns the JSON of a rule that blocks, strips cookies, upgrades, hides or is an exception;
  /// `nil` for the other actions, and for types that the rule language has no words for.
  static func json(of rule: Rule) -> [UInt8]? {
    let action: String
    switch rule.action {
    case .block: action = #"{"type":"block"}"#
    case .blockCookies: action = #"{"type":"block-cookies"}"#
    case .makeHTTPS: action = #"{"type":"make-https"}"#
    case .ignorePreviousRules: action = #"{"type":"ignore-previous-rules"}"#
    case .ignoreFollowingRules: action = #"{"type":"ignore-following-rules"}"#
    case .cssDisplayNone(let selector):
      action = #"{"type":"css-display-none","selector":\#(quoted(selector))}"#
    case .notify, .redirect, .modifyHeaders: return nil
    }
    guard rule.identifier == nil, let keys = keys(of: rule.trigger) else { return nil }
    return Array(#"{"trigger":{\#(keys)},"action":\#(action)}"#.utf8)
  }

  private static func keys(of trigger: Trigger) -> String? {
    var keys = #""url-filter":\#(quoted(trigger.urlFilter.text))"#
    func add(_ key: String, _ value: String) { keys += #","\#(key)":\#(value)"# }
    if trigger.urlFilter.isCaseSensitive { add("url-filter-is-case-sensitive", "true") }
    if trigger.topURLFilterIsCaseSensitive { add("top-url-filter-is-case-sensitive", "true") }
    if trigger.frameURLFilterIsCaseSensitive { add("frame-url-filter-is-case-sensitive", "true") }
    let flags = trigger.flags
    if !flags.resourceTypes.isEmpty {
      guard let words = types(flags.resourceTypes) else { return nil }
      add("resource-type", array(words))
    }
    if !flags.loadTypes.isEmpty {
      var words: [String] = []
      if flags.loadTypes.contains(.firstParty) { words.append("first-party") }
      if flags.loadTypes.contains(.thirdParty) { words.append("third-party") }
      add("load-type", array(words))
    }
    if !flags.loadContexts.isEmpty {
      var words: [String] = []
      if flags.loadContexts.contains(.topFrame) { words.append("top-frame") }
      if flags.loadContexts.contains(.childFrame) { words.append("child-frame") }
      add("load-context", array(words))
    }
    if let method = flags.requestMethod { add("request-method", "\"\(method)\"") }
    if let condition = trigger.condition {
      let subject =
        switch condition.subject {
        case .domain: "domain"
        case .topURL: "top-url"
        case .frameURL: "frame-url"
        }
      add((condition.isNegated ? "unless-" : "if-") + subject, array(condition.entries))
    }
    return keys
  }

  /// Returns the words that stand for types together, older words first; `nil` if there are none:
  /// no word stands for `other` without `ping` and `csp-report`, or for `raw`'s types less one.
  private static func types(_ types: ResourceType) -> [String]? {
    var sets: [(word: String, types: ResourceType)] = [
      ("document", [.topDocument, .childDocument]), ("raw", [.fetch, .webSocket, .other, .ping]),
      ("other", [.other, .ping, .cspReport]),
    ]
    for (word, type) in ResourceType.words where type != .other { sets.append(("\(word)", type)) }
    var covered: ResourceType = []
    var words: [String] = []
    for (word, set) in sets where types.isSuperset(of: set) && !covered.isSuperset(of: set) {
      words.append(word)
      covered.formUnion(set)
    }
    return covered == types ? words : nil
  }

  private static func array(_ words: [String]) -> String {
    "[" + words.map(quoted).joined(separator: ",") + "]"
  }

  /// Returns a text as a JSON string.
  private static func quoted(_ text: String) -> String { "\"\(JSONString.escaped(text))\"" }
}
