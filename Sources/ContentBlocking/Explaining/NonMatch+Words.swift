internal import ContentRules
internal import WebURL

extension NonMatch {
  /// The reason in one word.
  public var word: String {
    switch self {
    case .none: "none"
    case .noSuchRule: "no-such-rule"
    case .unchecked: "unchecked"
    case .skipped: "skipped"
    case .globalSheet: "global-sheet"
    case .urlFilter: "url-filter"
    case .resourceType: "resource-type"
    case .loadType: "load-type"
    case .loadContext: "load-context"
    case .requestMethod: "request-method"
    case .methodWithCondition: "request-method-with-condition"
    case .conditionUnmet(let key, _, _), .conditionExcludes(let key, _, _): key
    }
  }

  /// The reason in a sentence without a full stop, with the values that do not fit.
  public func sentence(_ load: ResourceLoad) -> String {
    switch self {
    case .none: return "it matches"
    case .noSuchRule(let count): return "there is no such rule; the list has \(count)"
    case .unchecked: return "data: URLs are never looked at"
    case .skipped: return "it is left out, because its selector is not valid"
    case .globalSheet:
      return "it hides on every page through the list's global sheet, and so belongs to no load"
    case .urlFilter(let pattern, let url):
      return "its url-filter \"\(DisplayText.line(pattern))\" does not match \(url)"
    case .resourceType(let type, let rule):
      return "the load is of type \(type), the rule's resource-type is "
        + rule.joined(separator: ", ")
    case .loadType(let isFirstParty):
      let page = "the page \(load.topURL.host ?? load.topURL.serialized)"
      return "the load is \(isFirstParty ? "first" : "third")-party on \(page), the rule's "
        + "load-type is \(isFirstParty ? "third" : "first")-party"
    case .loadContext(let isTopFrame):
      return "the load comes from \(isTopFrame ? "the top frame" : "a child frame"), the rule's "
        + "load-context is \(isTopFrame ? "child" : "top")-frame"
    case .requestMethod(let method, let rule):
      return "the page was fetched by \(method ?? "a method that rules do not know"), the rule's "
        + "request-method is \(rule)"
    case .methodWithCondition:
      return "WebKit never applies a rule that has both request-method and an if- condition; "
        + "leave one of them out"
    case .conditionUnmet(let key, let entries, let url):
      let shown = entries.prefix(5).map { DisplayText.line($0) }.joined(separator: ", ")
      let more = entries.count > 5 ? " and \(DisplayText.grouped(entries.count - 5)) more" : ""
      return "its \(key) has \(shown)\(more), and none of them matches \(url)"
    case .conditionExcludes(let key, let entry, let url):
      return "its \(key) has \(DisplayText.line(entry)), which matches \(url)"
    }
  }
}
