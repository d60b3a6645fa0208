internal import ContentRules

/// Declarative rules as a rule list of WebKit's, with an account of every one.
///
/// Where the order is the meaning: the highest priority decides in Chromium, and in WebKit an
/// `ignore-previous-rules` lifts what stands before it. So rules stand by their priority, the lowest
/// first, and among those of one priority what the others override first.
package struct ListImport: Sendable {
  /// The list, JSON as WebKit takes it.
  package private(set) var json: [UInt8] = []
  /// How many rules it has.
  package private(set) var ruleCount = 0
  /// What became of each rule, in the order of the file.
  package private(set) var entries: [Entry]
  /// What holds for all rules and is not counted rule by rule.
  package private(set) var differences: [ImportDifference] = []

  /// What became of a rule.
  package struct Entry: Sendable {
    /// The rule's number in its file, if it has one.
    package var id: Int?
    /// Its place in the file, in bytes.
    package var offset: Int
    /// What became of it.
    package var outcome: Outcome
    /// Why it is not converted as it stands.
    package var reasons: [ImportReason]
    /// The rules that it became, ascending, from 0.
    package var rules: [Int] = []
  }

  /// What can become of a rule.
  package enum Outcome: String, CaseIterable, Sendable {
    case converted, approximated, impossible
  }

  /// How many rules had an outcome.
  package func count(_ outcome: Outcome) -> Int { entries.count { $0.outcome == outcome } }

  /// A rule of the list before it has its place.
  private struct Made {
    var entry: Int
    var priority: Int
    var action: ImportedRule.Action
    /// Each rule's trigger and action.
    var rules: [String]
    var excludedHosts: [String]
  }

  /// Imports rules.
  ///
  /// - Parameters:
  ///   - elements: The rules, as the reader gave them.
  ///   - expressions: Gives WebKit's patterns for regular expressions.
  /// - Complexity: O(*n* log *n*) for *n* domains and patterns.
  package init(_ elements: [ImportedElement], expressions: ExpressionPatterns) {
    entries = []
    var made: [Made] = []
    for element in elements {
      switch element {
      case .refused(let id, let offset, let reason):
        entries.append(Entry(id: id, offset: offset, outcome: .impossible, reasons: [reason]))
      case .rule(let rule):
        var entry = Entry(id: rule.id, offset: rule.offset, outcome: .converted, reasons: [])
        do throws(ImportReason) {
          var reasons: [ImportReason] = []
          made.append(try Self.make(rule, entries.count, expressions, &reasons))
          entry.reasons = reasons
          entry.outcome = reasons.isEmpty ? .converted : .approximated
        } catch {
          entry.outcome = .impossible
          entry.reasons = [error]
        }
        if rule.condition.isThirdParty != nil { note(.partyOfPage) }
        if rule.action == .upgradeScheme { note(.upgradesDefaultPort) }
        entries.append(entry)
      }
    }
    let actions = made.map(\.action)
    if actions.contains(.upgradeScheme), actions.contains(where: { $0 != .upgradeScheme }) {
      note(.upgradesOnce)
    }
    differences.sort { $0.rawValue < $1.rawValue }
    compareOrders(made)
    write(made)
  }

  private mutating func note(_ difference: ImportDifference) {
    if !differences.contains(difference) { differences.append(difference) }
  }

  // MARK: Rules

  private static func make(
    _ rule: ImportedRule,
    _ entry: Int,
    _ expressions: ExpressionPatterns,
    _ reasons: inout [ImportReason]
  ) throws(ImportReason) -> Made {
    if rule.action == .allowAllRequests {
      let rules = try PageAllowance(rule.condition, expressions: expressions)
      reasons = rules.reasons
      return Made(
        entry: entry,
        priority: rule.priority,
        action: rule.action,
        rules: rules.rules,
        excludedHosts: []
      )
    }
    let action = try ImportedActionText(rule)
    let conditions = try ConditionTranslator(
      rule.condition,
      // WebKit would upgrade them, too.
      without: rule.action == .upgradeScheme ? ["websocket"] : [],
      expressions: expressions
    )
    if rule.action.isAllowing, !conditions.excludedHosts.isEmpty {
      throw ImportReason(.twoPatterns)
    }
    if action.needsSamePattern {
      guard let expression = rule.condition.regexFilter,
        conditions.triggers.allSatisfy({ $0.pattern == expression })
      else { throw ImportReason(.regexSubstitution) }
    }
    reasons = conditions.reasons + action.reasons
    let rules = conditions.triggers.map { trigger in
      "{\"trigger\":{\(trigger.json)},\"action\":{\(action.json)}}"
    }
    try check(rules, of: rule)
    return Made(
      entry: entry,
      priority: rule.priority,
      action: rule.action,
      rules: rules,
      excludedHosts: conditions.excludedHosts
    )
  }

  /// Has WebKit's rules read for actions whose values it checks: it would refuse the whole list.
  private static func check(_ rules: [String], of rule: ImportedRule) throws(ImportReason) {
    switch rule.action {
    case .redirect, .modifyHeaders: break
    default: return
    }
    guard let first = rules.first else { return }
    var options = ReadingOptions()
    options.findsTraps = false
    let report = RuleListReader.read(Array("[\(first)]".utf8), options: options)
    guard !report.isAccepted else { return }
    throw ImportReason(
      .unsupportedAction,
      report.webKitError?.message ?? "WebKit refuses its values"
    )
  }

  // MARK: Order

  /// Notes what the order in a list cannot say.
  private mutating func compareOrders(_ made: [Made]) {
    let lowestBlock = made.filter { $0.action == .block }.map(\.priority).min() ?? .max
    let lowestAllowing = made.filter(\.action.isAllowing).map(\.priority).min() ?? .max
    let groups = Self.groups(made)
    for (place, group) in groups.enumerated() {
      let hosts = CoveringDomains(group.hosts)
      let loses = !groups[(place + 1)...].allSatisfy { $0.hosts.allSatisfy(hosts.cover) }
      for rule in group.rules {
        if loses { approximate(rule.entry, .exclusionsOfOthers) }
        if lowestAllowing < rule.priority { approximate(rule.entry, .exclusionsFirst) }
      }
    }
    compareRedirects(made)
    for rule in made where lowestBlock < rule.priority {
      switch rule.action {
      case .upgradeScheme, .redirect: approximate(rule.entry, .blockWins)
      default: break
      }
    }
  }

  /// Notes which redirects depend on others.
  private mutating func compareRedirects(_ made: [Made]) {
    let rules = made.filter { $0.action.isRedirect || $0.action == .upgradeScheme }
    guard rules.count > 1, rules.contains(where: \.action.isRedirect) else { return }
    let users = Dictionary(grouping: rules, by: \.action).mapValues(\.count)
    let isAllowed = made.contains(where: \.action.isAllowing)
    for rule in rules {
      approximate(rule.entry, .redirectsInTurn)
      if isAllowed, rule.action.isRedirect, users[rule.action, default: 0] > 1 {
        approximate(rule.entry, .sharedRedirect)
      }
    }
  }

  private mutating func approximate(_ entry: Int, _ code: ImportReason.Code) {
    entries[entry].outcome = .approximated
    entries[entry].reasons.append(ImportReason(code))
  }

  /// Rules that leave the same hosts alone, those with most hosts first.
  private static func groups(_ made: [Made]) -> [(hosts: [String], rules: [Made])] {
    let excluding = made.filter { !$0.excludedHosts.isEmpty }
    let byHosts = Dictionary(grouping: excluding) {
      ConditionTranslator.outermost($0.excludedHosts).sorted()
    }
    return byHosts.map { (hosts: $0.key, rules: sorted($0.value)) }
      .sorted {
        ($1.hosts.count, $0.rules[0].entry) < ($0.hosts.count, $1.rules[0].entry)
      }
  }

  private static func sorted(_ made: [Made]) -> [Made] {
    made.sorted {
      ($0.priority, $0.action.step, $0.entry) < ($1.priority, $1.action.step, $1.entry)
    }
  }

  private mutating func write(_ made: [Made]) {
    for group in Self.groups(made) {
      for rule in group.rules { write(rule) }
      for host in group.hosts {
        append(
          "{\"trigger\":{\"url-filter\":\(quoted(URLPatterns.host(host)))},"
            + "\"action\":{\"type\":\"ignore-previous-rules\"}}"
        )
        for rule in group.rules { entries[rule.entry].rules.append(ruleCount - 1) }
      }
    }
    for rule in Self.sorted(made.filter(\.excludedHosts.isEmpty)) { write(rule) }
    json += Array((ruleCount == 0 ? "[]\n" : "\n]\n").utf8)
  }

  private mutating func write(_ rule: Made) {
    for text in rule.rules {
      append(text)
      entries[rule.entry].rules.append(ruleCount - 1)
    }
  }

  private mutating func append(_ rule: String) {
    json += Array((ruleCount == 0 ? "[\n" : ",\n").utf8)
    json += Array(rule.utf8)
    ruleCount += 1
  }
}

/// A difference between Chromium and WebKit that holds for all rules, and is said once.
package enum ImportDifference: String, CaseIterable, Sendable {
  case partyOfPage = "party-of-page"
  case upgradesDefaultPort = "upgrades-default-port"
  case upgradesOnce = "upgrades-once"

  /// One sentence without a full stop.
  package var sentence: String {
    switch self {
    case .partyOfPage: "parties are those of the page in the window, and not those of a frame"
    case .upgradesDefaultPort: "URLs with a port are not upgraded"
    case .upgradesOnce:
      "an upgraded URL is not matched again, so that rules for https alone miss it"
    }
  }
}
