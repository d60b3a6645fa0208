internal import ContentRules

/// Assembles a translation: chooses how each rule is expressed, and what fits the browser's limits.
struct Assembly {
  var translation: Translation
  /// Whether rules were dropped because of the browser's limits.
  private(set) var hasTooMany = false
  /// The number of rules that were dropped for that, entirely or in part.
  private(set) var lostCount = 0

  private(set) var drafts: [[RuleDraft]] = []
  private(set) var orders: [ListOrder] = []
  private var verdicts: [[Int: Verdict]]
  /// The lowest priority of each list's band.
  private var bases: [Int] = []
  /// The lists whose ignore rules are above rules of other lists.
  private var liftsOthers: Set<Int> = []

  init(_ lists: [DeclarativeList], _ browser: DeclarativeBrowser, namesParties: Bool) {
    translation = Translation(browser: browser)
    verdicts = Array(repeating: [:], count: lists.count)
    let translator = RuleTranslator(browser: browser, namesParties: namesParties)
    for (number, list) in lists.enumerated() {
      var drafts: [RuleDraft] = []
      var kinds: [ListOrder.Kind] = []
      var isOfPages: [Bool] = []
      let split = PageSplit(list.rules)
      for rule in split.settled { verdicts[number][rule] = .exact }
      for part in split.parts {
        switch translator.translate(part.rule, among: part.types) {
        case .settled(let verdict): add(verdict, list: number, rule: part.rule.index)
        case .draft(let draft):
          drafts.append(draft)
          kinds.append(ListOrder.Kind(part.rule.action))
          isOfPages.append(part.isOfPages)
        }
      }
      self.drafts.append(drafts)
      orders.append(ListOrder(kinds, isOfPages: isOfPages))
    }
    placeBands()
    let (chosen, lost) = chooseWays()
    for choice in lost {
      let rule = drafts[choice.list][choice.draft].rule
      add(.notExpressible(.regexLimit), list: choice.list, rule: rule)
    }
    lostCount = lost.count
    let kept = kept(of: merged(chosen))
    translation.rules = kept.rules
    hasTooMany = !kept.lost.isEmpty
    note(chosen, kept)
    finish(lists)
  }

  /// Places lists with more ignore rules below those with fewer: the lowest list's ignore rules
  /// affect no others.
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

  /// Returns the priority of a draft's rules.
  func priority(of place: DraftPlace) -> Int {
    let step =
      switch drafts[place.list][place.draft].action {
      case .allow: 3
      case .block: 2
      case .upgradeScheme, .removeCookies: 1
      }
    switch orders[place.list].places[place.draft] {
    case .top: return Translation.topPriority + step
    case .height(let height): return bases[place.list] + 4 * height + step
    case .nowhere: return 1
    }
  }

  /// Assigns each draft's rule its verdict, by the chosen form and what was kept of it.
  private mutating func note(_ chosen: [ChosenWay], _ kept: Kept) {
    for list in drafts.indices {
      // An ignore rule without rules to drop needs no browser rule.
      for (index, draft) in drafts[list].enumerated()
      where orders[list].places[index] == .nowhere {
        add(.exact, list: list, rule: draft.rule)
      }
    }
    for choice in chosen {
      let draft = drafts[choice.list][choice.draft]
      var differences = draft.ways[choice.way].differences
      if let difference = orders[choice.list].differences[choice.draft] {
        differences.append(difference)
      }
      if draft.action == .allow, liftsOthers.contains(choice.list) {
        differences.append(.liftsOtherLists)
      }
      if let lost = kept.lost[choice.place] {
        lostCount += 1
        guard kept.drafts.contains(choice.place) else {
          add(.notExpressible(lost), list: choice.list, rule: draft.rule)
          continue
        }
        differences.append(.onlyInPart)
      }
      let verdict: Verdict = differences.isEmpty ? .exact : .approximated(differences)
      add(verdict, list: choice.list, rule: draft.rule)
    }
  }

  /// Notes what became of a rule, or of one of its two parts.
  private mutating func add(_ verdict: Verdict, list: Int, rule: Int) {
    verdicts[list][rule] = verdicts[list][rule].map { $0.joined(with: verdict) } ?? verdict
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

/// The position of a draft.
struct DraftPlace: Hashable {
  var list: Int
  var draft: Int
}

extension ListOrder.Kind {
  init(_ action: Action) {
    switch action {
    case .ignorePreviousRules: self = .ignoresPrevious
    case .ignoreFollowingRules: self = .ignoresFollowing
    default: self = .acts
    }
  }
}
