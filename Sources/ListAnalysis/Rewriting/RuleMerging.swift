internal import ContentRules
internal import ResourceLoads
internal import RuleCompiler
internal import RuleProofs

/// Finds rules that differ in one part alone and can be one rule.
///
/// Rules with the same trigger that hide become one with all selectors; rules that differ in their
/// types, or in their domains, become one with all of these. No exception that any of them may meet
/// may stand between them.
struct RuleMerging {
  /// Rules that become one.
  struct Group {
    /// Their places, the first of which the new rule takes.
    var places: [Int]
    /// The new rule's JSON.
    var text: [UInt8]
  }

  /// The part in which rules may differ.
  private enum Part: Hashable {
    case selectors, types, domains
  }

  /// What rules have in common that differ in a part: the rule without that part.
  private struct Key: Hashable {
    var part: Part
    var trigger: Trigger
    var action: Action
    var isGlobal: Bool
  }

  private let rules: [Rule]
  private let list: ListFacts
  private let interference: Interference

  /// Prepares a list's rules.
  init(_ rules: [Rule], sets: LoadSets) {
    self.rules = rules
    sets.limit(forRules: rules.count)
    list = ListFacts(rules, sets: sets)
    interference = Interference(list, sets: sets)
  }

  /// Returns the groups, by their first places; no rule is in two of them.
  func groups() -> [Group] {
    var used: Set<Int> = []
    var groups: [Group] = []
    for part in [Part.selectors, .types, .domains] {
      var places: [Key: [Int]] = [:]
      var order: [Key] = []
      for place in rules.indices where !used.contains(place) {
        guard let key = key(place, part) else { continue }
        if places[key] == nil { order.append(key) }
        places[key, default: []].append(place)
      }
      for key in order {
        for group in self.groups(of: places[key] ?? [], part) {
          used.formUnion(group.places)
          groups.append(group)
        }
      }
    }
    return groups.sorted { $0.places[0] < $1.places[0] }
  }

  private func key(_ place: Int, _ part: Part) -> Key? {
    let rule = rules[place]
    guard rule.identifier == nil, list.facts[place].effect != .other,
      !list.facts[place].isException, list.facts[place].loads != nil,
      // A block that moves may come before a redirect.
      list.facts[place].effect != .block || !list.sharedSlots.contains(.redirects),
      !list.facts[place].hides || !list.sharedSlots.contains(.openSelectors)
    else { return nil }
    var key = Key(
      part: part,
      trigger: rule.trigger,
      action: rule.action,
      isGlobal: list.isGlobal(place)
    )
    switch part {
    case .selectors:
      // An older Safari that does not know a pseudo-class skips the whole rule.
      guard case .cssDisplayNone(let selector) = rule.action, !selector.contains(":"),
        SelectorParts.canBeJoined(selector)
      else {
        return nil
      }
      key.action = .cssDisplayNone(selector: "")
    case .types:
      guard !rule.trigger.flags.resourceTypes.isEmpty else { return nil }
      key.trigger.flags.resourceTypes = []
    case .domains:
      guard let condition = rule.trigger.condition, condition.subject == .domain,
        !condition.isNegated
      else { return nil }
      key.trigger.condition?.entries = []
    }
    return key
  }

  /// Cuts rules that differ in a part into groups that can be one.
  private func groups(of places: [Int], _ part: Part) -> [Group] {
    var groups: [Group] = []
    var open: [Int] = []
    func close() {
      if open.count > 1, let text = text(of: open, part) {
        groups.append(Group(places: open, text: text))
      }
      open.removeAll()
    }
    for place in places {
      // A rule moves to the place of the first one.
      if let first = open.first, !interference.canMove(place, to: first) { close() }
      open.append(place)
    }
    close()
    return groups
  }

  private func text(of places: [Int], _ part: Part) -> [UInt8]? {
    var rule = rules[places[0]]
    switch part {
    case .selectors:
      var parts: [String] = []
      var known: Set<Substring> = []
      for place in places {
        guard case .cssDisplayNone(let selector) = rules[place].action else { return nil }
        for selector in SelectorParts.parts(of: selector) where known.insert(selector).inserted {
          parts.append(String(selector))
        }
      }
      rule.action = .cssDisplayNone(selector: parts.joined(separator: ", "))
    case .types:
      for place in places {
        rule.trigger.flags.resourceTypes.formUnion(rules[place].trigger.flags.resourceTypes)
      }
    case .domains:
      var entries: [String] = []
      var known: Set<String> = []
      for place in places {
        for entry in rules[place].trigger.condition?.entries ?? []
        where known.insert(entry).inserted {
          entries.append(entry)
        }
      }
      rule.trigger.condition?.entries = entries
    }
    return RuleJSON.json(of: rule)
  }
}
