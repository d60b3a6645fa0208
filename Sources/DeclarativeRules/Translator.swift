internal import ContentRules

/// Translates Safari's rule lists to a browser's declarative rules.
///
///     let translation = Translator.translate([ads, privacy], to: .chromium)
///     translation.rules          // what the browser is given
///     translation.lists[0]       // what became of each rule
///
/// Nothing is left out in silence: each rule has a verdict, and one that does not fit says so. What
/// “exact” promises is in Documentation/DeclarativeRules.md.
public enum Translator {
  /// Translates lists that are in force together.
  ///
  /// - Parameters:
  ///   - lists: The lists, in their order.
  ///   - browser: The browser and its limits.
  /// - Returns: The browser's rules and the verdicts.
  /// - Complexity: O(*n*) for *n* bytes of patterns and domains, and sorting.
  public static func translate(
    _ lists: [DeclarativeList],
    to browser: DeclarativeBrowser = .chromium
  ) -> Translation {
    let best = Assembly(lists, browser, namesParties: true)
    guard best.hasTooMany else { return best.translation }
    // Fewer rules, of which more are approximations, may say more.
    let small = Assembly(lists, browser, namesParties: false)
    return best.lostCount <= small.lostCount ? best.translation : small.translation
  }
}

/// The making of a translation.
private struct Assembly {
  var translation: Translation
  /// Whether rules were left out because the browser takes no more.
  private(set) var hasTooMany = false
  /// The number of rules that were left out for that.
  private(set) var lostCount = 0

  private var drafts: [[RuleDraft]] = []
  private var orders: [ListOrder] = []
  private var verdicts: [[Int: Verdict]]
  /// The lowest priority of each list's band.
  private var bases: [Int] = []

  init(_ lists: [DeclarativeList], _ browser: DeclarativeBrowser, namesParties: Bool) {
    translation = Translation(browser: browser)
    verdicts = Array(repeating: [:], count: lists.count)
    let translator = RuleTranslator(browser: browser, namesParties: namesParties)
    for (number, list) in lists.enumerated() {
      var drafts: [RuleDraft] = []
      var kinds: [ListOrder.Kind] = []
      for rule in list.rules {
        switch translator.translate(rule) {
        case .settled(let verdict): verdicts[number][rule.index] = verdict
        case .draft(let draft):
          drafts.append(draft)
          kinds.append(ListOrder.Kind(rule.action))
        }
      }
      self.drafts.append(drafts)
      orders.append(ListOrder(kinds))
    }
    placeBands()
    let chosen = chooseWays()
    let groups = merged(chosen)
    keepWhatFits(groups)
    finish(lists)
  }

  /// Puts lists with more ignore rules below those with fewer: the lowest list's lift no others.
  private mutating func placeBands() {
    bases = Array(repeating: 1, count: orders.count)
    let order = orders.indices.sorted {
      (-orders[$0].ignoreCount, $0) < (-orders[$1].ignoreCount, $1)
    }
    var base = 1
    var hasLower = false
    for number in order where orders[number].heightCount > 0 {
      bases[number] = base
      base += 4 * orders[number].heightCount
      if hasLower, orders[number].ignoreCount > 0 { liftsOthers.insert(number) }
      hasLower = true
    }
  }

  /// The lists whose ignore rules stand above rules of other lists.
  private var liftsOthers: Set<Int> = []

  /// A draft's place, and the way that was chosen for it.
  private struct Chosen {
    var list: Int
    var draft: Int
    var way: Int
    var isForSession = false
  }

  /// Chooses ways so that regular expressions go first to rules that cannot be said otherwise.
  private mutating func chooseWays() -> [Chosen] {
    var chosen: [Chosen] = []
    var open: [Chosen] = []
    for list in drafts.indices {
      for (index, draft) in drafts[list].enumerated() {
        if orders[list].places[index] == .nowhere {
          verdicts[list][draft.rule] = .exact
          continue
        }
        let choice = Chosen(list: list, draft: index, way: 0)
        if draft.ways[0].usesRegex { open.append(choice) } else { chosen.append(choice) }
      }
    }
    var left = translation.browser.dynamicRegexes
    var leftOfSession = translation.browser.sessionRegexes
    func other(_ choice: Chosen) -> Int? {
      drafts[choice.list][choice.draft].ways.firstIndex { !$0.usesRegex }
    }
    func count(_ choice: Chosen) -> Int {
      drafts[choice.list][choice.draft].ways[0].conditions.count
    }
    var lost: [Chosen] = []
    for var choice in open where other(choice) == nil {
      if count(choice) <= left {
        left -= count(choice)
      } else if count(choice) <= leftOfSession {
        leftOfSession -= count(choice)
        choice.isForSession = true
      } else {
        lost.append(choice)
        continue
      }
      chosen.append(choice)
    }
    for var choice in open {
      guard let way = other(choice) else { continue }
      if count(choice) <= left { left -= count(choice) } else { choice.way = way }
      chosen.append(choice)
    }
    for choice in lost { lose(choice.list, choice.draft, .regexLimit) }
    return chosen.sorted { ($0.list, $0.draft) < ($1.list, $1.draft) }
  }

  private mutating func lose(_ list: Int, _ draft: Int, _ difference: Difference) {
    verdicts[list][drafts[list][draft].rule] = .notExpressible(difference)
    lostCount += 1
  }

  /// A rule of the browser's, with the drafts that it stands for.
  private struct Group {
    var rule: DeclarativeRule
    var drafts: [Int]
    var domains: Set<String>
    var pages: Set<String>
  }

  /// What rules must have in common to become one.
  private struct Key: Hashable {
    var list: Int
    var priority: Int
    var action: DeclarativeRule.Action
    var condition: DeclarativeRule.Condition
    var isForSession: Bool
    /// Rules are joined by the hosts of loads or by those of pages, not by both.
    var joinsPages: Bool
  }

  private func priority(_ list: Int, _ draft: Int, _ action: DeclarativeRule.Action) -> Int {
    let step =
      switch action {
      case .allow: 3
      case .block: 2
      case .upgradeScheme, .removeCookies: 1
      }
    switch orders[list].places[draft] {
    case .top: return Translation.topPriority + step
    case .height(let height): return bases[list] + 4 * height + step
    case .nowhere: return 1
    }
  }

  private mutating func merged(_ chosen: [Chosen]) -> [Group] {
    var places: [Key: Int] = [:]
    var groups: [Group] = []
    for choice in chosen {
      let draft = drafts[choice.list][choice.draft]
      let priority = priority(choice.list, choice.draft, draft.action)
      for condition in draft.ways[choice.way].conditions {
        var common = condition
        // Each by its own host, or for all hosts by its own pages.
        let joinsHosts = !condition.requestDomains.isEmpty
        let joinsPages = !joinsHosts && !condition.topDomains.isEmpty
        if joinsHosts { common.requestDomains = [] }
        if joinsPages { common.topDomains = [] }
        let key = Key(
          list: choice.list,
          priority: priority,
          action: draft.action,
          condition: common,
          isForSession: choice.isForSession,
          joinsPages: joinsPages
        )
        let place: Int
        if joinsHosts || joinsPages, let known = places[key] {
          place = known
        } else {
          place = groups.count
          // A rule for all hosts has the same key as those that are joined by theirs.
          if joinsHosts || joinsPages { places[key] = place }
          var rule = DeclarativeRule(
            priority: priority,
            action: draft.action,
            condition: condition,
            list: choice.list
          )
          rule.isForSession = choice.isForSession
          groups.append(Group(rule: rule, drafts: [], domains: [], pages: []))
        }
        if joinsHosts { groups[place].domains.formUnion(condition.requestDomains) }
        if joinsPages { groups[place].pages.formUnion(condition.topDomains) }
        if groups[place].drafts.last != choice.draft { groups[place].drafts.append(choice.draft) }
      }
      note(choice)
    }
    return groups
  }

  /// Gives a rule the verdict that it has if all of it fits.
  private mutating func note(_ choice: Chosen) {
    let draft = drafts[choice.list][choice.draft]
    var differences = draft.ways[choice.way].differences
    if let difference = orders[choice.list].differences[choice.draft] {
      differences.append(difference)
    }
    if draft.action == .allow, liftsOthers.contains(choice.list) {
      differences.append(.liftsOtherLists)
    }
    verdicts[choice.list][draft.rule] = differences.isEmpty ? .exact : .approximated(differences)
  }

  /// Keeps as many rules as the browser takes: what lifts before what blocks, in the lists' order,
  /// regular expressions last.
  private mutating func keepWhatFits(_ groups: [Group]) {
    let browser = translation.browser
    func rank(_ group: Group) -> Int {
      let isRegex = group.rule.condition.regexFilter != nil
      return (isRegex ? 2 : 0) + (group.rule.action == .allow ? 0 : 1)
    }
    let order = groups.indices.sorted { (rank(groups[$0]), $0) < (rank(groups[$1]), $1) }
    var left = browser.dynamicRules
    var leftOfSession = browser.sessionRules
    var leftUnsafe = browser.unsafeDynamicRules
    var kept: [DeclarativeRule] = []
    for place in order {
      let group = groups[place]
      var rule = group.rule
      if !group.domains.isEmpty { rule.condition.requestDomains = group.domains.sorted() }
      if !group.pages.isEmpty { rule.condition.topDomains = group.pages.sorted() }
      rule.sources = group.drafts.map { drafts[rule.list][$0].rule }
      let isUnsafe = rule.action == .removeCookies
      if !rule.isForSession, left > 0, !isUnsafe || leftUnsafe > 0 {
        left -= 1
        if isUnsafe { leftUnsafe -= 1 }
      } else if leftOfSession > 0, rule.isForSession || rule.condition.regexFilter == nil {
        leftOfSession -= 1
        rule.isForSession = true
      } else {
        hasTooMany = true
        for draft in group.drafts {
          lose(rule.list, draft, isUnsafe && left > 0 ? .unsafeLimit : .ruleLimit)
        }
        continue
      }
      kept.append(rule)
    }
    translation.rules = kept.filter { !$0.isForSession } + kept.filter(\.isForSession)
  }

  private mutating func finish(_ lists: [DeclarativeList]) {
    var ruleCounts = Array(repeating: 0, count: lists.count)
    for rule in translation.rules { ruleCounts[rule.list] += 1 }
    translation.lists = lists.indices.map { number in
      Translation.ListResult(
        name: lists[number].name,
        verdicts: lists[number].rules.compactMap { rule in
          verdicts[number][rule.index].map { (rule.index, $0) }
        },
        ruleCount: ruleCounts[number]
      )
    }
  }
}

extension ListOrder.Kind {
  fileprivate init(_ action: Action) {
    switch action {
    case .ignorePreviousRules: self = .ignoresPrevious
    case .ignoreFollowingRules: self = .ignoresFollowing
    default: self = .acts
    }
  }
}
