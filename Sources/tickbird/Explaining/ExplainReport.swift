internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import TextOutput

/// Writes the report about loads, in the requested form.
struct ExplainReport {
  let verdicts: LoadVerdicts
  let filter: LoadFilter
  /// The rule that `--rule` asks about.
  let asked: RuleID?
  let style: TextStyle
  /// Whether rules that hide are listed.
  let listsHiding: Bool

  /// The most loads to show one by one without being asked.
  private static let shortLog = 24
  /// The most rules whose texts are shown below the loads.
  private static let shownRules = 24

  /// The loads to show, by their indexes.
  private var chosen: [Int] {
    verdicts.loads.indices.filter { filter.admits(verdicts[$0].load, verdicts[$0].verdict) }
  }

  private var isListed: Bool {
    filter.isActive || asked != nil || verdicts.loads.count <= Self.shortLog
  }

  // MARK: Text

  func writeText(
    by subject: LoadCounts.Subject?,
    isSummary: Bool,
    _ explainer: inout Explainer,
    _ out: inout OutputStream
  ) throws(OutputError) {
    let places = chosen
    try out.write(OutputText(painted: opening(places)))
    guard !places.isEmpty else { return }
    if let subject {
      let counts = LoadCounts(subject, places, verdicts)
      return try out.write(OutputText(painted: counts.text(style, explainer)))
    }
    if isSummary {
      let summary = LoadSummary(places: places, verdicts: verdicts).text(style)
      let rules = LoadCounts(.rule, places, verdicts).text(style, explainer)
      try out.write(OutputText(painted: summary + rules))
    } else if isListed || listsHiding {
      try writePages(places, &explainer, &out)
    } else {
      let overview = Overview(style: style).text(verdicts, &explainer)
      try out.write(OutputText(painted: overview))
    }
    // Advice is about all loads.
    guard !filter.isActive else { return }
    let advice = Advice.all(verdicts, &explainer)
    try out.write(OutputText(painted: Advice.text(advice, verdicts, explainer, style)))
  }

  /// Returns the opening lines: the outcomes of all loads, and how many are shown.
  private func opening(_ places: [Int]) -> String {
    let all = verdicts.loads.indices
    var text = Shown.wrapped(
      verdicts.counts(all, on: verdicts.pages.count),
      width: style.width,
      indent: 0
    )
    if all.isEmpty {
      text += "There is nothing to explain.\n"
    } else if filter.isActive {
      text += Shown.wrapped(filter.sentence(places.count), width: style.width, indent: 0)
    } else if !verdicts.verdicts.contains(where: \.isMatched) {
      text += "No rule blocks or changes any of them.\n"
    }
    let guesses = verdicts.guesses(all)
    return guesses.isEmpty ? text : text + Shown.wrapped(guesses, width: style.width, indent: 0)
  }

  /// Writes the chosen loads page by page, each page as it is done.
  private func writePages(
    _ places: [Int],
    _ explainer: inout Explainer,
    _ out: inout OutputStream
  ) throws(OutputError) {
    let isChosen = Set(places)
    var rules = Set(places.compactMap { verdicts.verdicts[$0].decider })
    if !filter.isActive { rules.formUnion(verdicts.deeds.keys) }
    if let asked { rules.insert(asked) }
    let showsRules = rules.count <= Self.shownRules || style.isWide
    let page = PageText(
      style: style,
      asked: asked,
      listsHiding: listsHiding,
      hasRuleTexts: showsRules
    )
    for all in verdicts.pages {
      let places = all.filter(isChosen.contains)
      guard !places.isEmpty else { continue }
      var hiding = explainer.newPage
      var text = "\n" + page.head(all, verdicts)
      // For a long log, only what is hidden was requested.
      let listsLoads = isListed
      if !listsLoads {
        text += Shown.wrapped(verdicts.counts(all), width: style.width, indent: 2)
      }
      for place in all { explainer.addHiding(of: verdicts[place].load, to: &hiding) }
      for place in places where listsLoads {
        let load = verdicts[place].load
        var explanation = explainer.explanation(for: load, detail: .ranges)
        if let match = cancelledHiding(on: load, &explainer) { explanation.matches.append(match) }
        text += page.load(place, of: verdicts, explanation, explainer)
      }
      if listsHiding || !filter.isActive {
        text += page.hiding(hiding, all, verdicts, explainer)
      } else {
        text += page.askedHiding(hiding, explainer)
      }
      try out.write(OutputText(painted: text))
    }
    guard isListed, !rules.isEmpty else { return }
    if showsRules {
      try out.write(OutputText(painted: page.rules(Array(rules), verdicts, explainer)))
    }
  }

  /// Returns what became of the rule of `--rule` on a load, if it would hide something and does not.
  private func cancelledHiding(
    on load: ResourceLoad,
    _ explainer: inout Explainer
  ) -> Explanation.Match? {
    guard let asked, case .cssDisplayNone = explainer.rule(asked)?.action else { return nil }
    return explainer.explanation(for: load, detail: .all).matches.first {
      $0.list == asked.list && $0.rule == asked.rule && $0.fate != .applied
    }
  }

  // MARK: JSON

  func writeJSON(
    by subject: LoadCounts.Subject?,
    isSummary: Bool,
    _ explainer: inout Explainer,
    _ out: inout OutputStream
  ) throws(OutputError) {
    let places = chosen
    if let subject {
      return try out.write(LoadCounts(subject, places, verdicts).json(explainer))
    }
    if isSummary {
      let advice = filter.isActive ? [] : Advice.all(verdicts, &explainer)
      return try out.write(LoadSummary(places: places, verdicts: verdicts).json(advice))
    }
    let writer = ExplanationJSON(asked: asked, listsHiding: listsHiding)
    var pages: [Int: PageHiding] = [:]
    for place in places {
      let load = verdicts[place].load
      let number = verdicts.loads[place].page
      // Moved out, so that changing it does not copy it.
      var page = pages.removeValue(forKey: number) ?? explainer.newPage
      let hides = explainer.addHiding(of: load, to: &page)
      pages[number] = page
      let explanation = explainer.explanation(for: load, detail: writer.detail)
      try out.write(writer.line(place, of: verdicts, explanation, hides: hides, explainer))
    }
  }
}
