internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import PagePreview

/// Decides the loads of a previewed page, as `tickbird explain` does.
final class ListPreviewDecider: PreviewDeciding {
  private var explainer: Explainer
  /// What is hidden in each frame, and how much of it was told.
  private var frames: [String: Frame] = [:]

  private struct Frame {
    var hiding: PageHiding
    var count = 0
    var told: Set<RuleID> = []
    var hasGlobal: [Bool]
  }

  /// Creates a decider of lists, and of the filters that their rules were converted from.
  init(_ files: [ListFile], origins: RuleSources = .none) {
    explainer = Explainer(files, origins: origins)
  }

  func verdict(of load: ResourceLoad) -> PreviewVerdict {
    // With what each pattern matched; a page has few loads.
    let explanation = explainer.explanation(for: load, detail: .ranges)
    let decision = explanation.decision
    let sentences = explanation.matches.prefix(20).map { match in
      let id = RuleID(list: match.list, rule: match.rule)
      return explanation.sentence(
        about: match,
        action: explainer.rule(id)?.action,
        quoting: 60
      ) { explainer.name(RuleID(list: $0, rule: $1)) }
    }
    return PreviewVerdict(
      words: decision.words,
      isBlocked: decision.isBlocked,
      blocksCookies: decision.blocksCookies,
      newURL: decision.isBlocked ? nil : decision.newURL?.description,
      rule: explanation.decider.map { rule($0) },
      sentences: sentences
    )
  }

  func newHiding(of load: ResourceLoad, in frame: String) -> [HidingRule] {
    // Moved out, so that changing it does not copy it.
    var state =
      frames.removeValue(forKey: frame)
      ?? Frame(
        hiding: explainer.newPage,
        hasGlobal: Array(repeating: false, count: explainer.files.count)
      )
    defer { frames[frame] = state }
    explainer.addHiding(of: load, to: &state.hiding)
    let count = state.hiding.count
    guard count != state.count || state.hiding.attachesGlobalSheet != state.hasGlobal else {
      return []
    }
    state.count = count
    var new: [HidingRule] = []
    for list in explainer.files.indices {
      if state.hiding.attachesGlobalSheet[list], !state.hasGlobal[list] {
        for rule in explainer.globalRules[list] {
          add(RuleID(list: list, rule: rule.index), rule, to: &new, &state.told)
        }
      }
      for number in state.hiding.rules(ofList: list) {
        let id = RuleID(list: list, rule: number)
        if let rule = explainer.rule(id) { add(id, rule, to: &new, &state.told) }
      }
    }
    state.hasGlobal = state.hiding.attachesGlobalSheet
    return new
  }

  private func add(
    _ id: RuleID,
    _ rule: Rule,
    to new: inout [HidingRule],
    _ told: inout Set<RuleID>
  ) {
    guard case .cssDisplayNone(let selector) = rule.action, told.insert(id).inserted else { return }
    new.append(HidingRule(rule: self.rule(id), selector: selector))
  }

  func forgetHiding() { frames.removeAll() }

  private func rule(_ id: RuleID) -> PreviewRule {
    PreviewRule(
      list: id.list,
      number: id.rule,
      place: explainer.place(id, withFilter: false),
      gist: explainer.gist(id),
      sources: explainer.origins.lines(list: id.list, rule: id.rule).map {
        PreviewRule.Source(file: $0.file, line: $0.line)
      }
    )
  }
}
