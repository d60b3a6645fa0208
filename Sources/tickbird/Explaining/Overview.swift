internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// An overview of a long log on two screens: page by page the rules that decide, each with what it
/// decides.
struct Overview {
  let style: TextStyle

  /// The number of lines for rules and their loads on all pages together.
  private static let lineLimit = 48
  /// The most pages to show.
  private static let pageLimit = 12
  /// The width from which on a rule and its loads share a line.
  private static let wideWidth = 140

  private var isTwoColumns: Bool { style.width >= Self.wideWidth && !style.isWide }

  /// The loads of a page that one rule decides in the same way.
  private struct Group {
    var fate: Fate
    var rule: RuleID
    var places: [Int]
  }

  /// Returns the text of all pages.
  ///
  /// - Complexity: Pages that are not shown cost only a look at their verdicts.
  func text(_ verdicts: LoadVerdicts, _ explainer: inout Explainer) -> String {
    let groups = verdicts.pages.map { Self.groups($0, verdicts) }
    let shownPages = shown(groups)
    let limit = groupLimit(shownPages.map { groups[$0].count })
    let page = PageText(style: style, asked: nil, listsHiding: false, hasRuleTexts: false)
    // All titles have one form.
    let isBrief =
      !style.isWide
      && shownPages.contains { number in
        groups[number].prefix(limit).contains { group in
          explainer.needsBriefTitle(group.rule, in: room - start(group, explainer).count)
        }
      }
    var text = ""
    for number in shownPages {
      let places = verdicts.pages[number]
      text += "\n" + page.head(places, verdicts)
      text += Shown.wrapped(counts(places, verdicts, &explainer), width: style.width, indent: 2)
      for group in groups[number].prefix(limit) {
        text += self.text(group, verdicts, isBrief: isBrief, explainer)
      }
      let rest = groups[number].dropFirst(limit)
      if !rest.isEmpty {
        let loads = rest.reduce(0) { $0 + $1.places.count }
        text += "  and \(Shown.count(rest.count, "more rule")) for \(Shown.count(loads, "load"))\n"
      }
    }
    return text + rest(shownPages, verdicts) + hint
  }

  private func counts(
    _ places: [Int],
    _ verdicts: LoadVerdicts,
    _ explainer: inout Explainer
  ) -> String {
    var hiding = explainer.newPage
    for place in places { explainer.addHiding(of: verdicts[place].load, to: &hiding) }
    var rules = hiding.count
    for list in explainer.globalRules.indices where hiding.attachesGlobalSheet[list] {
      rules += explainer.globalRules[list].count
    }
    let counts = verdicts.counts(places)
    return rules == 0 ? counts : "\(counts); \(PageText.hidden(rules))"
  }

  // MARK: Groups

  /// Returns what rules decide on a page: blocked loads before changed or permitted ones, then
  /// rules with more loads first.
  private static func groups(_ places: [Int], _ verdicts: LoadVerdicts) -> [Group] {
    struct Key: Hashable {
      var fate: Fate
      var rule: RuleID
    }
    var numbers: [Key: Int] = [:]
    var groups: [Group] = []
    for place in places {
      let verdict = verdicts.verdicts[place]
      guard let rule = verdict.decider else { continue }
      let key = Key(fate: verdict.fate, rule: rule)
      if let number = numbers[key] {
        groups[number].places.append(place)
      } else {
        numbers[key] = groups.count
        groups.append(Group(fate: verdict.fate, rule: rule, places: [place]))
      }
    }
    return groups.enumerated().sorted { a, b in
      let (left, right) = (a.element, b.element)
      return (left.fate.rank, -left.places.count, a.offset)
        < (right.fate.rank, -right.places.count, b.offset)
    }.map(\.element)
  }

  /// Returns the pages to show, in their order: those with most to show, if there are too many.
  private func shown(_ groups: [[Group]]) -> [Int] {
    guard groups.count > Self.pageLimit, !style.isWide else { return Array(groups.indices) }
    let weights = groups.map { $0.reduce(0) { $0 + $1.places.count } }
    return groups.indices.sorted { (-weights[$0], $0) < (-weights[$1], $1) }
      .prefix(Self.pageLimit).sorted()
  }

  /// Returns the number of rules to show per page, within the limit for all.
  private func groupLimit(_ counts: [Int]) -> Int {
    guard !style.isWide else { return .max }
    let groupLimit = isTwoColumns ? Self.lineLimit : Self.lineLimit / 2
    var limit = 1
    while limit < groupLimit, counts.reduce(0, { $0 + min($1, limit + 1) }) <= groupLimit {
      limit += 1
    }
    return limit
  }

  /// The columns of a rule and its title.
  private var room: Int { isTwoColumns ? style.width * 9 / 20 : style.width }

  /// What stands before a rule's title, without colours.
  private func start(_ group: Group, _ explainer: borrowing Explainer) -> String {
    "  \(group.fate.text) by rule \(explainer.name(group.rule))  "
  }

  private func text(
    _ group: Group,
    _ verdicts: LoadVerdicts,
    isBrief: Bool,
    _ explainer: borrowing Explainer
  ) -> String {
    let fate = group.fate.painted(style.paint)
    let rule = "by rule \(explainer.name(group.rule))  "
    let used = start(group, explainer).count
    let title = style.shortened(
      explainer.title(group.rule, isBrief: isBrief),
      to: room - used
    )
    var text = "  \(fate) \(rule)\(title)"
    let loads = group.places.map { verdicts[$0].load }
    let prevented = group.places.count { verdicts.verdicts[$0].prevention != nil }
    let types =
      TypeCounts.text(loads.map(\.resourceType))
      + (prevented == 0 ? "" : " (\(Shown.grouped(prevented)) would not have happened)")
    let count = used + title.unicodeScalars.count
    if isTwoColumns {
      text += Shown.padded("", to: room - count) + "  "
    } else {
      text += "\n      "
    }
    let url = PageText.shownURL(loads[0])
    let more = group.places.count > 1 ? " …" : ""
    let rest = style.width - (isTwoColumns ? max(room, count) + 2 : 6) - types.count - 2
    return text + "\(types)  \(style.shortened(url, to: rest - more.count))\(more)\n"
  }

  // MARK: The rest

  private func rest(_ shownPages: [Int], _ verdicts: LoadVerdicts) -> String {
    let rest = Set(verdicts.pages.indices).subtracting(shownPages)
    guard !rest.isEmpty else { return "" }
    let places = rest.sorted().flatMap { verdicts.pages[$0] }
    let text = "and \(Shown.count(rest.count, "more page")) with \(verdicts.counts(places))"
    return "\n" + Shown.wrapped(text, width: style.width, indent: 0)
  }

  private var hint: String {
    "\n"
      + Shown.wrapped(
        "--blocked and --loaded list loads, --hidden what is hidden; --by rule, --by host and "
          + "--by site count; --type and --host choose",
        width: style.width,
        indent: 0
      )
  }
}
