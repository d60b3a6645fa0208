internal import ContentRules

/// A rule of the browser's, made of one or more rules of a list.
public struct DeclarativeRule: Hashable, Sendable {
  /// The rule with the highest number decides, from 1.
  public var priority: Int
  /// What happens to a load that the condition holds for.
  public var action: Action
  /// Which loads are meant.
  public var condition: Condition
  /// Whether the rule is gone when the browser ends.
  public var isForSession = false
  /// The position of its list among the translated lists.
  public var list: Int
  /// The rules that it stands for, as ``ContentRules/Rule/index`` counts them, ascending.
  public var sources: [Int]

  /// What a rule does.
  public enum Action: String, Hashable, Sendable {
    case block, allow, upgradeScheme
    /// Takes cookies out of the request and out of its answer.
    case removeCookies
  }

  /// Which loads a rule is about; all parts that are there must hold.
  public struct Condition: Hashable, Sendable {
    /// The browser's types; never empty.
    public var types: [String] = []
    /// Hosts of loads, with their subdomains; empty for all.
    public var requestDomains: [String] = []
    /// Hosts of loads that are not meant, with their subdomains.
    public var excludedRequestDomains: [String] = []
    /// The browser's pattern for the URL.
    public var urlFilter: String?
    /// A regular expression for the URL; not together with ``urlFilter``.
    public var regexFilter: String?
    /// Whether letters of the pattern match only themselves.
    public var isCaseSensitive = false
    /// The party, as seen from the document that asks.
    public var party: Party?
    /// Hosts of pages, with their subdomains; empty for all.
    public var topDomains: [String] = []
    /// Hosts of pages that are not meant, with their subdomains.
    public var excludedTopDomains: [String] = []
    /// Hosts of the documents that ask, with their subdomains; empty for all.
    public var initiatorDomains: [String] = []
    /// Hosts of documents that ask and are not meant.
    public var excludedInitiatorDomains: [String] = []
    /// Methods of requests in lower case; empty for all.
    public var methods: [String] = []

    /// Creates a condition that holds for no load until it has types.
    public init() {}
  }

  /// A party, by the browser's word.
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
  ///   - id: The rule's number, from 1, different for each rule; without one the field is left out.
  ///   - json: Where to append.
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
  /// A text as a string of JSON.
  static func quoted(_ text: String) -> String { "\"\(JSONString.escaped(text))\"" }
}
