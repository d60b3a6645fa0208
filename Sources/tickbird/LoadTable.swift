internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import RuleMatching
internal import WebURL

/// How explanations look as text.
struct TextStyle {
  var paint: Paint
  var width: Int
  /// Whether nothing is shortened.
  var isWide: Bool

  func shortened(_ text: String, to width: Int) -> String {
    isWide ? text : Shown.shortened(text, to: max(16, width))
  }
}

/// The table for people: pages, their loads, what became of them, and the rules behind it.
struct LoadTable {
  let style: TextStyle
  /// The rule of which it is asked why it does not match.
  let asked: RuleID?
  let showsAll: Bool
  private var pages: [Int: Page] = [:]
  private var order: [Int] = []
  private var notes = RuleNotes()
  private var fates: [(text: String, count: Int)] = []

  /// A page as far as it is written; a list may match thousands of rules on each load, so that
  /// explanations are not kept.
  private struct Page {
    var url = ""
    var text = ""
    var unmatched = 0
    /// By list, whether a load attaches its global sheet.
    var attachesSheet: [Bool]
    var documents = 0
    var blockedDocuments = 0
  }

  init(style: TextStyle, asked: RuleID?, showsAll: Bool) {
    self.style = style
    self.asked = asked
    self.showsAll = showsAll
  }

  /// Adds a load.
  mutating func add(
    _ explanation: Explanation,
    page number: Int,
    _ explainer: borrowing Explainer
  ) {
    let decision = explanation.decision
    if pages[number] == nil { order.append(number) }
    var page =
      pages[number] ?? Page(attachesSheet: explainer.sources.map { _ in false })
    page.url = explanation.load.topURL.serialized
    for (list, result) in decision.lists.enumerated() where result.attachesGlobalSheet {
      page.attachesSheet[list] = true
    }
    if explanation.load.resourceType == .topDocument {
      page.documents += 1
      page.blockedDocuments += decision.isBlocked ? 1 : 0
    }
    if showsAll || !explanation.matches.isEmpty {
      page.text += loadText(explanation, explainer)
    } else {
      page.unmatched += 1
    }
    pages[number] = page
    notes.add(explanation)
    let fate = Fate(decision).text.lowercased()
    if let index = fates.firstIndex(where: { $0.text == fate }) {
      fates[index].count += 1
    } else {
      fates.append((fate, 1))
    }
  }

  /// Everything as text.
  func text(_ explainer: borrowing Explainer) -> String {
    var text = ""
    for number in order {
      if let page = pages[number] { text += pageText(page, explainer) + "\n" }
    }
    text += summary() + "\n"
    var rules = notes.rules
    if let asked, !rules.contains(asked) { rules.append(asked) }
    for (number, list) in explainer.globalRules.enumerated() {
      rules += list.prefix(Self.shownGlobals).map { RuleID(list: number, rule: $0.index) }
    }
    if !rules.isEmpty {
      text += "\n" + style.paint.bold("Rules") + " (counted from 0)\n"
      let sorted = Self.sorted(rules)
      let shown = style.isWide ? sorted : worthShowing(sorted, explainer)
      for id in shown { text += ruleText(id, notes, explainer) }
      if shown.count < sorted.count {
        text +=
          "  and \(Shown.count(sorted.count - shown.count, "more rule")) (--wide shows all)\n"
      }
    }
    return text + notes.advice(explainer, style)
  }

  private static func sorted(_ rules: [RuleID]) -> [RuleID] {
    var seen: Set<RuleID> = []
    return rules.filter { seen.insert($0).inserted }
      .sorted { ($0.list, $0.rule) < ($1.list, $1.rule) }
  }

  /// The rules that fit a screen: those that hide something come by the hundred and say little.
  private func worthShowing(_ rules: [RuleID], _ explainer: borrowing Explainer) -> [RuleID] {
    var hides = 0
    var shown: [RuleID] = []
    for id in rules where shown.count < Self.shownRules {
      if case .cssDisplayNone? = explainer.rule(id)?.action, id != asked {
        hides += 1
        if hides > Self.shownHides { continue }
      }
      shown.append(id)
    }
    return shown
  }

  // MARK: Pages and loads

  private func pageText(_ page: Page, _ explainer: borrowing Explainer) -> String {
    var text =
      style.paint.bold("Page") + " " + style.shortened(page.url, to: style.width - 5) + "\n"
      + page.text
    if page.unmatched > 0 {
      text += "  (and \(Shown.count(page.unmatched, "load")) that no rule matched)\n"
    }
    return text + globalText(page, explainer)
  }

  /// The columns of fates that are not double.
  private static let fateWidth = 10
  /// How many rules are named that hide something because of one load.
  private static let shownHides = 5

  private func loadText(_ explanation: Explanation, _ explainer: borrowing Explainer) -> String {
    let load = explanation.load
    let fate = Fate(explanation.decision)
    let fateWidth = max(Self.fateWidth, fate.text.count)
    let type = Shown.padded(LoadWords.word(for: load.resourceType), to: 14)
    let url = style.shortened(Self.shownURL(load), to: style.width - fateWidth - 20)
    var text =
      "  " + fate.painted(style.paint) + Shown.padded("", to: fateWidth - fate.text.count)
      + "  \(type)  \(url)\n"
    if let newURL = explanation.decision.newURL {
      text += "      -> \(style.shortened(newURL.serialized, to: style.width - 9))\n"
    }
    var hides = 0
    for match in explanation.matches {
      if case .cssDisplayNone? = explainer.rule(RuleID(list: match.list, rule: match.rule))?.action
      {
        hides += 1
        if hides > Self.shownHides, !style.isWide { continue }
      }
      text += style.paint.dimmed(
        matchText(match, explanation, explainer),
        match.fate != .applied
      )
    }
    if hides > Self.shownHides, !style.isWide {
      let more = Shown.count(hides - Self.shownHides, "more rule")
      text += "      and \(more) that hide something (--wide shows all)\n"
    }
    guard let asked else { return text }
    let reason = NonMatch(rule: asked.rule, of: explainer.sources[asked.list], load: load)
    if reason != .none {
      text += Shown.wrapped(
        "not rule \(name(asked, explainer)): \(reason.sentence(load))",
        width: style.width,
        indent: 6
      )
    }
    return text
  }

  /// The URL as it is shown below its page: the part after the page's origin.
  private static func shownURL(_ load: ResourceLoad) -> String {
    guard load.resourceType != .topDocument, load.url.origin != "null",
      load.url.origin == load.topURL.origin, load.url.username.isEmpty
    else { return load.url.serialized }
    return String(decoding: load.url.utf8[load.url.pathRange.lowerBound...], as: UTF8.self)
  }

  private func matchText(
    _ match: Explanation.Match,
    _ explanation: Explanation,
    _ explainer: borrowing Explainer
  ) -> String {
    let id = RuleID(list: match.list, rule: match.rule)
    let width = style.isWide ? Int.max : 32
    let text = explanation.sentence(
      about: match,
      action: explainer.rule(id)?.action,
      quoting: width
    ) { list, rule in
      name(RuleID(list: list, rule: rule), explainer)
    }
    return Shown.wrapped(text, width: style.width, indent: 6)
  }

  private func name(_ id: RuleID, _ explainer: borrowing Explainer) -> String {
    "\(id.rule) (\(explainer.place(id)))"
  }

  /// How many rules are shown with their texts.
  private static let shownRules = 200
  /// How many rules that hide everywhere are named; real lists have thousands.
  private static let shownGlobals = 3

  /// What lists hide on every page, as far as the page's loads attach their sheets.
  private func globalText(_ page: Page, _ explainer: borrowing Explainer) -> String {
    if page.documents > 0, page.blockedDocuments == page.documents { return "" }
    var text = ""
    for number in explainer.sources.indices {
      let rules = explainer.globalRules[number]
      guard !rules.isEmpty else { continue }
      let isAttached = page.attachesSheet[number]
      guard isAttached else {
        text += Shown.wrapped(
          "not hidden on this page: what rule "
            + "\(name(RuleID(list: number, rule: rules[0].index), explainer)) and its like hide "
            + "everywhere, because ignore-previous-rules takes effect on every load shown",
          width: style.width,
          indent: 2
        )
        continue
      }
      for rule in rules.prefix(Self.shownGlobals) {
        text += Shown.wrapped(
          "on the page, rule \(name(RuleID(list: number, rule: rule.index), explainer)) "
            + Explanation.verb(rule.action),
          width: style.width,
          indent: 2
        )
      }
      if rules.count > Self.shownGlobals {
        let more = Shown.count(rules.count - Self.shownGlobals, "more rule")
        text += "  and so do \(more) of the list, on every page\n"
      }
    }
    return text
  }

  // MARK: Summary and rules

  private func summary() -> String {
    let total = fates.reduce(0) { $0 + $1.count }
    return "\(Shown.count(total, "load"))"
      + (fates.isEmpty ? "" : ": ")
      + fates.map { "\(Shown.grouped($0.count)) \($0.text)" }.joined(separator: ", ")
  }

  private func ruleText(
    _ id: RuleID,
    _ notes: RuleNotes,
    _ explainer: borrowing Explainer
  ) -> String {
    let counts = notes.summary(of: id)
    let title = "rule \(id.rule), \(explainer.place(id, isShort: false))"
    var text = "  " + style.paint.cyan(title)
    if title.count + counts.count + 4 > style.width {
      text += "\n" + Shown.wrapped(counts, width: style.width, indent: 4)
    } else {
      text += counts.isEmpty ? "\n" : ": \(counts)\n"
    }
    return text
      + Shown.wrapped(
        explainer.text(id),
        width: style.width,
        indent: 6,
        limit: style.isWide ? .max : 4
      )
  }
}

/// What becomes of a load, in few words.
struct Fate {
  let text: String
  private let isBlocked: Bool

  init(_ decision: LoadDecision) {
    isBlocked = decision.isBlocked
    text = decision.words
  }

  func painted(_ paint: Paint) -> String {
    isBlocked ? paint.red(text) : text == "loaded" ? paint.green(text) : paint.yellow(text)
  }
}

extension Paint {
  /// The text, dim if asked for.
  func dimmed(_ text: String, _ isDim: Bool) -> String {
    guard isDim, isOn else { return text }
    return text.split(separator: "\n").map { dim(String($0)) + "\n" }.joined()
  }
}
