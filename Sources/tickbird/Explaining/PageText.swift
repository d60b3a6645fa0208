internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import RuleMatching
internal import WebURL

/// The style of explanations as text.
struct TextStyle {
  var paint: Paint
  var width: Int
  /// Whether nothing is shortened.
  var isWide: Bool

  func shortened(_ text: String, to width: Int) -> String {
    isWide ? text : Shown.shortened(text, to: max(16, width))
  }
}

/// Formats pages as text: each with its loads one by one, and the rules behind their fates.
struct PageText {
  let style: TextStyle
  /// The rule that `--rule` asks about.
  let asked: RuleID?
  /// Whether to list rules that hide, however many there are.
  let listsHiding: Bool
  /// Whether the texts of rules follow below and so can be omitted at each load.
  let hasRuleTexts: Bool

  /// The most rules that hide to list without being asked.
  private static let shownHides = 3

  // MARK: Heads

  /// Returns the line above a page's loads.
  func head(_ places: [Int], _ verdicts: LoadVerdicts) -> String {
    // A redirected page is shown under its final address.
    let url = verdicts[places[places.count - 1]].load.topURL.serialized
    let isGuess = places.allSatisfy { verdicts.loads[$0].guesses.contains(.page) }
    let note = isGuess ? " (a guess)" : ""
    return style.paint.bold("Page") + " "
      + style.shortened(Shown.line(url), to: style.width - 5 - note.count) + note + "\n"
  }

  // MARK: Loads

  /// The column width of single fates.
  private static let fateWidth = 10

  func load(
    _ place: Int,
    of verdicts: LoadVerdicts,
    _ explanation: Explanation,
    _ explainer: borrowing Explainer
  ) -> String {
    let (load, verdict) = verdicts[place]
    let fateWidth = max(Self.fateWidth, verdict.fate.text.count)
    let isGuess = verdicts.loads[place].guesses.contains(.type)
    let type = Shown.padded(
      LoadWords.word(for: load.resourceType) + (isGuess ? "?" : ""),
      to: 14
    )
    let url = style.shortened(Self.shownURL(load), to: style.width - fateWidth - 20)
    var text =
      "  " + verdict.fate.painted(style.paint)
      + Shown.padded("", to: fateWidth - verdict.fate.text.count) + "  \(type)  \(url)\n"
    if let newURL = explanation.decision.newURL {
      text += "      -> \(style.shortened(newURL.serialized, to: style.width - 9))\n"
    }
    if let prevention = verdict.prevention { text += mark(prevention, verdicts) }
    let decider = explanation.decider
    // First the rule that decides, then what it overrode and the others.
    let first = explanation.matches.filter { RuleID(list: $0.list, rule: $0.rule) == decider }
    let others = explanation.matches.filter { RuleID(list: $0.list, rule: $0.rule) != decider }
    // With many loads, rules that are merged into others are only named.
    let named = hasRuleTexts ? [] : others.filter(\.isMerged)
    for match in first + others where !named.contains(match) {
      text += style.paint.dimmed(
        self.match(match, explanation, explainer),
        match.fate != .applied
      )
    }
    if !named.isEmpty {
      let names = named.map { explainer.name(RuleID(list: $0.list, rule: $0.rule)) }
      let rules =
        names.count == 1 ? "rule \(names[0]) does" : "rules \(names.joined(separator: ", ")) do"
      text += style.paint.dimmed(
        Shown.wrapped("\(rules) the same", width: style.width, indent: 6),
        true
      )
    }
    guard let asked else { return text }
    let reason = NonMatch(rule: asked.rule, of: explainer.sources[asked.list], load: load)
    if reason != .none {
      text += Shown.wrapped(
        "not rule \(explainer.name(asked)): \(reason.sentence(load))",
        width: style.width,
        indent: 6
      )
    }
    return text
  }

  /// Returns why a load would not have happened.
  private func mark(_ prevention: LoadPrevention, _ verdicts: LoadVerdicts) -> String {
    let blocked = verdicts[prevention.blockedEntry].load
    let isDirect = prevention.blockedEntry == prevention.cause.entry
    let cause =
      switch prevention.cause.kind {
      case _ where !isDirect: "follows from"
      case .redirect: "is the target of"
      case .initiator: "is asked for by"
      case .document: "belongs to"
      }
    let text = "would not have happened: it \(cause) the blocked "
    let url = style.shortened(blocked.url.serialized, to: style.width - 6 - text.count)
    return "      " + style.paint.yellow(text + url) + "\n"
  }

  /// Returns the URL as shown below its page: the part behind the page's origin.
  static func shownURL(_ load: ResourceLoad) -> String {
    guard load.resourceType != .topDocument, load.url.origin != "null",
      load.url.origin == load.topURL.origin, load.url.username.isEmpty
    else { return load.url.serialized }
    return String(decoding: load.url.utf8[load.url.pathRange.lowerBound...], as: UTF8.self)
  }

  private func match(
    _ match: Explanation.Match,
    _ explanation: Explanation,
    _ explainer: borrowing Explainer
  ) -> String {
    let id = RuleID(list: match.list, rule: match.rule)
    let sentence = explanation.sentence(
      about: match,
      action: explainer.rule(id)?.action,
      quoting: style.isWide ? Int.max : 32
    ) { list, rule in
      explainer.name(RuleID(list: list, rule: rule))
    }
    let text = Shown.wrapped(sentence, width: style.width, indent: 6)
    guard !hasRuleTexts, !explainer.linesNameRules else { return text }
    let room = style.width - 8
    let isBrief = !style.isWide && explainer.needsBriefTitle(id, in: room)
    let title = explainer.title(id, isBrief: isBrief)
    return text + "        " + style.shortened(title, to: room) + "\n"
  }

  // MARK: What is hidden

  /// Returns what is hidden on a page: the number of rules, or the rules.
  func hiding(
    _ hiding: PageHiding,
    _ places: [Int],
    _ verdicts: LoadVerdicts,
    _ explainer: borrowing Explainer
  ) -> String {
    let documents = places.filter { verdicts[$0].load.resourceType == .topDocument }
    if !documents.isEmpty, documents.allSatisfy({ verdicts[$0].verdict.fate.isBlocked }) {
      return ""
    }
    var text = ""
    var rules: [RuleID] = []
    for list in explainer.sources.indices {
      let globals = explainer.globalRules[list]
      if hiding.attachesGlobalSheet[list] {
        rules += globals.map { RuleID(list: list, rule: $0.index) }
      } else if let first = globals.first {
        let id = RuleID(list: list, rule: first.index)
        text += Shown.wrapped(
          "not hidden on this page: what rule \(explainer.name(id)) and its like hide everywhere, "
            + "because ignore-previous-rules takes effect on every load shown",
          width: style.width,
          indent: 2
        )
      }
      rules += hiding.rules(ofList: list).map { RuleID(list: list, rule: $0) }
    }
    guard listsHiding || rules.count <= Self.shownHides else {
      return text + "  " + Self.hidden(rules.count) + "\n" + askedHiding(hiding, explainer)
    }
    if listsHiding { text += "  " + Self.hidden(rules.count) + "\n" }
    for id in rules {
      let verb = explainer.rule(id).map { Explanation.verb($0.action) } ?? "hides"
      let sentence = "rule \(explainer.name(id)) \(verb)"
      text +=
        listsHiding
        ? "      \(style.shortened(sentence, to: style.width - 6))\n"
        : Shown.wrapped("on the page, \(sentence)", width: style.width, indent: 2)
    }
    return text
  }

  /// Returns that the rule of `--rule` hides something on a page; empty if it does not.
  func askedHiding(_ hiding: PageHiding, _ explainer: borrowing Explainer) -> String {
    guard let asked, let rule = explainer.rule(asked) else { return "" }
    let isGlobal = explainer.globalRules[asked.list].contains { $0.index == asked.rule }
    guard
      isGlobal
        ? hiding.attachesGlobalSheet[asked.list]
        : hiding.rules(ofList: asked.list).contains(asked.rule)
    else { return "" }
    return Shown.wrapped(
      "on the page, rule \(explainer.name(asked)) \(Explanation.verb(rule.action))",
      width: style.width,
      indent: 2
    )
  }

  /// Returns the number of rules that hide something, in words.
  static func hidden(_ count: Int) -> String {
    "elements are hidden by \(Shown.count(count, "rule"))"
  }

  // MARK: Rules

  /// Returns rules with their places, texts and effects.
  func rules(_ ids: [RuleID], _ verdicts: LoadVerdicts, _ explainer: borrowing Explainer) -> String
  {
    var text = "\n" + style.paint.bold("Rules") + " (counted from 0)\n"
    for id in ids.sorted(by: { ($0.list, $0.rule) < ($1.list, $1.rule) }) {
      let title = "rule \(id.rule), \(explainer.place(id, isShort: false))"
      let counts = verdicts.summary(of: id, explainer)
      text += "  " + style.paint.cyan(title)
      if title.count + counts.count + 4 > style.width {
        text += "\n" + Shown.wrapped(counts, width: style.width, indent: 4)
      } else {
        text += counts.isEmpty ? "\n" : ": \(counts)\n"
      }
      if let filter = explainer.filter(id) {
        text += "      filter " + style.shortened(filter, to: style.width - 13) + "\n"
      }
      text += Shown.wrapped(
        explainer.text(id),
        width: style.width,
        indent: 6,
        limit: style.isWide ? .max : 4
      )
    }
    return text
  }
}

extension LoadVerdicts {
  /// Returns the effects of a rule in a few words.
  func summary(of id: RuleID, _ explainer: borrowing Explainer) -> String {
    guard let deeds = deeds[id] else { return "" }
    var parts: [String] = []
    if !deeds.types.isEmpty {
      let verb = explainer.rule(id)?.action == .block ? "blocked" : "decided"
      parts.append("\(verb) \(TypeCounts.text(deeds.types))")
    } else if deeds.applied > 0 {
      parts.append("acted on " + Shown.count(deeds.applied, "load"))
    }
    if deeds.overridden > 0 {
      parts.append("overridden on " + Shown.count(deeds.overridden, "load"))
    }
    if deeds.inert > 0 { parts.append("without effect on " + Shown.count(deeds.inert, "load")) }
    if deeds.unneeded > 0 {
      parts.append(
        "matched \(Shown.count(deeds.unneeded, "load")) without any other rule that would act"
      )
    }
    return parts.joined(separator: ", ")
  }
}

extension Explanation.Match {
  /// Whether the rule is merged into another one with the same action.
  fileprivate var isMerged: Bool {
    if case .merged = fate { true } else { false }
  }
}

extension Paint {
  /// Returns the text, dimmed if requested.
  func dimmed(_ text: String, _ isDim: Bool) -> String {
    guard isDim, isOn else { return text }
    return text.split(separator: "\n").map { dim(String($0)) + "\n" }.joined()
  }
}
