internal import ActionCoding
internal import ContentRules
internal import LoadDeciding
internal import RuleMatching
internal import WebURL

/// Merges the results of the lists, one after the other.
struct DecisionMerger {
  private let load: ResourceLoad
  private var decision = LoadDecision()
  /// The places of upgrades among the actions.
  private var upgrades: [Int] = []
  private var redirects: [PermittedRedirect] = []
  /// The first rule that blocks the load or may redirect it: it wins.
  private var winner: (list: Int, rule: Int)?
  private var headers: [ModifyHeaders] = []

  /// A redirect that acts unless the load is blocked.
  private struct PermittedRedirect {
    /// The place among the actions.
    var place: Int
    var redirect: Redirect
    var urlFilter: String
    var base: WebURL?
  }

  init(load: ResourceLoad) { self.load = load }

  mutating func add(
    _ actions: [AppliedAction],
    _ listDecision: ListDecision,
    of list: ContentRuleList,
    number: Int,
    permission: ContentBlocker.Permission?
  ) {
    decision.lists.append(
      LoadDecision.ListResult(
        attachesGlobalSheet: listDecision.attachesGlobalSheet,
        hasGlobalSheet: list.compiled.hasGlobalSheet
      )
    )
    for applied in actions {
      let slot = list.compiled.slot(applied.slot)
      let text = list.compiled.text(at: slot.text)
      let rules = applied.rules.map { Int($0) }
      if slot.kind == .reportIdentifier {
        guard let identifier = ActionText.decodeIdentifier(text) else { continue }
        decision.actions.append(
          .init(
            effect: .reportIdentifier(identifier),
            kind: .reportIdentifier,
            list: number,
            rules: rules
          )
        )
        continue
      }
      guard let action = ActionText.decode(slot.kind, text) else { continue }
      let idleness = apply(
        action,
        of: (number, rules[0]),
        regexFilter: ActionText.decodeRegexFilter(slot.kind, text),
        permission
      )
      decision.actions.append(
        .init(
          effect: .action(action),
          kind: slot.kind,
          list: number,
          rules: rules,
          idleness: idleness
        )
      )
    }
  }

  /// Applies an action; returns why it has no effect, as far as the actions before it tell.
  private mutating func apply(
    _ action: Action,
    of rule: (list: Int, rule: Int),
    regexFilter: String?,
    _ permission: ContentBlocker.Permission?
  ) -> LoadDecision.Idleness? {
    switch action {
    case .block:
      // The first of block and an active redirect wins.
      if !redirects.isEmpty, let winner { return .tooLate(list: winner.list, rule: winner.rule) }
      decision.isBlocked = true
      winner = winner ?? rule
    case .blockCookies: decision.blocksCookies = true
    case .makeHTTPS: upgrades.append(decision.actions.count)
    case .cssDisplayNone(let selector): decision.hiddenSelectors.append(selector)
    case .notify(let text): decision.notifications.append(text)
    case .redirect(let redirect):
      guard isPermitted(permission) else { return .notPermitted }
      if decision.isBlocked, let winner { return .tooLate(list: winner.list, rule: winner.rule) }
      redirects.append(
        PermittedRedirect(
          place: decision.actions.count,
          redirect: redirect,
          urlFilter: regexFilter ?? "",
          base: permission?.extensionBaseURL
        )
      )
      winner = winner ?? rule
    case .modifyHeaders(let change):
      guard isPermitted(permission) else { return .notPermitted }
      headers.append(change)
    case .ignorePreviousRules, .ignoreFollowingRules: break
    }
    return nil
  }

  private func isPermitted(_ permission: ContentBlocker.Permission?) -> Bool {
    permission?.permits(load) ?? false
  }

  /// Returns the decision, with the URL that the load ends up at.
  ///
  /// > Source: WebKit `applyResultsToRequest`: the upgrade first, then header changes by priority,
  /// > then redirects. WebKit upgrades only what `processContentRuleListsForLoad` calls `madeHTTPS`:
  /// > an http or ws URL without a port; and a load that is blocked is not requested at all.
  func finished() -> LoadDecision {
    var finished = decision
    finished.headerChanges = HeaderChanges.sorted(headers)
    let upgraded = upgrades.isEmpty ? nil : upgradedToHTTPS(load.url)
    for place in upgrades {
      finished.actions[place].idleness =
        decision.isBlocked
        ? .loadIsBlocked : upgraded == nil ? .ofUpgrading(load.url) : nil
    }
    guard !decision.isBlocked else { return finished }
    var url = load.url
    if let upgraded { url = upgraded }
    for step in redirects {
      let next = step.redirect.apply(
        to: url,
        urlFilter: step.urlFilter,
        extensionBaseURL: step.base
      )
      if let next, next != url {
        url = next
      } else {
        finished.actions[step.place].idleness = .sameURL
      }
    }
    if url != load.url { finished.newURL = url }
    return finished
  }
}

extension LoadDecision.Idleness {
  /// Returns why a URL that ``upgradedToHTTPS(_:)`` refuses is left as it is.
  fileprivate static func ofUpgrading(_ url: WebURL) -> Self {
    switch url.scheme {
    case "http", "ws": .hasPort
    default: .otherScheme
    }
  }
}
