internal import CommandOutput
public import ContentBlocking
public import ContentRules
internal import ResourceLoads
internal import RuleMatching
internal import WebURL

/// Tries changes of lists on all loads.
///
/// Tries a change on reduced lists, with only the rules that matter to any of the loads: they
/// decide as the whole lists do, and compile in no time. This is verified: the results are compared
/// with those of the whole lists.
public struct ChangeTrial {
  /// A change of lists.
  public enum Change {
    /// A new last rule for each of some lists.
    case append(String, lists: Set<Int>)
    /// A new text for a rule.
    case replace(String, list: Int, rule: Int)
  }

  /// The result of a change.
  public enum Result {
    /// The wanted loads are no longer blocked, and nothing else is changed.
    case proven
    /// The reason why not, and the other loads that would change, by their indexes.
    case refuted(String, others: [Int] = [])
  }

  /// The outcome of a load that is compared.
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

    /// Whether the load was blocked in the other outcome and is otherwise unchanged.
    func isRelease(of other: Outcome) -> Bool {
      other.isBlocked && !isBlocked && actions == other.actions
        && notifications == other.notifications
    }
  }

  /// What is hidden on a page, by list.
  private struct Hidden: Equatable {
    var rules: [[Int]]
    /// Whether each list's global sheet is attached; never if it has none.
    var sheets: [Bool]
  }

  private let loads: [ResourceLoad]
  /// The loads of each page, by their indexes.
  private let pages: [[Int]]
  private let sources: [ListSource]
  /// Whether each list has a global sheet.
  private let hasSheets: [Bool]
  /// The rules kept of each list, ascending.
  private let kept: [[Int]]
  private var outcomes: [Outcome] = []
  private var hidden: [Hidden] = []

  /// Decides all loads by the unchanged lists.
  ///
  /// - Parameters:
  ///   - loads: All loads.
  ///   - pages: The loads of each page, by their indexes.
  ///   - sources: The source of each list.
  ///   - globalRules: The rules of each list's global sheet.
  ///   - blocker: Has the lists.
  public init(
    _ loads: [ResourceLoad],
    pages: [[Int]],
    sources: [ListSource],
    globalRules: [[Rule]],
    _ blocker: inout ContentBlocker
  ) {
    self.loads = loads
    self.pages = pages
    self.sources = sources
    let hasSheets = globalRules.map { !$0.isEmpty }
    self.hasSheets = hasSheets
    var kept: [Set<Int>] = sources.indices.map { list in
      // Rules before the first of these are in the global sheet; one of them is enough.
      var rules: Set<Int> = []
      if sources[list].firstIgnoreRule != .max { rules.insert(sources[list].firstIgnoreRule) }
      if let global = globalRules[list].first { rules.insert(global.index) }
      return rules
    }
    for load in loads {
      let explanation = blocker.explanation(for: load, sources: sources, detail: [])
      for match in explanation.matches { kept[match.list].insert(match.rule) }
      outcomes.append(Outcome(explanation.decision))
    }
    for places in pages {
      var page = PageHiding(listCount: sources.count)
      for place in places { blocker.addHiding(of: loads[place], to: &page) }
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
  ///   - wanted: The indexes of the blocked loads that it should let through.
  /// - Returns: Whether it does that and nothing else.
  /// - Complexity: O(*n* + *r*) for *n* loads and *r* rules that matter to them.
  public func result(of change: Change, wanted: Set<Int>) -> Result {
    guard var blocker = blocker(change) else { return .refuted("the list would be refused") }
    var stillBlocked = 0
    var others: [Int] = []
    for (place, load) in loads.enumerated() {
      let explanation = blocker.explanation(for: load, sources: [], detail: [])
      let outcome = Outcome(explanation.decision)
      if !wanted.contains(place) {
        if outcome != outcomes[place] { others.append(place) }
      } else if outcome.isBlocked {
        stillBlocked += 1
      } else if !outcome.isRelease(of: outcomes[place]) {
        return .refuted("it would undo what else rules do to the load")
      }
    }
    if stillBlocked > 0 { return .refuted("the load would still be blocked") }
    if !others.isEmpty {
      return .refuted(
        "it would change \(Shown.count(others.count, "other load"))",
        others: others
      )
    }
    for (number, places) in pages.enumerated() {
      var page = PageHiding(listCount: sources.count)
      for place in places { blocker.addHiding(of: loads[place], to: &page) }
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

  /// Returns a blocker of the changed lists; `nil` if one is refused.
  private func blocker(_ change: Change) -> ContentBlocker? {
    var lists: [ContentRuleList] = []
    for (number, source) in sources.enumerated() {
      var texts = kept[number].compactMap { index -> String? in
        if case .replace(let text, number, index) = change { return text }
        return source.rule(at: index).map { source.text(of: $0) }
      }
      if case .append(let text, let lists) = change, lists.contains(number) { texts.append(text) }
      let json = Array("[\(texts.joined(separator: ",\n"))]".utf8)
      // A list must have rules; one without any affects no load.
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

  /// A list that affects no load.
  private static let emptyList = try? ContentRuleList(
    identifier: "",
    encodedContentRuleList: Array(
      #"[{"trigger":{"url-filter":"^tickbird-nothing:"},"action":{"type":"block"}}]"#.utf8
    )
  )
}
