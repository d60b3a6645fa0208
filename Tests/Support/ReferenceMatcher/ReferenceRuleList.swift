/// A rule list, evaluated one rule after the other.
///
/// This is the oracle for the engine: short, slow, written from the rule language alone, and free of
/// the engine's code. Read it from here: a list is read (``init(jsonText:options:schemeOfURL:isSelectorValid:)``,
/// `Trigger`, `Condition`, `ReferenceAction`), its patterns are read and laid out as steps
/// (`PatternReader`, `PatternMachine`), its actions get their places (`assignSlots`), and for each
/// load the matching rules are collected (``evaluate(_:)``).
public struct ReferenceRuleList: Sendable {
  /// The most elements that a list may have.
  public static let maximumRuleCount = 150_000

  /// How the list goes about its work.
  ///
  /// No option changes a result.
  public var options: ReferenceOptions
  /// The selector lists of the global sheet, in the order of their slots.
  ///
  /// > Source: The rule language, section 7.4.
  public let globalHidingSelectors: [String]
  /// The rules that are in the global sheet, by their indexes in the JSON array.
  public let globalHidingRules: [Int]

  private let entries: [Entry]
  private let firstIgnoreSlot: Int?

  /// Reads a rule list.
  ///
  /// - Parameters:
  ///   - jsonText: The JSON text of the array, in UTF-8.
  ///   - options: How evaluation goes about its work.
  ///   - schemeOfURL: Gives the scheme of a valid absolute URL, and nil for any other text. Without
  ///     it the inner form of redirects is not checked.
  ///   - isSelectorValid: Says whether a text is a selector list that the engine keeps. The rule is
  ///     skipped if not.
  /// - Throws: ``ReferenceRefusal``, with the error that WebKit gives.
  public init(
    jsonText: some Sequence<UInt8>,
    options: ReferenceOptions = .init(),
    schemeOfURL: ((String) -> String?)? = nil,
    isSelectorValid: (String) -> Bool
  ) throws {
    try self.init(
      value: JSONValue(parsing: jsonText),
      options: options,
      schemeOfURL: schemeOfURL,
      isSelectorValid: isSelectorValid
    )
  }

  /// Reads a rule list whose JSON text has already been read.
  ///
  /// - Throws: ``ReferenceRefusal``, with the error that WebKit gives.
  public init(
    value: JSONValue,
    options: ReferenceOptions = .init(),
    schemeOfURL: ((String) -> String?)? = nil,
    isSelectorValid: (String) -> Bool
  ) throws {
    let redirectCheck = schemeOfURL.map { RedirectCheck(schemeOfURL: $0) }
    guard let rules = value.array else {
      throw ReferenceRefusal(name: "JSONTopLevelStructureNotAnArray")
    }
    guard rules.count <= Self.maximumRuleCount else {
      throw ReferenceRefusal(name: "JSONTooManyRules")
    }
    var entries: [Entry] = []
    for (index, rule) in rules.enumerated() {
      guard let members = rule.object else { throw ReferenceRefusal(name: "JSONInvalidRule") }
      let trigger = try Trigger(members["trigger"])
      let action = try ReferenceAction(members["action"])
      if let redirect = action.fields["redirect"] { try redirectCheck?.check(redirect) }
      if let selector = action.selector, !isSelectorValid(selector) { continue }
      entries.append(Entry(rule: index, trigger: trigger, action: action))
      if let identifier = members["_identifier"] {
        let report = try ReferenceAction(
          reporting: identifier,
          of: members["_rulesetIdentifier"]
        )
        entries.append(Entry(rule: index, trigger: trigger, action: report))
      }
    }
    guard !entries.isEmpty else { throw ReferenceRefusal(name: "JSONContainsNoRules") }

    var cache = PatternCache()
    for index in entries.indices { try entries[index].trigger.preparePatterns(&cache) }
    let firstIgnoreSlot = assignSlots(&entries)

    self.options = options
    self.entries = entries
    self.firstIgnoreSlot = firstIgnoreSlot
    let global = entries.filter { isInGlobalSheet($0, firstIgnoreSlot: firstIgnoreSlot) }
    globalHidingRules = global.map(\.rule)
    globalHidingSelectors = groupedBySlot(global).map { joinedAction($0).selector ?? "" }
  }

  /// Evaluates a load.
  ///
  /// > Source: The rule language, sections 7.1, 7.2 and 7.4.
  public func evaluate(_ load: ReferenceLoad) -> ReferenceResult {
    let searched = SearchedLoad(load, options)
    return collect(entries.filter { $0.trigger.matches(searched) })
  }

  private typealias Outcome = ReferenceResult.Outcome

  private func collect(_ matched: [Entry]) -> ReferenceResult {
    let local = matched.filter { !isInGlobalSheet($0, firstIgnoreSlot: firstIgnoreSlot) }
    var slots = groupedBySlot(local)
    var fates: [Int: Fate] = [:]

    // First, nothing counts behind the first ignore-following-rules, nor does it itself.
    if let first = slots.firstIndex(where: { $0[0].action.type == "ignore-following-rules" }) {
      let rule = slots[first][0].rule
      fates[slots[first][0].slot] = .kept
      for slot in slots[(first + 1)...] { fates[slot[0].slot] = .swallowed(by: rule) }
      slots.removeSubrange(first...)
    }
    // Then, nothing counts before the last ignore-previous-rules that remains, nor does it itself.
    let last = slots.lastIndex { $0[0].action.type == "ignore-previous-rules" }
    if let last {
      let rule = slots[last][0].rule
      fates[slots[last][0].slot] = .kept
      for slot in slots[..<last] { fates[slot[0].slot] = .cancelled(by: rule) }
      slots.removeSubrange(...last)
    }

    var actions: [ReferenceResult.Applied] = []
    for slot in slots {
      let applied = ReferenceResult.Applied(
        action: joinedAction(slot),
        rules: slot.map(\.rule),
        slot: slot[0].slot
      )
      actions.append(applied)
      // A slot is listed twice if both kinds of match lead to it.
      if slot.contains(where: \.trigger.isUniversal) && !slot.allSatisfy(\.trigger.isUniversal) {
        actions.append(applied)
      }
    }

    var firstOfSlot: [Int: Int] = [:]
    let outcomes = matched.map { entry in
      let outcome: Outcome
      if isInGlobalSheet(entry, firstIgnoreSlot: firstIgnoreSlot) {
        outcome = .inGlobalSheet
      } else {
        switch fates[entry.slot] ?? .kept {
        case .swallowed(let rule): outcome = .swallowed(by: rule)
        case .cancelled(let rule): outcome = .cancelled(by: rule)
        case .kept:
          outcome = firstOfSlot[entry.slot].map(Outcome.merged(into:)) ?? .applied
          if outcome == .applied { firstOfSlot[entry.slot] = entry.rule }
        }
      }
      return ReferenceResult.Matched(
        rule: entry.rule,
        isIdentifierReport: entry.action.type == "report-identifier",
        outcome: outcome
      )
    }
    return ReferenceResult(
      actions: actions,
      matched: outcomes,
      ignoredPreviousRules: last != nil
    )
  }

  private enum Fate {
    case kept
    case swallowed(by: Int)
    case cancelled(by: Int)
  }
}

/// Whether a rule hides by the global sheet, whatever is loaded.
private func isInGlobalSheet(_ entry: Entry, firstIgnoreSlot: Int?) -> Bool {
  entry.action.isHiding && entry.trigger.isUniversal && entry.slot < firstIgnoreSlot ?? .max
}

/// Puts entries with one slot together, in the order of the slots.
private func groupedBySlot(_ entries: [Entry]) -> [[Entry]] {
  Dictionary(grouping: entries, by: \.slot).sorted { $0.key < $1.key }.map(\.value)
}

/// The action of a slot; selectors of hiding rules, whose triggers are identical, are joined.
private func joinedAction(_ slot: [Entry]) -> ReferenceAction {
  var action = slot[0].action
  if action.isHiding {
    action.fields["selector"] = .string(
      slot.compactMap(\.action.selector).joined(separator: ",")
    )
  }
  return action
}
