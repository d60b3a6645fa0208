/// What rules must have in common to be merged.
struct MergeKey: Hashable {
  /// What may differ between merged rules: the hosts of loads, those of pages, or nothing; never
  /// both, since then each host would be combined with each page.
  enum Join: Hashable {
    case hosts, pages, nothing
  }

  var list: Int
  var priority: Int
  var action: DeclarativeRule.Action
  /// The condition without what is merged.
  var condition: DeclarativeRule.Condition
  var isForSession: Bool
  var join: Join

  init(
    _ choice: ChosenWay,
    _ priority: Int,
    _ action: DeclarativeRule.Action,
    _ condition: DeclarativeRule.Condition
  ) {
    list = choice.list
    isForSession = choice.isForSession
    self.priority = priority
    self.action = action
    self.condition = condition
    join =
      !condition.requestDomains.isEmpty
      ? .hosts : !condition.topDomains.isEmpty ? .pages : .nothing
    switch join {
    case .hosts: self.condition.requestDomains = []
    case .pages: self.condition.topDomains = []
    case .nothing: break
    }
  }
}

/// A browser rule, with the drafts that it stands for.
struct RuleGroup {
  var key: MergeKey
  var drafts: [Int] = []
  var domains: Set<String> = []
  var pages: Set<String> = []
}

/// The rules that fit the browser's limits, and the drafts that do not fit, or only in part.
struct Kept {
  var rules: [DeclarativeRule] = []
  /// The drafts with at least one rule.
  var drafts: Set<DraftPlace> = []
  /// The drafts of dropped rules, with the limit.
  var lost: [DraftPlace: Difference] = [:]
}

extension Assembly {
  /// Merges what can be one rule.
  func merged(_ chosen: [ChosenWay]) -> [RuleGroup] {
    var places: [MergeKey: Int] = [:]
    var groups: [RuleGroup] = []
    for choice in chosen {
      let draft = draft(choice)
      let priority = priority(of: choice.place)
      for condition in draft.ways[choice.way].conditions {
        let key = MergeKey(choice, priority, draft.action, condition)
        let place = places[key] ?? groups.count
        if place == groups.count {
          places[key] = place
          groups.append(RuleGroup(key: key))
        }
        switch key.join {
        case .hosts: groups[place].domains.formUnion(condition.requestDomains)
        case .pages: groups[place].pages.formUnion(condition.topDomains)
        case .nothing: break
        }
        if groups[place].drafts.last != choice.draft { groups[place].drafts.append(choice.draft) }
      }
    }
    return groups
  }

  /// Keeps as many rules as the browser accepts: those that allow before those that block, in the
  /// lists' order, regular expressions last.
  func kept(of groups: [RuleGroup]) -> Kept {
    let browser = translation.browser
    func rank(_ group: RuleGroup) -> Int {
      let isRegex = group.key.condition.regexFilter != nil
      return (isRegex ? 2 : 0) + (group.key.action == .allow ? 0 : 1)
    }
    let order = groups.indices.sorted { (rank(groups[$0]), $0) < (rank(groups[$1]), $1) }
    var left = browser.dynamicRules
    var leftOfSession = browser.sessionRules
    var leftUnsafe = browser.unsafeDynamicRules
    var kept = Kept()
    for place in order {
      let group = groups[place]
      let key = group.key
      let drafts = group.drafts.map { DraftPlace(list: key.list, draft: $0) }
      let isUnsafe = key.action == .removeCookies
      var isForSession = key.isForSession
      if !isForSession, left > 0, !isUnsafe || leftUnsafe > 0 {
        left -= 1
        if isUnsafe { leftUnsafe -= 1 }
      } else if leftOfSession > 0, isForSession || key.condition.regexFilter == nil {
        leftOfSession -= 1
        isForSession = true
      } else {
        for draft in drafts { kept.lost[draft] = isUnsafe && left > 0 ? .unsafeLimit : .ruleLimit }
        continue
      }
      kept.drafts.formUnion(drafts)
      kept.rules.append(rule(of: group, isForSession: isForSession))
    }
    kept.rules = kept.rules.filter { !$0.isForSession } + kept.rules.filter(\.isForSession)
    return kept
  }

  private func rule(of group: RuleGroup, isForSession: Bool) -> DeclarativeRule {
    let key = group.key
    var rule = DeclarativeRule(
      priority: key.priority,
      action: key.action,
      condition: key.condition,
      list: key.list,
      sources: group.drafts.map { drafts[key.list][$0].rule }
    )
    if key.join == .hosts { rule.condition.requestDomains = group.domains.sorted() }
    if key.join == .pages { rule.condition.topDomains = group.pages.sorted() }
    rule.isForSession = isForSession
    return rule
  }
}
