internal import CommandInput
internal import ContentBlocking
internal import ContentRules

extension AuditedList {
  /// Creates a list of what all workers found about it.
  init(_ list: ContentRuleList, _ findings: [ListFindings]) {
    let text = list.source
    self.init(
      name: list.identifier,
      digest: ByteDigest(text).text,
      rules: RuleTable(actions: [], places: [])
    )
    for found in findings { add(found) }
    describe(ListSource(text))
  }

  /// Adds what a worker found; rules that matched remain without texts.
  mutating func add(_ found: ListFindings) {
    outcomes += found.outcomes
    record.add(found.record)
    attachedSheets += found.attachedSheets
    for (rule, record) in found.matches {
      matches[rule, default: RuleRecord(filter: "")].record.add(record)
    }
    for (rule, effects) in found.effects { matches[rule]?.effects += effects }
    for (rule, sites) in found.sites {
      for (site, count) in sites { matches[rule]?.sites[site, default: 0].add(count) }
    }
  }

  /// Sets everything that follows from the list's text alone.
  mutating func describe(_ source: ListSource) {
    rules = RuleTable(source)
    for number in matches.keys {
      guard let rule = source.rule(at: number) else { continue }
      let described = RuleRecord(describing: rule)
      matches[number]?.filter = described.filter
      matches[number]?.selector = described.selector
      matches[number]?.conditions = described.conditions
    }
  }
}

extension AuditedList.RuleRecord {
  /// Creates a record of a rule that nothing was counted for.
  init(describing rule: Rule) {
    self.init(
      filter: rule.trigger.urlFilter.text,
      selector: Self.selector(of: rule),
      conditions: rule.trigger.conditionsText
    )
  }

  /// The most characters of a selector to keep; it may be as long as a list.
  private static let selectorLimit = 160

  private static func selector(of rule: Rule) -> String {
    guard case .cssDisplayNone(let text) = rule.action else { return "" }
    guard text.utf8.count > selectorLimit else { return text }
    return String(text.unicodeScalars.prefix(selectorLimit - 1)) + "…"
  }
}

extension Audit {
  /// Adds what a worker found, apart from lists.
  mutating func add(_ findings: Findings) {
    outcomes += findings.outcomes
    for (site, found) in findings.sites { sites[site, default: AuditedSite()].add(found) }
  }
}
