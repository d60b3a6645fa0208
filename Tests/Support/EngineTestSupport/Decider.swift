package import ResourceLoads
package import RuleMatching

/// A compiled list with what deciding needs.
package struct Decider: ~Copyable {
  package let list: CompiledRuleList
  private var scratch = MatchScratch()
  private var page = PageState()

  package init(_ list: CompiledRuleList, top: String = "https://top.test/") {
    self.list = list
    scratch.prepare(for: list)
    let url = Array(top.utf8)
    list.update(&page, topURL: url.span, frameURL: url.span, &scratch)
  }

  /// The rules that match a load, in order, each once.
  package mutating func rules(
    _ url: [UInt8],
    _ properties: LoadProperties = LoadProperties(
      resourceType: .script,
      loadType: .thirdParty
    )
  ) -> [UInt32] {
    scratch.assign(url.span)
    _ = list.decide(properties, page, &scratch)
    return Set(list.matchedEntries(page, scratch).map(\.rule)).sorted()
  }

  /// How many matches the last decision met.
  package var matchCount: Int { scratch.matchedEntries.count }

  /// What the list does to a load.
  package mutating func decision(
    _ url: [UInt8],
    _ properties: LoadProperties = LoadProperties(
      resourceType: .script,
      loadType: .thirdParty
    )
  ) -> (ListDecision, [AppliedAction]) {
    scratch.assign(url.span)
    let decision = list.decide(properties, page, &scratch)
    return (decision, list.appliedActions(decision, page, scratch))
  }
}
