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
  private var loads: [(page: Int, explanation: Explanation)] = []

  init(style: TextStyle, asked: RuleID?, showsAll: Bool) {
    self.style = style
    self.asked = asked
    self.showsAll = showsAll
  }

  /// Adds a load.
  mutating func add(_ explanation: Explanation, page: Int) { loads.append((page, explanation)) }

  /// Everything as text.
  func text(_ explainer: borrowing Explainer) -> String {
    var text = ""
    var notes = RuleNotes()
    var pages: [Int] = []
    var members: [Int: [Explanation]] = [:]
    for (page, explanation) in loads {
      if members[page] == nil { pages.append(page) }
      members[page, default: []].append(explanation)
      notes.add(explanation)
    }
    let fateWidth = loads.map { Fate($0.explanation.decision).text.count }.max() ?? 0
    for page in pages {
      text += pageText(members[page] ?? [], fateWidth, explainer) + "\n"
    }
    text += summary() + "\n"
    var rules = notes.rules
    if let asked, !rules.contains(asked) { rules.append(asked) }
    for (number, list) in explainer.globalRules.enumerated() {
      rules += list.prefix(Self.shownGlobals).map { RuleID(list: number, rule: $0.index) }
    }
    if !rules.isEmpty {
      text += "\n" + style.paint.bold("Rules") + " (counted from 0)\n"
      for id in Self.sorted(rules) { text += ruleText(id, notes, explainer) }
    }
    return text + notes.advice(explainer, style)
  }

  private static func sorted(_ rules: [RuleID]) -> [RuleID] {
    var seen: Set<RuleID> = []
    return rules.filter { seen.insert($0).inserted }
      .sorted { ($0.list, $0.rule) < ($1.list, $1.rule) }
  }

  // MARK: Pages and loads

  private func pageText(
    _ explanations: [Explanation], _ fateWidth: Int, _ explainer: borrowing Explainer
  ) -> String {
    guard let top = explanations.last?.load.topURL else { return "" }
    var text = style.paint.bold("Page") + " " + style.shortened(top.serialized, to: style.width - 5)
    text += "\n"
    var hiddenLoads = 0
    for explanation in explanations {
      if showsAll || !explanation.matches.isEmpty {
        text += loadText(explanation, fateWidth, explainer)
      } else {
        hiddenLoads += 1
      }
    }
    if hiddenLoads > 0 {
      text += "  (and \(Shown.count(hiddenLoads, "load")) that no rule matched)\n"
    }
    return text + globalText(explanations, explainer)
  }

  private func loadText(
    _ explanation: Explanation, _ fateWidth: Int, _ explainer: borrowing Explainer
  ) -> String {
    let load = explanation.load
    let fate = Fate(explanation.decision)
    let type = Shown.padded(LoadWords.word(for: load.resourceType), to: 14)
    let url = style.shortened(Self.shownURL(load), to: style.width - fateWidth - 20)
    var text =
      "  " + fate.painted(style.paint) + Shown.padded("", to: fateWidth - fate.text.count)
      + "  \(type)  \(url)\n"
    if let newURL = explanation.decision.newURL {
      text += "      -> \(style.shortened(newURL.serialized, to: style.width - 9))\n"
    }
    for match in explanation.matches {
      text += style.paint.dimmed(
        matchText(match, explanation, explainer), match.fate != .applied)
    }
    guard let asked else { return text }
    let reason = NonMatch(rule: asked.rule, of: explainer.sources[asked.list], load: load)
    if reason != .none {
      text += Shown.wrapped(
        "not rule \(name(asked, explainer)): \(reason.sentence(load))", width: style.width,
        indent: 6)
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
    _ match: Explanation.Match, _ explanation: Explanation, _ explainer: borrowing Explainer
  ) -> String {
    let load = explanation.load
    let id = RuleID(list: match.list, rule: match.rule)
    var text = "rule \(name(id, explainer)) "
    text += explainer.rule(id).map { Self.verb($0.action) } ?? "?"
    if let range = match.urlRange, range.upperBound <= load.url.utf8.count {
      let found = String(decoding: load.url.utf8[range], as: UTF8.self)
      text +=
        ", matched \"\(style.shortened(found, to: 32))\" at \(range.lowerBound)-\(range.upperBound)"
    } else {
      text += ", matches every URL"
    }
    switch match.fate {
    case .applied:
      if explainer.rule(id)?.action == .makeHTTPS, explanation.decision.newURL == nil,
        !explanation.decision.isBlocked
      {
        text +=
          load.url.port != nil
          ? "; left as it is, because the URL has a port"
          : "; left as it is, because only http and ws are upgraded"
      }
    case .merged(let rule):
      text += "; merged into rule \(rule), which does the same"
    case .cancelled(let rule):
      let by = RuleID(list: match.list, rule: rule)
      text += "; cancelled by ignore-previous-rules of rule \(name(by, explainer))"
    case .swallowed(let rule):
      let by = RuleID(list: match.list, rule: rule)
      text += "; swallowed by ignore-following-rules of rule \(name(by, explainer))"
    case .inert: text += "; without effect, because only web extensions may do it"
    case .tooLate(let list, let rule):
      let by = RuleID(list: list, rule: rule)
      text += "; too late, rule \(name(by, explainer)) has acted before"
    }
    return Shown.wrapped(text, width: style.width, indent: 6)
  }

  private static func verb(_ action: Action) -> String {
    if case .cssDisplayNone(let selector) = action {
      return "hides \(Shown.shortened(Shown.line(selector), to: 60))"
    }
    if case .notify(let text) = action {
      return "notify \"\(Shown.shortened(Shown.line(text), to: 40))\""
    }
    return action.word
  }

  private func name(_ id: RuleID, _ explainer: borrowing Explainer) -> String {
    "\(id.rule) (\(explainer.place(id)))"
  }

  /// How many rules that hide everywhere are named; real lists have thousands.
  private static let shownGlobals = 3

  /// What lists hide on every page, as far as the page's loads attach their sheets.
  private func globalText(
    _ explanations: [Explanation], _ explainer: borrowing Explainer
  ) -> String {
    let documents = explanations.filter { $0.load.resourceType == .topDocument }
    if !documents.isEmpty, documents.allSatisfy(\.decision.isBlocked) { return "" }
    var text = ""
    for number in explainer.sources.indices {
      let rules = explainer.globalRules[number]
      guard !rules.isEmpty else { continue }
      let isAttached = explanations.contains {
        number < $0.decision.lists.count && $0.decision.lists[number].attachesGlobalSheet
      }
      guard isAttached else {
        text += Shown.wrapped(
          "not hidden on this page: what rule "
            + "\(name(RuleID(list: number, rule: rules[0].index), explainer)) and its like hide "
            + "everywhere, because ignore-previous-rules takes effect on every load shown",
          width: style.width, indent: 2)
        continue
      }
      for rule in rules.prefix(Self.shownGlobals) {
        text += Shown.wrapped(
          "on the page, rule \(name(RuleID(list: number, rule: rule.index), explainer)) "
            + Self.verb(rule.action),
          width: style.width, indent: 2)
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
    var counts: [(text: String, count: Int)] = []
    for (_, explanation) in loads {
      let fate = Fate(explanation.decision).text.lowercased()
      if let index = counts.firstIndex(where: { $0.text == fate }) {
        counts[index].count += 1
      } else {
        counts.append((fate, 1))
      }
    }
    return "\(Shown.count(loads.count, "load")): "
      + counts.map { "\(Shown.grouped($0.count)) \($0.text)" }.joined(separator: ", ")
  }

  private func ruleText(
    _ id: RuleID, _ notes: RuleNotes, _ explainer: borrowing Explainer
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
        explainer.text(id), width: style.width, indent: 6, limit: style.isWide ? .max : 4)
  }
}

/// What becomes of a load, in few words.
struct Fate {
  let text: String
  private let isBlocked: Bool

  init(_ decision: LoadDecision) {
    isBlocked = decision.isBlocked
    var words: [String] = []
    if decision.isBlocked {
      words = ["BLOCKED"]
    } else {
      if decision.newURL != nil {
        words.append(
          decision.actions.contains { $0.kind == .redirect && $0.isEffective }
            ? "redirected" : "made https")
      }
      if decision.blocksCookies { words.append("no cookies") }
    }
    text = words.isEmpty ? "loaded" : words.joined(separator: ", ")
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
