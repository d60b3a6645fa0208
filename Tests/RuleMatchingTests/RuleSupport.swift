import ContentRules
import ResourceLoads
import RuleCompiler
import RuleMatching

extension Rule {
  /// A rule for a pattern.
  init(
    _ index: Int,
    _ pattern: String,
    isCaseSensitive: Bool = false,
    flags: TriggerFlags = TriggerFlags(),
    condition: Condition? = nil,
    action: Action = .block,
    identifier: RuleIdentifier? = nil
  ) {
    self.init(
      index: index,
      trigger: Trigger(
        urlFilter: URLFilter(pattern, isCaseSensitive: isCaseSensitive),
        flags: flags,
        condition: condition
      ),
      action: action,
      identifier: identifier
    )
  }
}

/// Compiles rules; every index counts as an element of the list.
func compile(
  _ rules: [Rule],
  source: String = "[]",
  limits: CompilerLimits = CompilerLimits()
) throws -> [UInt8] {
  var compilation = RuleListCompilation(limits: limits)
  for rule in rules { try compilation.add(rule) }
  return try compilation.finish(
    source: Array(source.utf8),
    ruleCount: (rules.map(\.index).max() ?? -1) + 1
  )
}

/// A compiled list with what deciding needs.
struct Decider: ~Copyable {
  let list: CompiledRuleList
  private var scratch = MatchScratch()
  private var page = PageState()

  init(_ list: CompiledRuleList, top: String = "https://top.test/") {
    self.list = list
    scratch.prepare(for: list)
    let url = Array(top.utf8)
    list.update(&page, topURL: url.span, frameURL: url.span, &scratch)
  }

  /// The rules that match a load, in order, each once.
  mutating func rules(
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
  var matchCount: Int { scratch.matchedEntries.count }

  /// What the list does to a load.
  mutating func decision(
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
