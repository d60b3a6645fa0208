internal import ContentRules
internal import ResourceLoads

/// The rules of a list, each with the loads that it can act on, where pages' own loads may be told from others.
///
/// An `ignore-following-rules` for all loads of some types, such as converted filter lists have for
/// pages, ends the list for them: no later rule acts on them. A list whose other ignore rules are of
/// both kinds often has one kind for pages and the other for what they load. No load is both, so
/// that each has an order of its own.
struct PageSplit {
  /// A rule, or what it is for pages alone or for other loads alone.
  struct Part {
    var rule: Rule
    /// The types of loads to which it is narrowed.
    var types: ResourceType
    /// Whether it is about pages' own loads; false as well if the list is not split.
    var isOfPages = false
  }

  private(set) var parts: [Part] = []
  /// The positions of rules that do nothing more.
  private(set) var settled: [Int] = []

  /// Splits a list's rules.
  init(_ rules: [Rule]) {
    var ended: ResourceType = []
    // These have no order.
    var inactive: [Part] = []
    defer { parts += inactive }
    for rule in rules {
      let named = Self.types(of: rule)
      if RuleTranslator.action(rule) == nil {
        inactive.append(Part(rule: rule, types: .all))
      } else if Self.endsList(rule) {
        ended.formUnion(named)
        settled.append(rule.index)
      } else if named.isSubset(of: ended) {
        settled.append(rule.index)
      } else {
        parts.append(Part(rule: rule, types: ResourceType.all.subtracting(ended)))
      }
    }
    guard Self.order(parts).hasDifferences else { return }
    let split = parts.flatMap(Self.split)
    let orders = [true, false].map { isOfPages in
      Self.order(split.filter { $0.isOfPages == isOfPages })
    }
    if !orders.contains(where: \.hasDifferences) { parts = split }
  }

  private static func order(_ parts: [Part]) -> ListOrder {
    ListOrder(parts.map { ListOrder.Kind($0.rule.action) })
  }

  private static func types(of rule: Rule) -> ResourceType {
    let types = rule.trigger.flags.resourceTypes
    return types.isEmpty ? .all : types
  }

  /// Whether a rule drops all that is behind it for every load of its types.
  private static func endsList(_ rule: Rule) -> Bool {
    guard case .ignoreFollowingRules = rule.action, rule.trigger.condition == nil else {
      return false
    }
    var flags = rule.trigger.flags
    flags.resourceTypes = []
    guard flags == TriggerFlags() else { return false }
    let filter = rule.trigger.urlFilter
    guard
      case .success(let parsed) = URLFilterParser.parse(
        filter.text,
        isCaseSensitive: filter.isCaseSensitive
      )
    else { return false }
    return parsed.matchesEverything
  }

  private static func split(_ part: Part) -> [Part] {
    let acting = types(of: part.rule).intersection(part.types)
    let others = acting.subtracting(.topDocument).subtracting(LoadKinds.untold)
    var parts: [Part] = []
    if acting.contains(.topDocument) {
      parts.append(Part(rule: part.rule, types: .topDocument, isOfPages: true))
    }
    if !others.isEmpty || parts.isEmpty {
      parts.append(Part(rule: part.rule, types: part.types.subtracting(.topDocument)))
    }
    return parts
  }
}
