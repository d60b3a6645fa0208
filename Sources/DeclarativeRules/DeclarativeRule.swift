internal import ContentRules

/// A browser rule, made of one or more rules of a list.
public struct DeclarativeRule: Hashable, Sendable {
  /// The priority, from 1; the highest one decides.
  public var priority: Int
  /// The action for loads that match the condition.
  public var action: Action
  /// The loads that it applies to.
  public var condition: Condition
  /// Whether the rule is dropped when the browser exits.
  public var isForSession = false
  /// The position of its list among the translated lists.
  public var list: Int
  /// The rules that it stands for, as ``ContentRules/Rule/index`` counts them, ascending.
  public var sources: [Int]

  /// What a rule does.
  public enum Action: String, Hashable, Sendable {
    case block, allow, upgradeScheme
    /// Removes cookies from the request and its response.
    case removeCookies
  }

  /// The loads that a rule applies to; all given parts must match.
  public struct Condition: Hashable, Sendable {
    /// The browser's types; never empty.
    public var types: [String] = []
    /// Hosts of loads, with their subdomains; empty for all.
    public var requestDomains: [String] = []
    /// Excluded hosts of loads, with their subdomains.
    public var excludedRequestDomains: [String] = []
    /// The browser's pattern for the URL.
    public var urlFilter: String?
    /// A regular expression for the URL; not together with ``urlFilter``.
    public var regexFilter: String?
    /// Whether the pattern is case-sensitive.
    public var isCaseSensitive = false
    /// The party, relative to the requesting document.
    public var party: Party?
    /// Hosts of pages, with their subdomains; empty for all.
    public var topDomains: [String] = []
    /// Excluded hosts of pages, with their subdomains.
    public var excludedTopDomains: [String] = []
    /// Hosts of requesting documents, with their subdomains; empty for all.
    public var initiatorDomains: [String] = []
    /// Excluded hosts of requesting documents.
    public var excludedInitiatorDomains: [String] = []
    /// Methods of requests in lower case; empty for all.
    public var methods: [String] = []

    /// Creates a condition that matches nothing until it has types.
    public init() {}
  }

  /// A party, in the browser's words.
  public enum Party: String, Hashable, Sendable {
    case firstParty, thirdParty
  }

  /// Creates a rule from its parts.
  public init(
    priority: Int,
    action: Action,
    condition: Condition,
    list: Int = 0,
    sources: [Int] = []
  ) {
    self.priority = priority
    self.action = action
    self.condition = condition
    self.list = list
    self.sources = sources
  }
}

extension DeclarativeRule {
  /// Appends the rule as JSON, as `declarativeNetRequest.updateDynamicRules` takes it.
  ///
  /// - Parameters:
  ///   - id: The rule's ID, from 1, unique; `nil` omits the field.
  ///   - json: The text to append to.
  public func appendJSON(id: Int?, to json: inout [UInt8]) {
    var fields: [String] = []
    if let id { fields.append("\"id\":\(id)") }
    fields.append("\"priority\":\(priority)")
    fields.append(
      action == .removeCookies
        ? """
        "action":{"type":"modifyHeaders",\
        "requestHeaders":[{"header":"cookie","operation":"remove"}],\
        "responseHeaders":[{"header":"set-cookie","operation":"remove"}]}
        """
        : "\"action\":{\"type\":\"\(action.rawValue)\"}"
    )
    fields.append("\"condition\":{\(condition.jsonFields.joined(separator: ","))}")
    json.append(contentsOf: "{\(fields.joined(separator: ","))}".utf8)
  }
}

extension DeclarativeRule.Condition {
  fileprivate var jsonFields: [String] {
    func list(_ name: String, _ values: [String]) -> String? {
      values.isEmpty
        ? nil
        : "\"\(name)\":[" + values.map { DeclarativeRule.quoted($0) }.joined(separator: ",") + "]"
    }
    return [
      urlFilter.map { "\"urlFilter\":\(DeclarativeRule.quoted($0))" },
      regexFilter.map { "\"regexFilter\":\(DeclarativeRule.quoted($0))" },
      isCaseSensitive ? "\"isUrlFilterCaseSensitive\":true" : nil,
      list("requestDomains", requestDomains),
      list("excludedRequestDomains", excludedRequestDomains), list("topDomains", topDomains),
      list("excludedTopDomains", excludedTopDomains), list("initiatorDomains", initiatorDomains),
      list("excludedInitiatorDomains", excludedInitiatorDomains),
      party.map { "\"domainType\":\"\($0.rawValue)\"" }, list("requestMethods", methods),
      list("resourceTypes", types),
    ].compactMap(\.self)
  }
}

extension DeclarativeRule {
  /// Returns a text as a JSON string.
  static func quoted(_ text: String) -> String { "\"\(JSONString.escaped(text))\"" }
}
