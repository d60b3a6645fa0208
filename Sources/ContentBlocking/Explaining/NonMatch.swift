public import ContentRules
internal import ResourceLoads
internal import WebURL

/// The reason why a rule does not match a load: the first part of the rule that fails, with its
/// value.
public enum NonMatch: Hashable, Sendable {
  /// The rule does match.
  case none
  /// The list has no rule of this number; it has the given count.
  case noSuchRule(count: Int)
  /// The engine does not check `data:` URLs.
  case unchecked
  /// The rule was skipped because of its invalid selector.
  case skipped
  /// The rule hides on every page through the global sheet, and so is in no load's result.
  case globalSheet
  /// The pattern does not match the URL.
  case urlFilter(pattern: String, url: String)
  /// The rule does not list the load's resource type.
  case resourceType(load: String, rule: [String])
  /// The load is of the other party.
  case loadType(isFirstParty: Bool)
  /// The load starts in the other kind of frame.
  case loadContext(isTopFrame: Bool)
  /// The document was loaded with another method than the rule asks for.
  case requestMethod(load: String?, rule: String)
  /// WebKit never matches a rule with both `request-method` and an `if-` condition.
  case methodWithCondition
  /// An `if-` condition of which no entry matches the URL.
  case conditionUnmet(key: String, entries: [String], url: String)
  /// An `unless-` condition whose given entry matches the URL.
  case conditionExcludes(key: String, entry: String, url: String)
}

extension NonMatch {
  /// Determines why a rule does not match a load.
  ///
  /// - Parameters:
  ///   - index: The rule's position in the JSON array.
  ///   - source: The rule's list.
  ///   - load: The load.
  public init(rule index: Int, of source: ListSource, load: ResourceLoad) {
    guard index >= 0, index < source.ruleCount else {
      self = .noSuchRule(count: source.ruleCount)
      return
    }
    guard let rule = source.rule(at: index) else {
      self = .skipped
      return
    }
    guard load.isChecked else {
      self = .unchecked
      return
    }
    if source.isGlobal(rule) {
      self = .globalSheet
      return
    }
    self =
      Self.urlFilterFault(rule, load) ?? Self.flagFault(rule.trigger.flags, load)
      ?? Self.conditionFault(rule, load) ?? .none
  }

  private static func urlFilterFault(_ rule: Rule, _ load: ResourceLoad) -> NonMatch? {
    let filter = rule.trigger.urlFilter
    return matches(filter.text, filter.isCaseSensitive, load.url.utf8)
      ? nil : .urlFilter(pattern: filter.text, url: load.url.serialized)
  }

  private static func matches(_ pattern: String, _ isCaseSensitive: Bool, _ url: [UInt8]) -> Bool {
    guard
      case .success(let parsed) = URLFilterParser.parse(pattern, isCaseSensitive: isCaseSensitive)
    else { return false }
    return parsed.matchesEverything || PatternSearch(parsed).firstMatch(in: url) != nil
  }

  private static func flagFault(_ flags: TriggerFlags, _ load: ResourceLoad) -> NonMatch? {
    if !flags.resourceTypes.isEmpty, flags.resourceTypes.isDisjoint(with: load.resourceType) {
      return .resourceType(
        load: words(of: load.resourceType).joined(),
        rule: words(of: flags.resourceTypes)
      )
    }
    if !flags.loadTypes.isEmpty, flags.loadTypes.isDisjoint(with: load.loadType) {
      return .loadType(isFirstParty: load.loadType == .firstParty)
    }
    if !flags.loadContexts.isEmpty, flags.loadContexts.isDisjoint(with: load.loadContext) {
      return .loadContext(isTopFrame: load.loadContext == .topFrame)
    }
    if let method = flags.requestMethod, method != load.requestMethod {
      return .requestMethod(
        load: load.requestMethod?.word,
        rule: method.word
      )
    }
    return nil
  }

  private static func words(of types: ResourceType) -> [String] {
    ResourceType.words.filter { types.contains($0.type) }.map { "\($0.word)" }
  }

  private static func conditionFault(_ rule: Rule, _ load: ResourceLoad) -> NonMatch? {
    guard let condition = rule.trigger.condition else { return nil }
    let key = condition.key
    if rule.trigger.flags.requestMethod != nil {
      return condition.isNegated ? nil : .methodWithCondition
    }
    let url = condition.subject == .frameURL ? load.frameURL : load.topURL
    let met = condition.entries.first { entry in
      let pattern =
        condition.subject == .domain
        ? String(decoding: DomainPattern.pattern(forDomain: entry), as: UTF8.self) : entry
      return matches(pattern, condition.isCaseSensitive, url.utf8)
    }
    switch (met, condition.isNegated) {
    case (nil, false):
      return .conditionUnmet(key: key, entries: condition.entries, url: url.serialized)
    case (let entry?, true):
      return .conditionExcludes(key: key, entry: entry, url: url.serialized)
    default: return nil
    }
  }
}

extension Condition {
  /// The condition's key in rule lists, such as `if-domain`.
  public var key: String {
    let prefix = isNegated ? "unless-" : "if-"
    return switch subject {
    case .domain: prefix + "domain"
    case .topURL: prefix + "top-url"
    case .frameURL: prefix + "frame-url"
    }
  }
}
