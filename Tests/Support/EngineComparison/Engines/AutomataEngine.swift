internal import Automata
internal import ContentBlocking
internal import ContentRules
internal import ReferenceMatcher
internal import ResourceLoads
internal import RuleCompiler
internal import RuleMatching

/// The automata only: runs every pattern over the whole URL, without index and programs.
///
/// Uses the compiler's patterns and slots; determines itself which rules match, and what the ignore
/// actions leave.
public struct AutomataEngine: Engine {
  /// The engine's name in messages.
  public let name: String
  /// The most states of a DFA; patterns that need more are simulated, all of them if it is 0.
  public let stateLimit: Int

  /// Creates the engine.
  public init(stateLimit: Int) {
    self.stateLimit = stateLimit
    name = stateLimit == 0 ? "simulated automata" : "determinized automata"
  }

  /// Reads and prepares lists.
  ///
  /// - Parameter lists: The JSON text of each list, in UTF-8.
  /// - Returns: The prepared lists.
  /// - Throws: ``EngineRefusal`` with WebKit's name for the error.
  public func load(_ lists: [[UInt8]]) throws(EngineRefusal) -> any LoadedLists {
    var loaded: [AutomataList] = []
    for text in lists {
      let report = RuleListReader.read(text, options: ContentRuleList.readingOptions())
      guard let list = report.ruleList else {
        throw EngineRefusal(name: report.webKitError?.webKitError?.rawValue ?? "refused")
      }
      loaded.append(AutomataList(list.rules, stateLimit: stateLimit))
    }
    return LoadedAutomata(loaded)
  }
}

private final class LoadedAutomata: LoadedLists {
  let lists: [AutomataList]

  init(_ lists: [AutomataList]) { self.lists = lists }

  var globalSelectors: [String?] { lists.map(\.globalSelectors) }

  func evaluate(_ load: ReferenceLoad) -> [ListOutcome] {
    lists.map { $0.evaluate(load) }
  }

  func rules(matching text: String) -> Set<Int> {
    let symbols = Array(text.utf8) + [0]
    return Set(lists[0].entries.filter { $0.urlFilter.finds(in: symbols) }.map(\.rule.index))
  }
}

/// One pattern as an automaton.
private enum Machine {
  case universal
  case simulated(NFA)
  case deterministic(DFA)

  init(_ pattern: [UInt8], isCaseSensitive: Bool, stateLimit: Int) {
    guard
      case .success(let parsed) = URLFilterParser.parse(
        pattern.span,
        isCaseSensitive: isCaseSensitive
      )
    else { preconditionFailure("the reader accepted a pattern that the parser refuses") }
    if parsed.matchesEverything {
      self = .universal
      return
    }
    let nfa = NFA(terms: parsed.terms[...])
    if stateLimit > 0, let dfa = nfa.determinized(stateLimit: stateLimit, stopsAtAccept: true) {
      self = .deterministic(dfa.minimized())
    } else {
      self = .simulated(nfa)
    }
  }

  var isUniversal: Bool { if case .universal = self { true } else { false } }

  /// Whether the pattern matches in a text that ends with a 0.
  func finds(in symbols: [UInt8]) -> Bool {
    switch self {
    case .universal: true
    case .simulated(let nfa): !nfa.actions(reading: symbols).isEmpty
    case .deterministic(let dfa): !dfa.actions(reading: symbols).isEmpty
    }
  }
}

private struct AutomataList {
  struct Entry {
    let rule: Rule
    let urlFilter: Machine
    let conditionEntries: [Machine]
    /// `nil` for rules of the global sheet.
    let slot: UInt32?
    let reportSlot: UInt32?

    var isPlainUniversal: Bool {
      urlFilter.isUniversal && rule.trigger.flags.isEmpty && rule.trigger.condition == nil
    }

    func matches(_ symbols: [UInt8], top: [UInt8], frame: [UInt8], _ load: LoadProperties) -> Bool {
      guard rule.trigger.flags.admits(load), urlFilter.finds(in: symbols) else { return false }
      guard let condition = rule.trigger.condition else { return true }
      let page = condition.subject == .frameURL ? frame : top
      // WebKit never matches a condition with a request method.
      let isMet =
        rule.trigger.flags.requestMethod == nil
        && conditionEntries.contains { $0.finds(in: page) }
      return isMet != condition.isNegated
    }
  }

  private struct PatternName: Hashable {
    let text: [UInt8]
    let isCaseSensitive: Bool
  }

  let entries: [Entry]
  let slots: [Slot]

  init(_ rules: [Rule], stateLimit: Int) {
    var known: [PatternName: Machine] = [:]
    func machine(_ pattern: [UInt8], _ isCaseSensitive: Bool) -> Machine {
      let name = PatternName(text: pattern, isCaseSensitive: isCaseSensitive)
      if let machine = known[name] { return machine }
      let machine = Machine(pattern, isCaseSensitive: isCaseSensitive, stateLimit: stateLimit)
      known[name] = machine
      return machine
    }
    let machines = rules.map { rule in
      machine(Array(rule.trigger.urlFilter.text.utf8), rule.trigger.urlFilter.isCaseSensitive)
    }
    let actions = ActionSlots(rules) { machines[$0].isUniversal }
    slots = actions.slots
    entries = rules.enumerated().map { place, rule in
      let condition = rule.trigger.condition
      let conditionEntries = (condition?.entries ?? []).map { entry in
        machine(
          condition?.subject == .domain
            ? DomainPattern.pattern(forDomain: entry) : Array(entry.utf8),
          condition?.isCaseSensitive ?? false
        )
      }
      return Entry(
        rule: rule,
        urlFilter: machines[place],
        conditionEntries: conditionEntries,
        slot: actions.slotOfRule[place],
        reportSlot: actions.reportSlots[place]
      )
    }
  }

  var globalSelectors: String? {
    let selectors = entries.compactMap { entry -> String? in
      guard entry.slot == nil, case .cssDisplayNone(let selector) = entry.rule.action else {
        return nil
      }
      return selector
    }
    // Those with one trigger stand together, as slots do.
    var groups: [(Trigger, [String])] = []
    for (entry, selector) in zip(entries.filter { $0.slot == nil }, selectors) {
      if let index = groups.firstIndex(where: { $0.0 == entry.rule.trigger }) {
        groups[index].1.append(selector)
      } else {
        groups.append((entry.rule.trigger, [selector]))
      }
    }
    return groups.isEmpty ? nil : groups.flatMap(\.1).joined(separator: ",")
  }

  /// A slot that a matching entry reaches.
  private struct Reached {
    var slot: UInt32
    var entry: Entry
    var isReport: Bool
  }

  func evaluate(_ load: ReferenceLoad) -> ListOutcome {
    let url = Array(load.url.utf8) + [0]
    let top = Array(load.topURL.utf8) + [0]
    let frame = Array(load.frameURL.utf8) + [0]
    let properties = load.properties
    var reached: [Reached] = []
    for entry in entries where entry.slot != nil || entry.reportSlot != nil {
      guard entry.matches(url, top: top, frame: frame, properties) else { continue }
      if let slot = entry.slot {
        reached.append(Reached(slot: slot, entry: entry, isReport: false))
      }
      if let slot = entry.reportSlot {
        reached.append(Reached(slot: slot, entry: entry, isReport: true))
      }
    }
    let bySlot = Dictionary(grouping: reached, by: \.slot).sorted { $0.key < $1.key }
    func kind(_ slot: UInt32) -> ActionKind { slots[Int(slot)].kind }
    let following = bySlot.first { kind($0.key) == .ignoreFollowingRules }
    let previous = bySlot.last {
      kind($0.key) == .ignorePreviousRules && $0.key < following?.key ?? .max
    }
    var outcome = ListOutcome(
      actions: [],
      fates: [:],
      attachesGlobalSheet: previous == nil
    )
    for (slot, group) in bySlot {
      let rules = group.map(\.entry.rule.index)
      let fate: ListOutcome.Fate?
      if let following, slot > following.key {
        fate = .swallowed(by: following.value[0].entry.rule.index)
      } else if let previous, slot < previous.key {
        fate = .cancelled(by: previous.value[0].entry.rule.index)
      } else {
        fate = nil
        if slot != following?.key, slot != previous?.key {
          let action = Self.action(group)
          outcome.actions.append(action)
          let plain = group.count { $0.entry.isPlainUniversal }
          if plain > 0 && plain < group.count { outcome.actions.append(action) }
        }
      }
      for (place, member) in group.enumerated() where !member.isReport {
        outcome.fates[rules[place]] = fate ?? (place == 0 ? .applied : .merged(into: rules[0]))
      }
    }
    return outcome
  }

  private static func action(_ group: [Reached]) -> ListOutcome.Action {
    let rules = group.map(\.entry.rule.index)
    if group[0].isReport, let identifier = group[0].entry.rule.identifier {
      return .init(type: "report-identifier", fields: identifier.spelled, rules: rules)
    }
    var (type, fields) = group[0].entry.rule.action.spelled
    if fields["selector"] != nil {
      let selectors = group.compactMap { $0.entry.rule.action.spelled.fields["selector"]?.string }
      fields["selector"] = .string(selectors.joined(separator: ","))
    }
    return .init(type: type, fields: fields, rules: rules)
  }
}
