internal import ContentRules
internal import ResourceLoads
internal import WebURL

/// A rule of a list in the browser's terms, before limits are applied.
struct RuleDraft {
  /// One way to express the rule.
  struct Way {
    var conditions: [DeclarativeRule.Condition]
    var differences: [Difference]
    var usesRegex: Bool
  }

  var rule: Int
  var action: DeclarativeRule.Action
  /// The forms, best first.
  var ways: [Way]
}

/// Translates single rules.
struct RuleTranslator {
  let browser: DeclarativeBrowser
  /// Whether to express parties by domains of pages if possible, which takes more rules.
  let namesParties: Bool

  /// The result of a rule.
  enum Result {
    case draft(RuleDraft)
    case settled(Verdict)
  }

  /// Translates a rule.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - types: The types of loads to which it is narrowed.
  /// - Returns: What it becomes, or the verdict if it becomes nothing.
  func translate(_ rule: Rule, among types: ResourceType) -> Result {
    guard let action = Self.action(rule) else {
      if case .cssDisplayNone = rule.action { return .settled(.hiding) }
      return .settled(.withoutEffect)
    }
    let kinds = LoadKinds(rule.trigger.flags, among: types)
    if let fault = kinds.fault { return .settled(.notExpressible(fault)) }
    var page: PageDomains?
    switch PageDomains.read(rule.trigger, browser) {
    case .always: break
    case .never: return .settled(.exact)
    case .domains(let domains): page = domains
    case .notExpressible(let difference): return .settled(.notExpressible(difference))
    }
    let forms = AddressForms(rule.trigger.urlFilter, browser)
    guard !forms.isImpossible else { return .settled(.exact) }
    var ways = forms.forms
    if action == .upgradeScheme {
      guard let form = UpgradeForms.form(rule.trigger.urlFilter, browser) else {
        return .settled(.notExpressible(.upgradePattern))
      }
      ways = [form]
    }
    let fitting = ways.filter { form in
      form.tests.allSatisfy { $0.regexCost <= browser.regexInstructions }
    }
    guard !fitting.isEmpty else {
      return .settled(.notExpressible(ways.isEmpty ? .patternTooRich : .regexTooLarge))
    }
    let draft = RuleDraft(
      rule: rule.index,
      action: action,
      ways: fitting.map { form in
        way(form, kinds, page, rule.trigger, host: forms.host)
      }
    )
    guard draft.ways[0].conditions.isEmpty else { return .draft(draft) }
    if draft.ways[0].differences.contains(.previousPage) {
      return .settled(.notExpressible(.previousPage))
    }
    if draft.ways[0].differences.contains(.partOfDomains) {
      return .settled(.notExpressible(.domainPattern))
    }
    // No load matches the rule.
    return .settled(.exact)
  }

  /// What the browser does for a rule; nil if it does nothing.
  static func action(_ rule: Rule) -> DeclarativeRule.Action? {
    switch rule.action {
    case .block: .block
    case .blockCookies: .removeCookies
    case .makeHTTPS: .upgradeScheme
    case .ignorePreviousRules, .ignoreFollowingRules: .allow
    case .cssDisplayNone, .notify, .redirect, .modifyHeaders: nil
    }
  }

  private func way(
    _ form: AddressForm,
    _ kinds: LoadKinds,
    _ page: PageDomains?,
    _ trigger: Trigger,
    host: String?
  ) -> RuleDraft.Way {
    var conditions: [DeclarativeRule.Condition] = []
    var differences = form.differences + kinds.differences + (page?.differences ?? [])
    for group in kinds.groups {
      for party in parties(trigger.flags.loadTypes, group.types, host: host) {
        func differ(_ difference: Difference) {
          if !differences.contains(difference) { differences.append(difference) }
        }
        if let difference = party.difference { differ(difference) }
        for part in pageParts(party.types, page) {
          if let difference = part.difference { differ(difference) }
          if part.isCut { differ(.previousPage) }
          var condition = DeclarativeRule.Condition()
          condition.types = browser.names(of: part.types, schemes: form.schemes)
          condition.methods = group.methods
          condition.party = party.party
          guard !condition.types.isEmpty else { continue }
          for test in form.tests {
            var condition = condition
            condition.requestDomains = test.domain.map { [$0] } ?? []
            guard restrict(&condition, to: page, as: part, party) else { continue }
            condition.urlFilter = test.urlFilter
            condition.regexFilter = test.regex
            condition.isCaseSensitive =
              trigger.urlFilter.isCaseSensitive && (test.urlFilter ?? test.regex) != nil
            conditions.append(condition)
          }
        }
      }
    }
    return RuleDraft.Way(
      conditions: conditions,
      differences: differences,
      usesRegex: form.usesRegex
    )
  }

  /// A party, with the loads for which it is expressed so.
  private struct Party {
    var types: ResourceType
    var party: DeclarativeRule.Party?
    /// The only domain of pages, and the excluded domain of pages.
    var topDomain: String?
    var excludedTopDomain: String?
    var difference: Difference?
  }

  private func parties(_ loadTypes: LoadType, _ types: ResourceType, host: String?) -> [Party] {
    guard loadTypes == .firstParty || loadTypes == .thirdParty else { return [Party(types: types)] }
    let isFirst = loadTypes == .firstParty
    if namesParties, browser.knowsPageDomain, let site = host.flatMap(Self.site) {
      return [
        Party(
          types: types,
          topDomain: isFirst ? site : nil,
          excludedTopDomain: isFirst ? nil : site
        )
      ]
    }
    // A page's own document is first-party, unlike in the browser.
    var parties: [Party] = []
    if isFirst, types.contains(.topDocument) { parties.append(Party(types: .topDocument)) }
    let others = types.subtracting(.topDocument)
    if !others.isEmpty {
      parties.append(
        Party(
          types: others,
          party: isFirst ? .firstParty : .thirdParty,
          difference: .partyOfFrame
        )
      )
    }
    return parties
  }

  /// Returns the domain that all hosts of a name are registered under; `nil` if they may differ.
  private static func site(of host: String) -> String? {
    if DomainName.isAddress(host) { return host }
    let bytes = Array(host.utf8)
    return PublicSuffixList.registrableDomain(ofHost: bytes.span).map { range in
      String(decoding: bytes[range], as: UTF8.self)
    }
  }

  /// Types for which a condition on pages is expressed in the same way.
  private struct PagePart {
    var types: ResourceType
    /// Whether the loads are pages, whose own host is the page's.
    var isOfRequest = false
    /// Whether pages are excluded.
    var isCut = false
    /// The deviation caused by using the requesting document.
    var difference: Difference?
  }

  /// Splits types if the browser identifies pages by the requesting document.
  private func pageParts(_ types: ResourceType, _ page: PageDomains?) -> [PagePart] {
    guard let page, page.isOfFrame else { return [PagePart(types: types)] }
    let difference: Difference = page.isOfPage ? .domainOfFrame : .frameByOrigin
    let others = types.subtracting(.topDocument)
    let hasPages = types.contains(.topDocument)
    // Avoids another rule if using the requesting document only allows more.
    guard hasPages, !page.isNegated || page.isOfPage && others.isEmpty else {
      return [PagePart(types: types, difference: difference)]
    }
    var parts: [PagePart] = []
    if page.isOfPage { parts.append(PagePart(types: .topDocument, isOfRequest: true)) }
    if !others.isEmpty || !page.isOfPage {
      parts.append(PagePart(types: others, isCut: !page.isOfPage, difference: difference))
    }
    return parts
  }

  /// Adds the pages to a condition; returns false if there is none.
  private func restrict(
    _ condition: inout DeclarativeRule.Condition,
    to page: PageDomains?,
    as part: PagePart,
    _ party: Party
  ) -> Bool {
    if let site = party.topDomain { condition.topDomains = [site] }
    if let site = party.excludedTopDomain { condition.excludedTopDomains = [site] }
    guard let page else { return true }
    if part.isOfRequest {
      if page.isNegated {
        condition.excludedRequestDomains = page.domains
        return true
      }
      condition.requestDomains =
        condition.requestDomains.isEmpty
        ? page.domains : Self.common(condition.requestDomains, page.domains)
      return !condition.requestDomains.isEmpty
    }
    switch (page.isNegated, page.isOfFrame) {
    case (false, true): condition.initiatorDomains = page.domains
    case (true, true): condition.excludedInitiatorDomains = page.domains
    case (true, false):
      condition.excludedTopDomains = Set(condition.excludedTopDomains).union(page.domains).sorted()
    case (false, false):
      condition.topDomains =
        party.topDomain.map { Self.common([$0], page.domains) } ?? page.domains
      return !condition.topDomains.isEmpty
    }
    return true
  }

  /// Returns the intersection of two sets of domains.
  private static func common(_ some: [String], _ others: [String]) -> [String] {
    let common = some.flatMap { one in
      others.compactMap { other in
        DomainName.isName(other, within: one)
          ? other : DomainName.isName(one, within: other) ? one : nil
      }
    }
    return Set(common).sorted()
  }
}
