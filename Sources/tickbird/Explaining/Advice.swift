internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import LoadAdvice
internal import ResourceLoads
internal import WebURL

/// Suspected accidents of a rule, and proposals for what to write instead.
///
/// A rule for every resource type that blocks a page, or a first-party style sheet or font, is
/// suspected of an accident, unless its pattern names the host. Not suspected are scripts, because
/// first-party ones that lists block are mostly trackers; nor pages that are blocked by rules for
/// certain pages, because trackers have pages, too. Every proposal has been tried on all loads
/// (``ChangeTrial``): it lets the suspected loads through and changes nothing else.
struct Advice {
  let rule: RuleID
  /// The suspected loads, by their indexes.
  let accidents: [Int]
  /// A member for the rule's trigger that excludes the suspected types.
  var restriction: Proposal?
  /// A rule that lets the first suspected load through on its site.
  var exception: Proposal?
  /// The reason why no exception is proposed.
  var refusal: String?

  /// Types without which a page is broken, and which patterns for something else match by mistake.
  private static let suspected: ResourceType = [.topDocument, .styleSheet, .font]
  /// The most rules to check; each takes trials on all loads.
  private static let limit = 5

  /// Finds accidents, and tries possible proposals.
  static func all(_ verdicts: LoadVerdicts, _ explainer: inout Explainer) -> [Advice] {
    var found: [RuleID] = []
    var accidents: [RuleID: [Int]] = [:]
    let blockedPages = Set(
      verdicts.loads.indices.filter {
        verdicts[$0].load.resourceType == .topDocument && verdicts[$0].verdict.fate.isBlocked
      }.map { verdicts[$0].load.topURL }
    )
    for place in verdicts.loads.indices {
      let (load, verdict) = verdicts[place]
      guard verdict.fate.isBlocked, let id = verdict.decider,
        Self.suspected.contains(load.resourceType), load.loadType == .firstParty,
        let rule = explainer.rule(id), rule.trigger.flags.resourceTypes.isEmpty,
        load.resourceType == .topDocument
          ? rule.isForCertainPages : !blockedPages.contains(load.topURL),
        explainer.matchesPath(id, of: load)
      else { continue }
      if accidents[id] == nil { found.append(id) }
      accidents[id, default: []].append(place)
    }
    guard !found.isEmpty else { return [] }
    let trial = explainer.trial(verdicts)
    return found.prefix(Self.limit).map { id in
      var advice = Advice(rule: id, accidents: accidents[id] ?? [])
      advice.propose(trial, verdicts, explainer)
      return advice
    }
  }

  private mutating func propose(
    _ trial: ChangeTrial,
    _ verdicts: LoadVerdicts,
    _ explainer: borrowing Explainer
  ) {
    restriction = restriction(trial, verdicts, explainer)
    let load = verdicts[accidents[0]].load
    guard let text = LoadException.rule(for: load) else {
      refusal = "its URL and page cannot be said by host and path"
      return
    }
    let wanted = accidents.filter { LoadException.rule(for: verdicts[$0].load) == text }
    switch trial.result(of: .append(text, lists: [rule.list]), wanted: Set(wanted)) {
    case .proven: exception = Proposal(text: text, rule: text)
    case .refuted(let reason, _): refusal = reason
    }
  }

  // MARK: Proposals

  /// Proposes to exclude the suspected types, if they are blocked on the rule's own pages only and
  /// the rule has something else to block.
  private func restriction(
    _ trial: ChangeTrial,
    _ verdicts: LoadVerdicts,
    _ explainer: borrowing Explainer
  ) -> Proposal? {
    guard let rule = explainer.rule(rule), rule.isForCertainPages,
      verdicts.deeds[self.rule]?.decided ?? 0 > accidents.count
    else { return nil }
    var types = ResourceType.all
    for place in accidents { types.subtract(verdicts[place].load.resourceType) }
    let words = types.oldestWords.map { "\"\($0)\"" }
    let member = "\"resource-type\": [\(words.joined(separator: ", "))]"
    let text = explainer.sources[self.rule.list].text(of: rule)
    guard let changed = Self.trigger(of: text, with: member),
      case .proven = trial.result(
        of: .replace(changed, list: self.rule.list, rule: self.rule.rule),
        wanted: Set(accidents)
      )
    else { return nil }
    return Proposal(text: member, rule: changed)
  }

  /// Returns the text of a rule with one more member at the beginning of its trigger.
  private static func trigger(of rule: String, with member: String) -> String? {
    var text = Array(rule.utf8)
    var tape = JSONTape()
    guard (try? tape.parse(text.span)) != nil,
      let trigger = tape.member("trigger", of: JSONTape.root, in: text.span),
      tape.kind(trigger) == .object
    else { return nil }
    let start = tape.offset(of: trigger) + 1
    text.insert(contentsOf: "\(member), ".utf8, at: start)
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Text

  /// Returns the advice as text; empty if there is none.
  static func text(
    _ all: [Advice],
    _ verdicts: LoadVerdicts,
    _ explainer: borrowing Explainer,
    _ style: TextStyle
  ) -> String {
    guard !all.isEmpty else { return "" }
    var text = "\n" + style.paint.bold("Was that meant?") + "\n"
    for advice in all { text += advice.text(verdicts, explainer, style) }
    return text
  }

  private func text(
    _ verdicts: LoadVerdicts,
    _ explainer: borrowing Explainer,
    _ style: TextStyle
  ) -> String {
    func line(_ text: String) -> String { Shown.wrapped(text, width: style.width, indent: 4) }
    let loads = accidents.map { verdicts[$0].load }
    var text = Shown.wrapped(
      "Rule \(explainer.name(rule)) is for every resource type, and blocked first-party loads ("
        + TypeCounts.text(loads.map(\.resourceType)) + "):",
      width: style.width,
      indent: 2
    )
    for load in loads.prefix(3) {
      text += "      \(style.shortened(load.url.serialized, to: style.width - 6))\n"
    }
    if loads.count > 3 { text += "      and \(Shown.grouped(loads.count - 3)) more\n" }
    // Text to copy is not wrapped.
    if let restriction {
      let them = loads.count == 1 ? "it" : "these"
      text += line("To let \(them) through and block the rest, add to the rule's trigger:")
      text += "        " + style.paint.cyan(restriction.text) + "\n"
      if let age = restriction.age { text += line(age) }
    }
    let it = loads.count == 1 ? "it" : "the first one"
    if let exception {
      text += line("To let \(it) through on its own site, add as the list's last rule:")
      text += "        " + style.paint.cyan(exception.text) + "\n"
      if let age = exception.age { text += line(age) }
    } else if let refusal {
      text += line("No exception is proposed for \(it): \(refusal).")
    }
    if exception != nil || restriction != nil {
      let count = verdicts.loads.count
      text += line(
        "Tried on \(count == 1 ? "the load" : "the \(Shown.grouped(count)) loads"): nothing else "
          + "changes."
      )
    }
    return text
  }
}

/// A text to write into a list.
struct Proposal {
  var text: String
  /// The first version of Safari that accepts it; `nil` if all do.
  var safari: SafariVersion?
  /// The words in it that need that version.
  private var words: [String] = []

  /// Creates a proposal from its text and the whole rule that it becomes part of.
  fileprivate init(text: String, rule: String) {
    self.text = text
    let report = RuleListReader.read("[\(rule)]", options: ReadingOptions(findsRequirements: true))
    let needs = report.requirements.filter { text.contains("\"\($0.name)\"") }
    safari = needs.compactMap(\.feature.safari).max()
    words = needs.filter { $0.feature.safari == safari }.map(\.name).sorted()
  }

  /// A note about older versions of Safari.
  var age: String? {
    safari.map { "Safari before \($0) does not know \(words.joined(separator: ", "))." }
  }
}

extension ResourceType {
  /// Words for these types; of equivalent ones, those that most versions of Safari know.
  fileprivate var oldestWords: [String] {
    var left = self
    let hasDocuments = isSuperset(of: [.topDocument, .childDocument])
    if hasDocuments { left.subtract([.topDocument, .childDocument]) }
    // `other` includes these.
    if contains(.other) { left.subtract([.ping, .cspReport]) }
    return (hasDocuments ? ["document"] : [])
      + ResourceType.words.filter { left.contains($0.type) }.map { "\($0.word)" }
  }
}

extension Rule {
  /// Whether the rule names the pages that it is for, which shows that its author meant them.
  fileprivate var isForCertainPages: Bool { trigger.condition?.isNegated == false }
}
