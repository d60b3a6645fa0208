internal import ActionCoding
internal import ContentRules
internal import LoadDeciding
internal import RuleMatching
internal import WebURL

/// Merges the results of the lists, one after the other.
struct DecisionMerger {
  private let load: ResourceLoad
  private var decision = LoadDecision()
  private var makesHTTPS = false
  private var redirects: [(redirect: Redirect, urlFilter: String, base: WebURL?)] = []
  private var headers: [ModifyHeaders] = []

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
      let isEffective = apply(
        action,
        regexFilter: ActionText.decodeRegexFilter(slot.kind, text),
        permission
      )
      decision.actions.append(
        .init(
          effect: .action(action),
          kind: slot.kind,
          list: number,
          rules: rules,
          isEffective: isEffective
        )
      )
    }
  }

  /// Applies an action; returns false if it has no effect.
  private mutating func apply(
    _ action: Action,
    regexFilter: String?,
    _ permission: ContentBlocker.Permission?
  ) -> Bool {
    switch action {
    case .block:
      // The first of block and an active redirect wins.
      guard redirects.isEmpty else { return false }
      decision.isBlocked = true
    case .blockCookies: decision.blocksCookies = true
    case .makeHTTPS: makesHTTPS = true
    case .cssDisplayNone(let selector): decision.hiddenSelectors.append(selector)
    case .notify(let text): decision.notifications.append(text)
    case .redirect(let redirect):
      guard !decision.isBlocked, isPermitted(permission) else { return false }
      redirects.append((redirect, regexFilter ?? "", permission?.extensionBaseURL))
    case .modifyHeaders(let change):
      guard isPermitted(permission) else { return false }
      headers.append(change)
    case .ignorePreviousRules, .ignoreFollowingRules: break
    }
    return true
  }

  private func isPermitted(_ permission: ContentBlocker.Permission?) -> Bool {
    permission?.permits(load) ?? false
  }

  /// Returns the decision, with the URL that the load ends up at.
  ///
  /// > Source: WebKit `applyResultsToRequest`: the upgrade first, then header changes by priority,
  /// > then redirects.
  func finished() -> LoadDecision {
    var finished = decision
    finished.headerChanges = HeaderChanges.sorted(headers)
    guard !decision.isBlocked else { return finished }
    var url = load.url
    if makesHTTPS, let upgraded = upgradedToHTTPS(url) { url = upgraded }
    for step in redirects {
      if let next = step.redirect.apply(
        to: url,
        urlFilter: step.urlFilter,
        extensionBaseURL: step.base
      ) {
        url = next
      }
    }
    if url != load.url { finished.newURL = url }
    return finished
  }
}
