package import ContentBlocking
internal import ContentRules
internal import RuleMatching
internal import WebURL

/// What a list does to a load, as far as anybody can tell: the same effects by other rules are
/// equal.
package struct LoadEffects: Hashable, Sendable {
  /// Whether the load fails.
  package var isBlocked: Bool
  /// Whether it goes without cookies.
  package var blocksCookies: Bool
  /// Whether a `make-https` rule applies.
  package var makesHTTPS: Bool
  /// The single selectors that hide, the global sheet's included.
  package var hidden: Set<String>
  /// Notifications, redirects, header changes and reports, in the engine's order.
  package var others: [LoadDecision.AppliedAction.Effect]

  /// Creates the effects of a decision; `globalSelectors` are the single selectors of each list's
  /// global sheet.
  package init(_ decision: LoadDecision, globalSelectors: [Set<String>]) {
    isBlocked = decision.isBlocked
    blocksCookies = decision.blocksCookies
    makesHTTPS = decision.actions.contains { $0.kind == .makeHTTPS }
    hidden = []
    for list in decision.hiddenSelectors {
      for part in SelectorParts.parts(of: list) { hidden.insert(String(part)) }
    }
    for (list, selectors) in zip(decision.lists, globalSelectors) where list.hidesGlobally {
      hidden.formUnion(selectors)
    }
    others = decision.actions.compactMap { action in
      switch action.kind {
      case .notify, .redirect, .modifyHeaders, .reportIdentifier: action.effect
      default: nil
      }
    }
  }
}

/// Asks lists for the effects on loads.
package final class EffectsDecider {
  private var blocker: ContentBlocker
  private let globalSelectors: [Set<String>]

  /// Creates a decider for one list.
  package convenience init(_ list: ContentRuleList) { self.init([list]) }

  /// Creates a decider for several lists.
  package init(_ lists: [ContentRuleList]) {
    blocker = ContentBlocker(lists: lists)
    globalSelectors = lists.map { list in
      Set((list.globalSelectors.map { SelectorParts.parts(of: $0) } ?? []).map { String($0) })
    }
  }

  /// Returns what the lists do to a load; what is hidden is empty unless `hides`.
  ///
  /// - Complexity: That of a decision, and O(*n*) for *n* selectors that hide.
  package func effects(on load: ResourceLoad, hides: Bool = true) -> LoadEffects {
    LoadEffects(
      blocker.decision(for: load, includesHiding: hides),
      globalSelectors: hides ? globalSelectors : []
    )
  }
}
