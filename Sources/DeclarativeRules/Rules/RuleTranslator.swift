internal import ContentRules
internal import ResourceLoads
internal import WebURL

/// A rule of a list in the browser's terms, before it is known what fits.
struct RuleDraft {
  /// One way to say the rule.
  struct Way {
    var conditions: [DeclarativeRule.Condition]
    var differences: [Difference]
    var usesRegex: Bool
  }

  var rule: Int
  var action: DeclarativeRule.Action
  /// The ways, the best first.
  var ways: [Way]
}

/// Translates single rules.
struct RuleTranslator {
  let browser: DeclarativeBrowser
  /// Whether parties are said by the domains of pages where that can be, which takes more rules.
  let namesParties: Bool

  /// What comes of a rule.
  enum Result {
    case draft(RuleDraft)
    case settled(Verdict)
  }

  func translate(_ rule: Rule) -> Result {
    let action: DeclarativeRule.Action
    switch rule.action {
    case .block: action = .block
    case .blockCookies: action = .removeCookies
    case .makeHTTPS: action = .upgradeScheme
    case .ignorePreviousRules, .ignoreFollowingRules: action = .allow
    case .cssDisplayNone: return .settled(.hiding)
    case .notify, .redirect, .modifyHeaders: return .settled(.withoutEffect)
    }
    let kinds = LoadKinds(rule.trigger.flags)
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
    // Without a condition there is no load that the rule is about.
    return draft.ways[0].conditions.isEmpty ? .settled(.exact) : .draft(draft)
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
      let parties = parties(trigger.flags.loadTypes, group.types, host: host)
      for party in parties {
        if let difference = party.difference, !differences.contains(difference) {
          differences.append(difference)
        }
        var condition = DeclarativeRule.Condition()
        condition.types = browser.names(of: party.types, schemes: form.schemes)
        condition.methods = group.methods
        condition.party = party.party
        guard !condition.types.isEmpty, restrict(&condition, to: page, party) else { continue }
        conditions += form.tests.map { test in
          var condition = condition
          condition.requestDomains = test.domain.map { [$0] } ?? []
          condition.urlFilter = test.urlFilter
          condition.regexFilter = test.regex
          condition.isCaseSensitive =
            trigger.urlFilter.isCaseSensitive && (test.urlFilter ?? test.regex) != nil
          return condition
        }
      }
    }
    return RuleDraft.Way(
      conditions: conditions,
      differences: differences,
      usesRegex: form.usesRegex
    )
  }

  /// A party, and the loads for which it is said so.
  private struct Party {
    var types: ResourceType
    var party: DeclarativeRule.Party?
    /// The only domain of pages, and the domain of pages that are not meant.
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
    // A page's own document is of the first party, which the browser sees otherwise.
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

  /// The domain that all hosts of a name are registered under; `nil` if they may differ.
  private static func site(of host: String) -> String? {
    if DomainName.isAddress(host) { return host }
    let bytes = Array(host.utf8)
    return PublicSuffixList.registrableDomain(ofHost: bytes.span).map { range in
      String(decoding: bytes[range], as: UTF8.self)
    }
  }

  /// Adds the pages to a condition; false if there is none.
  private func restrict(
    _ condition: inout DeclarativeRule.Condition,
    to page: PageDomains?,
    _ party: Party
  ) -> Bool {
    if let site = party.topDomain { condition.topDomains = [site] }
    if let site = party.excludedTopDomain { condition.excludedTopDomains = [site] }
    guard let page else { return true }
    switch (page.isNegated, page.isOfFrame) {
    case (false, true):
      condition.types.removeAll { $0 == "main_frame" }
      condition.initiatorDomains = page.domains
    case (true, true): condition.excludedInitiatorDomains = page.domains
    case (true, false):
      condition.excludedTopDomains = Set(condition.excludedTopDomains).union(page.domains).sorted()
    case (false, false):
      if let site = party.topDomain {
        let inside = page.domains.filter { DomainName.isName($0, within: site) }
        let isAbove = page.domains.contains { DomainName.isName(site, within: $0) }
        condition.topDomains = isAbove ? [site] : inside
        return !condition.topDomains.isEmpty
      }
      condition.topDomains = page.domains
    }
    return !condition.types.isEmpty
  }
}
