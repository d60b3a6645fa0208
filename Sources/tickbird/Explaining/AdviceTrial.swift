internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import RuleMatching
internal import WebURL

/// Tries changes of lists on all loads at hand.
///
/// A change is tried on lists of those rules alone that have a part in any of the loads, which decides
/// as the whole lists do and compiles in no time. That they do is not taken for granted: the changed
/// lists are held against what the whole lists do.
struct AdviceTrial {
  /// A change of a list.
  enum Change {
    /// A rule behind all others.
    case append(String, list: Int)
    /// Another text of a rule.
    case replace(RuleID, String)
  }

  /// What a change does.
  enum Result {
    /// The wanted loads are no longer blocked, and nothing else is changed.
    case proven
    /// Why it does not do that.
    case refuted(String)
  }

  /// What a load shows of its decision.
  private struct Outcome: Equatable {
    var isBlocked: Bool
    var newURL: WebURL?
    var notifications: [String]
    /// Actions other than blocking and ignoring.
    var actions: [ActionKind]

    init(_ decision: LoadDecision) {
      isBlocked = decision.isBlocked
      newURL = decision.newURL
      notifications = decision.notifications
      actions = decision.actions.map(\.kind).filter {
        $0 != .block && $0 != .ignorePreviousRules && $0 != .ignoreFollowingRules
      }
    }

    /// Whether it is the outcome of a load that was blocked before and otherwise as it was.
    func isRelease(of other: Outcome) -> Bool {
      other.isBlocked && !isBlocked && actions == other.actions
        && notifications == other.notifications
    }
  }

  /// What is hidden on a page, by list.
  private struct Hidden: Equatable {
    var rules: [[Int]]
    /// Whether the global sheet is attached; never where there is none.
    var sheets: [Bool]
  }

  private let verdicts: LoadVerdicts
  private let sources: [ListSource]
  /// By list, whether it hides anything everywhere.
  private let hasSheets: [Bool]
  /// By list, the rules that are kept, ascending.
  private let kept: [[Int]]
  private var outcomes: [Outcome] = []
  private var hidden: [Hidden] = []

  /// Decides all loads by the lists as they are.
  init(_ verdicts: LoadVerdicts, _ explainer: inout Explainer) {
    let sources = explainer.sources
    self.verdicts = verdicts
    self.sources = sources
    let hasSheets = explainer.globalRules.map { !$0.isEmpty }
    self.hasSheets = hasSheets
    var kept: [Set<Int>] = sources.indices.map { list in
      // What stands before the first of these is hidden everywhere; one rule of it is enough.
      var rules: Set<Int> = []
      if sources[list].firstIgnoreRule != .max { rules.insert(sources[list].firstIgnoreRule) }
      if let global = explainer.globalRules[list].first { rules.insert(global.index) }
      return rules
    }
    for load in verdicts.loads {
      let explanation = explainer.explanation(for: load.load, detail: [])
      for match in explanation.matches { kept[match.list].insert(match.rule) }
      outcomes.append(Outcome(explanation.decision))
    }
    for places in verdicts.pages {
      var page = explainer.newPage
      for place in places { explainer.addHiding(of: verdicts[place].load, to: &page) }
      let rules = sources.indices.map { page.rules(ofList: $0) }
      for list in sources.indices { kept[list].formUnion(rules[list]) }
      let sheets = zip(page.attachesGlobalSheet, hasSheets).map { $0 && $1 }
      hidden.append(Hidden(rules: rules, sheets: sheets))
    }
    self.kept = kept.map { $0.sorted() }
  }

  /// Tries a change.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - wanted: The places of the blocked loads that it shall let through.
  /// - Returns: Whether it does that and nothing else.
  /// - Complexity: O(*n* + *r*) for *n* loads and *r* rules that have a part in them.
  func result(of change: Change, wanted: Set<Int>) -> Result {
    guard var blocker = blocker(change) else { return .refuted("the list would be refused") }
    var stillBlocked = 0
    var others = 0
    for (place, load) in verdicts.loads.enumerated() {
      let explanation = blocker.explanation(for: load.load, sources: [], detail: [])
      let outcome = Outcome(explanation.decision)
      if !wanted.contains(place) {
        if outcome != outcomes[place] { others += 1 }
      } else if outcome.isBlocked {
        stillBlocked += 1
      } else if !outcome.isRelease(of: outcomes[place]) {
        return .refuted("it would undo what else rules do to the load")
      }
    }
    if stillBlocked > 0 { return .refuted("the load would still be blocked") }
    if others > 0 {
      return .refuted("it would change \(Shown.count(others, "other load"))")
    }
    for (number, places) in verdicts.pages.enumerated() {
      var page = PageHiding(listCount: sources.count)
      for place in places { blocker.addHiding(of: verdicts[place].load, to: &page) }
      let rules = sources.indices.map { list in
        page.rules(ofList: list).map { $0 < kept[list].count ? kept[list][$0] : $0 }
      }
      let sheets = zip(page.attachesGlobalSheet, hasSheets).map { $0 && $1 }
      if Hidden(rules: rules, sheets: sheets) != hidden[number] {
        return .refuted("it would show what the lists hide on the page")
      }
    }
    return .proven
  }

  /// The lists with a change; `nil` if one is refused.
  private func blocker(_ change: Change) -> ContentBlocker? {
    var lists: [ContentRuleList] = []
    for (number, source) in sources.enumerated() {
      var texts = kept[number].compactMap { index -> String? in
        if case .replace(let id, let text) = change, id == RuleID(list: number, rule: index) {
          return text
        }
        return source.rule(at: index).map { source.text(of: $0) }
      }
      if case .append(let text, number) = change { texts.append(text) }
      let json = Array("[\(texts.joined(separator: ",\n"))]".utf8)
      // A list without rules is none; it has no part in any load.
      if texts.isEmpty {
        guard let empty = Self.emptyList else { return nil }
        lists.append(empty)
        continue
      }
      guard
        let list = try? ContentRuleList(
          identifier: "list \(number)",
          encodedContentRuleList: json
        )
      else { return nil }
      lists.append(list)
    }
    return ContentBlocker(lists: lists)
  }

  /// A list that does nothing to any load.
  private static let emptyList = try? ContentRuleList(
    identifier: "",
    encodedContentRuleList: Array(
      #"[{"trigger":{"url-filter":"^tickbird-nothing:"},"action":{"type":"block"}}]"#.utf8
    )
  )
}
